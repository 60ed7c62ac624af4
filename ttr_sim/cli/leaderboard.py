"""`ttr-sim leaderboard`: who is better, by how much and how sure that is, from the tables of runs."""

from pathlib import Path

import click

from ttr_sim.cli.output import json_option, print_json


@click.command(epilog="Example: ttr-sim leaderboard results/first results/second")
@click.argument("runs", nargs=-1, required=True, metavar="RUN...", type=click.Path(path_type=Path))
@click.option("--anchor", metavar="BOT", help="The bot whose Elo is 0; default: the mean of all bots is.")
@json_option
def leaderboard(runs: tuple[Path, ...], anchor: str | None, as_json: bool) -> None:
    """Show the leaderboard of one or several run folders together.

    Elo by Bradley-Terry on all games, ties half; 95 % intervals by bootstrap over blocks.
    """
    from ttr_sim.results.leaderboard import make_leaderboard
    from ttr_sim.results.leaderboard_text import as_lines, as_plain
    from ttr_sim.results.reader import open_run

    board = make_leaderboard([open_run(run) for run in dict.fromkeys(runs)], anchor)
    if as_json:
        print_json({"runs": [str(run) for run in dict.fromkeys(runs)], **as_plain(board)})
    else:
        click.echo("\n".join(as_lines(board)))
