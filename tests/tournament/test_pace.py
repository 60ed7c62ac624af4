"""How fast a plan is played, measured on a little of it."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from tests.tournament import fake
from ttr_sim.tournament.pace import Pace, measure
from ttr_sim.tournament.plan_text import duration


def test_the_time_of_all_games() -> None:
    plan = fake.plan("a,sleeper", games=400)  # fifty milliseconds a game
    pace = measure(plan, 2, fake.open_fake, seconds=0.5)
    assert pace is not None and 0 < pace.games < 400
    expected = pace.expected(400)
    assert expected is not None and 5 < expected < 60  # ten when nothing else runs


def test_no_game_in_time() -> None:
    pace = measure(fake.plan("a,sleeper", games=400), 1, fake.open_fake, seconds=0.1, patience=0.0)
    assert pace is not None and pace.games == 0 and pace.expected(400) is None


def test_stopped_by_a_signal() -> None:
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    assert measure(fake.plan("a,sleeper", games=4000), 1, fake.open_fake, seconds=30) is None
    timer.join()


def test_a_short_plan_is_played_to_its_end() -> None:
    pace = measure(fake.plan(games=10), 1, fake.open_fake)
    assert pace is not None and pace.games == 10
    assert Pace(10, 2.0).expected(100) == 20


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "less than a second"),
        (1.4, "1 s"),
        (59.7, "60 s"),
        (60, "1 min"),
        (200, "3 min 20 s"),
        (3600, "1 h"),
        (7500, "2 h 5 min"),
        (86400, "1 day"),
        (200000, "2 days 8 h"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
