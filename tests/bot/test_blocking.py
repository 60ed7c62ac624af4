"""Which tracks others likely plan to claim."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.engine.games import board_of, rules_of
from ttr_sim.bot.beliefs import HUNCH, hunch
from ttr_sim.bot.blocking import count_plans
from ttr_sim.bot.network import MIND, PARAMS
from ttr_sim.bot.planning import PLAN
from ttr_sim.engine import Game, Position, faces
from ttr_sim.engine.jit import entry
from ttr_sim.engine.layout import MAX_TRACKS, STATE, WORK, new_record


@entry
def _count(tables, views, work, plans, minds, hunches, worlds, tries, params, times):  # type: ignore[no-untyped-def]
    hunch(tables[0], views[0], plans[0], hunches[0], 1.0)
    count_plans(
        tables[0], views[0], work[0], plans[0], minds[0], hunches[0], worlds, 16, tries, params, times
    )


def planned(game: Game, seat: int, tries: int) -> Any:
    """In how many worlds, as the seat sees it, another one plans each track."""
    view, times = new_record(STATE), np.zeros(MAX_TRACKS, np.int64)
    faces.observe_game(game.tables, game.state, view, seat)
    params = np.array([float(param.default) for param in PARAMS.values()])
    work, worlds = new_record(WORK), new_record(STATE)
    _count(
        game.tables,
        view,
        work,
        np.zeros(1, PLAN),
        np.zeros(1, MIND),
        np.zeros(1, HUNCH),
        worlds,
        tries,
        params,
        times,
    )
    return times


def test_the_last_track_of_a_connection_is_likely_planned() -> None:
    position = Position(board_of("usa"), rules_of("usa"), 2)
    position.owns(
        1, "boston-new_york-1", "new_york-washington-1", "raleigh-washington-1", "charleston-raleigh"
    )
    position.tickets(0, "atlanta-new_york")
    position.tickets(1, "boston-miami")
    game = position.build()
    times = planned(game, 0, 60)
    number = {track.id: t for t, track in enumerate(game.board.tracks)}
    assert times.max() <= 60
    assert times[number["charleston-miami"]] > 30
    assert times[number["charleston-miami"]] == times.max()
    assert times[number["boston-new_york-1"]] == 0  # claimed already
