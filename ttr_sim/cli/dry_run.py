"""`ttr-sim run --dry-run`: the plan of a run and the time it will take."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli.output import print_json
from ttr_sim.cli.wanted import INTERRUPTED, Wanted, read_config, wanted
from ttr_sim.tournament.prepare import ensure_warm

if TYPE_CHECKING:
    from ttr_sim.tournament.pace import Pace


def dry_run(
    ctx: click.Context, asked: Mapping[str, Any], workers: int | None, quiet: bool, as_json: bool
) -> int | None:
    """Print the plan and the expected time; writes nothing but the kernels' cache."""
    from ttr_sim.tournament.ask import ask_workers
    from ttr_sim.tournament.pace import measure
    from ttr_sim.tournament.plan_text import as_lines, as_plain

    count = ask_workers(workers)
    want = wanted(ctx, read_config(asked["config"]), asked)
    if not quiet:
        print_notes(want)
    if not as_json:
        click.echo("\n".join(as_lines(want.plan, want.values)))
    ensure_warm(quiet, want.plan.files)
    pace = measure(want.plan, count)
    if pace is None:
        return INTERRUPTED
    if as_json:
        seconds = pace.expected(want.plan.schedule.games)
        expected = {
            "expected_seconds": None if seconds is None else round(seconds, 1),
            "workers": count,
            "measured_games": pace.games,
        }
        print_json({"plan": as_plain(want.plan, want.values), **expected})
    else:
        click.echo(_time_text(pace, want.plan.schedule.games, count))
    return None


def print_notes(want: Wanted) -> None:
    """Print on stderr what the user should know before the games begin."""
    for note in want.notes:
        click.echo(note, err=True)


def _time_text(pace: "Pace", games: int, workers: int) -> str:
    from ttr_sim.tournament.plan_text import duration

    seconds = pace.expected(games)
    crew = f"{workers} worker{'s' if workers > 1 else ''}"
    if seconds is None:
        return f"expected time: not known, no game was finished within {duration(pace.seconds)} by {crew}"
    return f"expected time: {duration(seconds)} with {crew} (measured on {pace.games} games)"
