"""`ttr-sim merge`: join the shards of a run, or runs with different seeds, into one run."""

from pathlib import Path

import click

from ttr_sim.cli.folder import FOLDER
from ttr_sim.cli.output import json_option, print_json


@click.command(epilog="Example: ttr-sim merge shards/1 shards/2 shards/3 --out results/whole")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FOLDER)
@click.option("--out", type=FOLDER, required=True, help="New folder for the joined run.")
@json_option
def merge(runs: tuple[Path, ...], out: Path, as_json: bool) -> None:
    """Join finished runs of the same bots, boards and rules.

    All shards of a run (run --shard) become that run, equal to one played in one piece. Runs with different seeds
    follow each other, their games and blocks numbered on. What does not belong together is refused.
    """
    from ttr_sim.results.merge import merge as merge_runs

    run = merge_runs(list(runs), out)
    if as_json:
        print_json({"run": str(out), "games": run.info["games"], "merged": run.info["merged"]})
        return
    click.echo(f"{run.info['games']} games of {len(runs)} runs")
    click.echo(f"run folder: {run.folder.shown}")
