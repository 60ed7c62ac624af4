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

    Exit code 1 when a game differs; the first difference is named.
    """
    from ttr_sim.results.reader import open_run
    from ttr_sim.results.verify import verify as verify_run

    opened = open_run(run)
    ensure_warm()
    begun = monotonic()
    verdict = verify_run(opened)
    seconds = monotonic() - begun
    if as_json:
        numbers = {"games": verdict.games, "wrong": verdict.wrong, "unplayable": verdict.unplayable}
        first = asdict(verdict.first) if verdict.first else None
        print_json({"run": str(run), **numbers, "first_difference": first, "seconds": round(seconds, 3)})
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
    return 1 if verdict.first else 0


def _text(difference: "Difference") -> str:
    seat = "" if difference.seat is None else f", seat {difference.seat}"
    values = f"logged {difference.logged}, replayed {difference.replayed}"
    return f"game {difference.game}{seat}, {difference.column}: {values}"
