"""`ttr-sim leaderboard`: who is better, by how much and how sure that is, from the tables of runs."""

from pathlib import Path

import click

from ttr_sim.cli.folder import FOLDER
from ttr_sim.cli.output import json_option, print_json


@click.command(epilog="Example: ttr-sim leaderboard results/first results/second --details")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=FOLDER)
@click.option("--anchor", metavar="BOT", help="The bot whose Elo is 0; default: the mean of all bots is.")
@click.option("--superiority", is_flag=True, help="How likely each bot is stronger than each other.")
@click.option("--head-to-head", is_flag=True, help="The results of every two bots.")
@click.option("--seats", is_flag=True, help="The share of wins of each seat, with a chi-square test.")
@click.option("--per-board", is_flag=True, help="A leaderboard for each board and rules too.")
@click.option("--details", is_flag=True, help="All of these.")
@json_option
def leaderboard(
    runs: tuple[Path, ...], anchor: str | None, details: bool, as_json: bool, **sections: bool
) -> None:
    """Show the leaderboard of one or several run folders together.

    Elo by Bradley-Terry on all games, ties half; 95 % intervals by bootstrap over blocks. A folder given twice counts
    once. --json always holds all details.
    """
    from ttr_sim.results.leaderboard import make_leaderboard
    from ttr_sim.results.leaderboard_details import SECTIONS, as_plain, with_sections
    from ttr_sim.results.reader import open_run
    from ttr_sim.results.together import distinct_runs

    opened = distinct_runs([open_run(run) for run in runs])
    wanted = [name for name in SECTIONS if details or sections[name]]
    board = make_leaderboard(opened, anchor, details=bool(wanted) or as_json)
    if as_json:
        print_json({"runs": [str(run.folder.path) for run in opened], **as_plain(board)})
    else:
        click.echo("\n".join(with_sections(board, wanted)))
