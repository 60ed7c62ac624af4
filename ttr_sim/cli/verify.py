"""`ttr-sim verify`: replay every logged game and compare it with the tables."""

from dataclasses import asdict
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

import click

from ttr_sim.cli.folder import FOLDER
from ttr_sim.cli.output import json_option, print_json
from ttr_sim.tournament.prepare import ensure_warm

if TYPE_CHECKING:
    from ttr_sim.results.verify import Difference


@click.command(epilog="Example: ttr-sim verify results/first")
@click.argument("run", type=FOLDER)
@json_option
def verify(run: Path, as_json: bool) -> int:
    """Replay every logged game of a run folder and compare scores, ranks and ends with the tables.

    Exit code 1 when a game differs, or when a file is not as it was written; the first difference and the files are named.
    """
    from ttr_sim import paths
    from ttr_sim.results.reader import open_run
    from ttr_sim.results.verify import verify as verify_run
    from ttr_sim.tournament.scheduled import scheduled_columns

    opened = open_run(run, as_written=False)
    ensure_warm()
    begun = monotonic()
    verdict = verify_run(opened, scheduled_columns)
    seconds = monotonic() - begun
    if as_json:
        numbers = {"games": verdict.games, "wrong": verdict.wrong, "unplayable": verdict.unplayable}
        first = asdict(verdict.first) if verdict.first else None
        files = {paths.shown(file): what for file, what in verdict.changed.items()}
        more = {"first_difference": first, "changed_files": files, "seconds": round(seconds, 3)}
        print_json({"run": str(run), **numbers, **more})
    else:
        if verdict.first:
            click.echo(_text(verdict.first))
            click.echo(f"{verdict.wrong} of {verdict.games} games differ from the tables ({seconds:.1f} s)")
        else:
            click.echo(f"{verdict.games} games replayed, all as in the tables ({seconds:.1f} s)")
        if verdict.unplayable:
            click.echo(
                f"{verdict.unplayable} more games have no log: their worker died, or they were not played"
            )
        for file, what in verdict.changed.items():
            click.echo(f"{paths.shown(file)}: {what}")
    return 0 if verdict.good else 1


def _text(difference: "Difference") -> str:
    seat = "" if difference.seat is None else f", seat {difference.seat}"
    values = f"logged {difference.logged}, replayed {difference.replayed}"
    return f"game {difference.game}{seat}, {difference.column}: {values}"
