"""`ttr-sim bots new`: a bot to start from."""

from pathlib import Path

import click

from ttr_sim import paths
from ttr_sim.cli.output import json_option, print_json


@click.command(epilog="Example: ttr-sim bots new my_bot.py")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--compiled", is_flag=True, help="A compiled bot, a thousand times as fast.")
@json_option
def new(file: Path, compiled: bool, as_json: bool) -> None:
    """Write a commented bot that plays, to be changed. An existing file is left alone."""
    from ttr_sim.bot.template import write_starting_bot

    write_starting_bot(file, compiled=compiled)
    if as_json:
        print_json({"file": str(file), "kind": "compiled" if compiled else "interpreted"})
        return
    shown = paths.shown(file)
    click.echo(f"wrote {shown}; next:")
    click.echo(f"  ttr-sim bots check {shown}")
    click.echo(f"  ttr-sim run --bots {shown},greedy --games 200")
