"""`ttr-sim run`: play a tournament, keep its games, print who is better."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim import paths
from ttr_sim.cli.asked import (
    board_option,
    change_option,
    memory_option,
    rules_option,
    seed_option,
    time_option,
    workers_option,
)
from ttr_sim.cli.dry_run import dry_run, print_notes
from ttr_sim.cli.folder import FOLDER
from ttr_sim.cli.output import json_option, print_json
from ttr_sim.cli.wanted import INTERRUPTED, is_given, read_config, split, wanted
from ttr_sim.errors import TtrError
from ttr_sim.tournament.prepare import ensure_warm, start_server

if TYPE_CHECKING:
    from ttr_sim.tournament.session import Session

_WITH_RESUME = ("resume", "out", "workers", "scheduler", "details", "quiet", "as_json")
_FORMATS = ("round-robin", "gauntlet", "table")


@click.command(epilog="Example: ttr-sim run --bots greedy,mcts --games 10000")
@click.option(
    "--bots", multiple=True, metavar="SPEC,SPEC...", help="The bots: name or file.py, with :parameter=value."
)
@click.option(
    "--config", metavar="FILE", help="A tournament: a TOML file, its name, or the run.json of a run."
)
@click.option("--games", type=int, default=1000, show_default=True, help="Rounded up to whole blocks.")
@click.option(
    "--until-error",
    type=float,
    metavar="ELO",
    help="End earlier, when every 95 % interval is at most so wide to either side.",
)
@board_option
@rules_option
@change_option
@click.option(
    "--players", type=int, help="Seats of a game.  [default: 2; of a table: as many as there are bots]"
)
@click.option("--format", "shape", type=click.Choice(_FORMATS), default=_FORMATS[0], show_default=True,
              help="Who meets whom: all; the first and each other; all at one table, or at balanced ones.")  # fmt: skip
@seed_option
@time_option
@memory_option
@click.option(
    "--max-forfeits", type=int, metavar="N", help="A bot that forfeits more games is withdrawn from the run."
)
@workers_option
@click.option(
    "--scheduler", metavar="ADDRESS", help="Play on the Dask cluster at tcp://HOST:PORT; local:N starts one."
)
@click.option("--shard", metavar="I/N", help="Play only the I-th of N parts; ttr-sim merge joins them.")
@click.option("--out", type=FOLDER, help="Run folder.  [default: results/NAME]")
@click.option("--name", help="Name of the run.  [default: date and bots]")
@click.option(
    "--dry-run", is_flag=True, help="Print the plan and the expected time; play nothing, write nothing."
)
@click.option("--resume", is_flag=True, help="Go on with the interrupted run in --out.")
@click.option(
    "--explain", is_flag=True, help="Keep what bots say of their decisions too (slower), for replay --html."
)
@click.option("--details", is_flag=True, help="Print superiority, head to head, seats and each board too.")
@click.option("--quiet", is_flag=True, help="No progress and no warnings on stderr.")
@json_option
@click.pass_context
def run(
    ctx: click.Context,
    /,
    workers: int | None,
    scheduler: str | None,
    quiet: bool,
    resume: bool,
    as_json: bool,
    **asked: Any,
) -> int | None:
    """Play a tournament between bots and print the leaderboard.

    Two players: every pair of bots meets. A block is one deal played in every rotation of the seats; games are
    rounded up to whole blocks, equally many for every line-up. Several boards or rules, repeated or with commas, are
    all played, equally often. The same bots, rules, seed and games give the same tables with any number of workers.
    Ctrl-C stops a run (exit code 130); --resume goes on with it.
    """
    if scheduler is None:
        start_server()  # first of all: importing the rest takes as long
    from ttr_sim.tournament.ask import ask_executor, plays_here
    from ttr_sim.tournament.progress import progress_bar

    if asked["dry_run"] and not resume:
        for option, given in (("--scheduler", scheduler), ("--shard", asked["shard"])):
            if given:
                raise TtrError(
                    f"{option} cannot be given with --dry-run, which is about this machine and all games"
                )
        return dry_run(ctx, asked, workers, quiet, as_json)
    session = _resumed(ctx, asked["out"]) if resume else _new(ctx, asked, quiet)
    with ask_executor(workers, scheduler) as (hire, count):
        if plays_here(scheduler):
            ensure_warm(quiet, session.plan.files)
        if not quiet:
            _announce(session, count, asked["games"] if is_given(ctx, "games") else None)
        with progress_bar(session, quiet) as progress:
            complete = session.play(workers=count, quiet=quiet, progress=progress, hire=hire)
    if not complete:
        click.echo(_how_to_go_on(session), err=True)
        return INTERRUPTED
    _print_result(session, as_json, asked["details"])
    return None


def _new(ctx: click.Context, asked: dict[str, Any], quiet: bool) -> "Session":
    """Check what is asked, the quick things first."""
    from ttr_sim.results.folder import check_new
    from ttr_sim.tournament.ask import ask_folder
    from ttr_sim.tournament.session import new_session
    from ttr_sim.tournament.shard import read_shard

    shard = read_shard(asked["shard"]) if asked["shard"] else None
    config = read_config(asked["config"])
    names = split(asked["bots"], "--bots") or [config.name or "again"]
    out = asked["out"] or ask_folder(asked["name"], names)
    check_new(out)
    want = wanted(ctx, config, asked)
    if not quiet:
        print_notes(want)
    about = {**want.values, "name": asked["name"] or out.name}
    until_error = want.values["until_error"]
    return new_session(
        out, want.plan, part_games=want.part_games, about=about, until_error=until_error, shard=shard
    )


def _resumed(ctx: click.Context, out: Path | None) -> "Session":
    from ttr_sim.tournament.session import resumed_session

    if out is None:
        raise TtrError("--resume needs --out, the folder of the run to go on with")
    for param in ctx.command.params:
        if param.name not in _WITH_RESUME and is_given(ctx, param.name or ""):
            what = f"run.json in {paths.shown(out)} says what to play"
            raise TtrError(f"{param.opts[0]} cannot be given with --resume: {what}")
    return resumed_session(out)


def _announce(session: "Session", workers: int, asked: int | None) -> None:
    """Print the plan before the start. asked: the number of games the user named, if any."""
    from ttr_sim.tournament.plan_text import as_lines

    schedule = session.plan.schedule
    lines = as_lines(session.plan, session.info["asked"])
    if asked is not None and asked != schedule.games:
        blocks = f"{schedule.blocks} whole blocks, equally many for each line-up"
        lines.insert(0, f"{asked} games are rounded up to {schedule.games}: {blocks}")
    if shard := session.info.get("shard"):
        lines.append(f"of them part {shard['number']} of {shard['of']}: {session.games} games")
    kept = f"; {session.kept} games are there already" if session.kept else ""
    lines.append(f"{workers} worker{'s' if workers > 1 else ''}, into {session.folder.shown}{kept}")
    click.echo("\n".join(lines), err=True)


def _how_to_go_on(session: "Session") -> str:
    kept = f"stopped; {session.kept} of {session.games} games are kept in {session.folder.shown}"
    return f"{kept}\ngo on with: ttr-sim run --resume --out {_quoted(session.folder.path)}"


def _quoted(path: Path) -> str:
    import shlex

    return shlex.quote(str(path))


def _print_result(session: "Session", as_json: bool, details: bool) -> None:
    from ttr_sim.results.leaderboard import make_leaderboard
    from ttr_sim.results.leaderboard_details import SECTIONS, as_plain, with_sections
    from ttr_sim.results.reader import open_run

    info = session.info
    board = make_leaderboard([open_run(session.folder.path)], details=details or as_json)
    if as_json:
        about = {
            "run": str(session.folder.path),
            "timing": info["timings"][-1],
            "stopped": info.get("stopped"),
        }
        print_json({**about, **as_plain(board)})
        return
    click.echo("\n".join(with_sections(board, SECTIONS if details else ())))
    if session.rule:
        click.echo(_stop_text(session))
    click.echo(f"run folder: {session.folder.shown}")


def _stop_text(session: "Session") -> str:
    info, asked = session.info, session.info["asked"]["until_error"]
    if stopped := info.get("stopped"):
        sure = f"every 95 % interval is within ±{stopped['error']:.1f} Elo (asked: ±{asked:g})"
        return f"ended after {info['games']} of at most {stopped['limit']} games: {sure}"
    error = session.rule.error if session.rule else 0.0
    return f"the intervals are not as narrow as asked (±{asked:g} Elo): the widest is ±{error:.1f}"
