"""Racing: what is dropped, what is kept, and when it is decided."""

from __future__ import annotations

import numpy as np
import pytest

from ttr_sim.bot.racing import race

TRUST, SPREAD = 0.03, 0.3


def in_question(
    worlds: int, means: list[float], priors: list[float] | None = None
) -> tuple[int, list[int], list[float]]:
    """After worlds with these mean gains: how many are in question, which are kept, what they are held to be worth."""
    n = 1 + len(means)
    count = np.full(n, worlds, np.int64)
    gain = worlds * np.array([0.0, *means])
    square = worlds * (np.array([0.0, *means]) ** 2 + SPREAD**2)
    alive, score = np.ones(n, np.int64), np.zeros(n)
    active = race(
        n, count, np.array([1.0, *(priors or [1.0] * len(means))]), gain, square, TRUST, alive, score
    )
    return active, alive[1:].tolist(), score[1:].tolist()


def test_a_few_worlds_decide_nothing() -> None:
    assert in_question(8, [0.1, -0.1])[:2] == (3, [1, 1])


def test_what_is_worse_for_sure_is_dropped() -> None:
    assert in_question(2000, [0.01, -0.1])[:2] == (2, [1, 0])


def test_it_is_decided_when_the_best_is_better_for_sure() -> None:
    assert in_question(2000, [0.1])[:2] == (1, [1])
    assert in_question(2000, [0.1, 0.0])[:2] == (1, [1, 0])
    assert in_question(2000, [0.1, 0.1])[:2] == (3, [1, 1])


def test_it_is_decided_when_all_are_worse_for_sure() -> None:
    assert in_question(2000, [-0.1, -0.05])[:2] == (1, [0, 0])


def test_what_was_not_liked_must_show_more() -> None:
    _, _, (liked, disliked) = in_question(50, [0.05, 0.05], [1.0, 0.0])
    assert liked > disliked
    assert in_question(8, [-0.1, -0.1], [1.0, 0.0])[1] == [1, 0]


def test_many_worlds_are_believed() -> None:
    assert in_question(1_000_000, [0.05])[2] == [pytest.approx(0.05, abs=0.001)]
