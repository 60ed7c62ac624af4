"""Recorded games are played again and must read the same; see `record` for how to record them anew."""

from __future__ import annotations

import pytest

from .record import GAMES, path, playthrough


@pytest.mark.parametrize("preset", GAMES)
def test_playthrough(preset: str) -> None:
    assert playthrough(preset).splitlines() == path(preset).read_text(encoding="utf-8").splitlines()


def test_the_games_show_every_kind_of_action() -> None:
    text = "\n".join(path(preset).read_text(encoding="utf-8") for preset in GAMES)
    for wanted in (
        "=> take locomotive",
        "=> draw blind",
        "=> draw tickets",
        "=> keep ",
        "=> claim ",
        "=> station in",
        "=> pay extra",
        "=> take the payment back",
        "=> use ",
        "=> add 1 ",
        "(tunnel, ",
        "(ferry, ",
        "(forced)",
    ):
        assert wanted in text, wanted
