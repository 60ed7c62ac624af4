"""A run that ends early ends at the same game whatever the workers."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise

import pytest

from tests.results.made import rows_of
from tests.tournament import fake
from ttr_sim.tournament.rows import TableRows
from ttr_sim.tournament.run import play
from ttr_sim.tournament.stopping import Gate, looks


@dataclass
class Kept:
    games: list[int] = field(default_factory=list)

    def add(self, rows: TableRows) -> None:
        self.games += range(rows.first, rows.first + rows.games)

    def tick(self) -> None:
        pass


@dataclass
class Until:
    """Has enough at the first look at or behind a game."""

    end: int
    looks: list[int]
    asked: list[int] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)

    def add(self, rows: TableRows) -> None:
        self.seen += range(rows.first, rows.first + rows.games)

    def enough(self, games: int) -> bool:
        self.asked.append(games)
        assert self.seen == list(range(self.seen[0], games))
        return games >= self.end


def test_looks() -> None:
    assert looks(6, 40, least=2) == [12, 18, 24, 30, 36, 40]
    assert looks(6, 6) == [6]
    many = looks(2, 1_000_000)
    assert many[:3] == [2, 4, 6]
    assert many == sorted(set(many)) and many[-1] == 1_000_000
    assert all(at % 2 == 0 for at in many)
    assert len(many) < 1000
    assert max((b - a) / a for a, b in pairwise(many[50:])) <= 1 / 50


@pytest.mark.parametrize("seed", range(20))
def test_rows_leave_a_gate_in_order_until_the_end(seed: int) -> None:
    plan = fake.plan(games=60)
    rng = random.Random(seed)
    cuts = [10, 20, 36, 60]
    edges = sorted({0, *cuts, *rng.sample(range(1, 60), 12)})
    pieces = [rows_of(plan, a, b - a) for a, b in pairwise(edges)]
    rng.shuffle(pieces)
    sink, rule = Kept(), Until(30, cuts)
    gate = Gate(sink, rule)
    for piece in pieces:
        gate.add(piece)
    assert sink.games == list(range(36))
    assert rule.asked == [10, 20, 36]
    assert gate.closed


@pytest.mark.parametrize("workers", [1, 3])
def test_a_run_ends_at_the_look(workers: int) -> None:
    plan = fake.plan("a,sleeper", games=200)
    sink, rule = Kept(), Until(25, looks(2, 200))
    assert play(plan, sink, workers=workers, opener=fake.open_fake, rule=rule)
    assert sink.games == list(range(26))


def test_a_run_goes_on_behind_what_was_played() -> None:
    plan = fake.plan(games=60)
    sink, rule = Kept(), Until(1000, [10, 30, 60])
    assert play(plan, sink, workers=2, opener=fake.open_fake, missing=[range(20, 60)], rule=rule)
    assert sink.games == list(range(20, 60))
    assert rule.asked == [30, 60]
