"""Batches cover every missing game exactly once, whatever happens to them."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from ttr_sim.tournament.batch import MAX_GAMES, Batch, Sizer, Supply


@given(st.integers(0, 2**32), st.integers(1, 3), st.lists(st.integers(1, 250), unique=True).map(sorted))
def test_every_game_is_handed_out_once(seed: int, workers: int, cuts: list[int]) -> None:
    rng = random.Random(seed)
    missing = [range(0, 30), range(45, 45), range(50, 230)]
    supply, out, played = Supply(missing, 40, workers, cuts), [], []
    while True:
        while len(out) < 2 * workers and (batch := supply.next()):
            assert batch.first // 40 == (batch.stop - 1) // 40
            assert not any(batch.first < cut < batch.stop for cut in cuts)
            out.append(batch)
        if not out:
            break
        batch = out.pop(rng.randrange(len(out)))
        if batch.games > 1 and rng.random() < 0.1:
            supply.again(batch.around(batch.first))
        elif rng.random() < 0.1:
            supply.again([batch])
        else:
            played += range(batch.first, batch.stop)
            supply.finished(batch)
            supply.sizer.learn(batch.games, rng.random() * 0.1)
    assert sorted(played) == [*range(30), *range(50, 230)]


def test_games_far_ahead_of_an_unfinished_one_wait() -> None:
    supply = Supply([range(1000)], 10, 1)
    first = supply.next()
    assert first is not None and first.first == 0
    batches = [first]
    while batch := supply.next():
        batches.append(batch)
    assert batches[-1].stop == 20
    for batch in batches:
        if batch.stop <= 10:
            supply.finished(batch)
    following = supply.next()
    assert following is not None and following.first == 20


def test_size_follows_the_time_of_games() -> None:
    sizer = Sizer()
    for _ in range(20):
        sizer.learn(100, 0.1)
    assert sizer.size(10**6, 2) == 500
    for _ in range(20):
        sizer.learn(1, 30.0)
    assert sizer.size(10**6, 2) == 1
    for _ in range(40):
        sizer.learn(4096, 0.0)
    assert sizer.size(10**6, 2) == MAX_GAMES
    assert sizer.size(6, 2) == 1


def test_singles() -> None:
    assert Batch(5, 3).around(6) == [Batch(6, 1), Batch(5, 1), Batch(7, 1)]
    assert Batch(5, 3).around(5) == [Batch(5, 1), Batch(6, 2)]
    assert Batch(5, 1).around(5) == [Batch(5, 1)]
