"""Options that several commands share: what is played where, with which seed and how many workers."""

import click

board_option = click.option(
    "--board",
    multiple=True,
    metavar="NAME,...",
    help="Names or folders of boards.  [default: those of the rules, else europe]",
)
rules_option = click.option(
    "--rules",
    multiple=True,
    metavar="NAME,...",
    help="Names or TOML files of rules.  [default: the names of the boards]",
)
change_option = click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="Change one option of the rules."
)
seed_option = click.option(
    "--seed", type=int, default=1, show_default=True, help="Decides every game, with the bots and rules."
)
workers_option = click.option(
    "--workers", type=int, help="Number of worker processes.  [default: that of the processors]"
)
time_option = click.option(
    "--time-per-decision", type=float, metavar="SECONDS", help="A bot that takes longer forfeits the game."
)
memory_option = click.option(
    "--memory-per-worker",
    metavar="SIZE",
    help="A bot that lets its worker grow beyond, such as 2G, forfeits (Linux).",
)
