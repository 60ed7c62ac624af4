"""`ttr-sim play`: a person plays against bots in the terminal."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ttr_sim.cli.color import Paint
from ttr_sim.errors import TtrError
from ttr_sim.tournament.prepare import ensure_warm

if TYPE_CHECKING:
    from ttr_sim.bot.specs import LoadedBot
    from ttr_sim.tournament.plan import Setting

HUMAN = "human"


@click.command(epilog="Example: ttr-sim play --bots human,greedy --board usa")
@click.option("--bots", required=True, metavar="SPEC,SPEC...", help="Who sits where; you are `human`.")
@click.option("--board", help="Name or folder of the board.  [default: that of the rules, else europe]")
@click.option("--rules", help="Name or TOML file of the rules.  [default: the name of the board]")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", help="Change one option of the rules."
)
@click.option("--seed", type=int, help="Decides the deal and the bots' chance.  [default: another each time]")
def play(bots: str, board: str | None, rules: str | None, options: Sequence[str], seed: int | None) -> None:
    """Play a game against bots in the terminal: good for trying a bot, and rules.

    You see what your seat may know, and choose by number; `help` tells what else can be typed. The end of the input
    ends the game.
    """
    from ttr_sim.cli.human import HELP, Human, Quit
    from ttr_sim.rules import check_fit, parse_option
    from ttr_sim.tournament.ask import ask_setting
    from ttr_sim.tournament.plan import unique_labels
    from ttr_sim.tournament.seeds import MAX_SEED

    specs = [spec.strip() for spec in bots.split(",")]
    if HUMAN not in specs:
        raise TtrError(f"--bots must name {HUMAN}, for example --bots {HUMAN},greedy; run plays bots alone")
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise TtrError(f"--seed must be from 0 to 2^64 - 1, not {seed}")
    setting = ask_setting(board, rules, dict(parse_option(option) for option in options))
    check_fit(setting.board, setting.rules, len(specs))
    seated = _seated(specs)
    ensure_warm(bots=[bot.spec.file for bot in seated if bot.spec.label != HUMAN and not bot.spec.command])
    seed = secrets.randbits(32) if seed is None else seed
    Human.names, Human.paint = list(unique_labels(specs)), Paint()
    click.echo(f"{setting.board.title}, rules {setting.rules.name}, --seed {seed}\n{HELP}")
    try:
        _play(setting, seated, seed, Human.names)
    except Quit:
        click.echo("left the game")


def _seated(specs: Sequence[str]) -> list["LoadedBot"]:
    from ttr_sim.bot.specs import BotSpec, LoadedBot, load_bot
    from ttr_sim.cli.human import Human
    from ttr_sim.tournament.ask import ask_bots

    others = iter(ask_bots([spec for spec in specs if spec != HUMAN]) if set(specs) != {HUMAN} else [])
    human = LoadedBot(BotSpec(HUMAN, Path(HUMAN), Human.__name__, ()), Human, {})
    return [human if spec == HUMAN else load_bot(next(others)) for spec in specs]


def _play(setting: "Setting", seated: Sequence["LoadedBot"], seed: int, names: Sequence[str]) -> None:
    import numpy as np

    from ttr_sim.bot.play import Table
    from ttr_sim.cli.replay import print_result
    from ttr_sim.engine import Game
    from ttr_sim.results.replay import kept_tickets, steps
    from ttr_sim.tournament.seeds import bot_seeds

    table = Table(setting.board, setting.rules, seated)
    chance: Any = bot_seeds(seed, np.zeros(1, np.int64))
    played = table.play(np.array([seed], np.uint64), chance, np.zeros(1, np.int64), timed=False)
    game = Game.new(setting.board, setting.rules, len(seated), seed, auto=False)
    for _ in steps(game, played.actions.tolist()):
        pass
    for forfeit in played.forfeits.values():
        seat = int(played.played["forfeit_seat"][0])
        click.echo(f"\nseat {seat} {names[seat]} forfeits: {forfeit}")
    if game.is_over:
        result = game.result()
        click.echo(f"\nended by {result.reason}; decided by {result.decided_by}")
        for seat, name in enumerate(names):
            click.echo(f"seat {seat} {name} had the tickets {', '.join(kept_tickets(game, seat)) or 'none'}")
    print_result(game, names)
