"""`ttr-sim replay --at --save`: a moment of a logged game becomes a position file."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ttr_sim import paths
from ttr_sim.cli.output import print_json
from ttr_sim.errors import TtrError

if TYPE_CHECKING:
    from ttr_sim.engine import Game


def check_moment(at: str | None, save: Path | None, html: Path | None) -> None:
    """Raise TtrError unless a moment and a file for it, or neither, are given, and fit."""
    from ttr_sim.results.moment import parse_moment

    if (at is None) != (save is None):
        raise TtrError("--at TURN and --save FILE go together, for example --at 57 --save p.json")
    if at is not None:
        parse_moment(at)
        if html is not None:
            raise TtrError("--save and --html cannot be given together; ask for one after the other")


def save_moment(game: "Game", log: Sequence[int], at: str, save: Path, note: str, as_json: bool) -> None:
    """Write the position before the action `at` of a game that is not begun; an existing file is replaced."""
    from ttr_sim.bot.positions import read_position
    from ttr_sim.bot.save_position import position_text
    from ttr_sim.results.moment import parse_moment, position_at

    data = position_at(game, log, *parse_moment(at), note)
    saved = read_position(data, paths.shown(save)).game
    try:
        save.write_text(position_text(data), encoding="utf-8")
    except OSError as error:
        raise TtrError(f"--save {save}: cannot be written: {error.strerror}") from None
    if as_json:
        print_json({"position": str(save), "seat": saved.seat, "phase": saved.phase})
    else:
        click.echo(
            f"wrote {save}: seat {saved.seat} decides ({saved.phase}); ask: ttr-sim bots ask BOT {save}"
        )
