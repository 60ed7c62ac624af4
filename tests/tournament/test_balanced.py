"""Balanced tables: the same for every bot, and pairs as equal as they can be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from ttr_sim.tournament.balanced import MOST_GAMES, balanced_tables

SIZES = [(bots, players) for players in (2, 3, 4, 5) for bots in range(players, 26)]


def meetings(tables: list[tuple[int, ...]]) -> Counter[tuple[int, int]]:
    return Counter(pair for table in tables for pair in combinations(sorted(table), 2))


@pytest.mark.parametrize(("bots", "players"), [*SIZES, (60, 5), (200, 3)])
def test_every_bot_equally_often_and_no_table_twice(bots: int, players: int) -> None:
    tables = balanced_tables(bots, players)
    assert all(len(set(table)) == players for table in tables)
    assert len({tuple(sorted(table)) for table in tables}) == len(tables)
    counts = Counter(bot for table in tables for bot in table)
    assert set(counts) == set(range(bots)) and len(set(counts.values())) == 1
    assert len(tables) * players <= MOST_GAMES


@pytest.mark.parametrize(("bots", "players"), SIZES)
def test_every_two_bots_about_equally_often(bots: int, players: int) -> None:
    met = meetings(balanced_tables(bots, players))
    counts = [met[pair] for pair in combinations(range(bots), 2)]
    assert min(counts) > 0
    assert max(counts) - min(counts) <= 2


@pytest.mark.parametrize(("bots", "players", "tables"), [(7, 3, 7), (13, 4, 13), (9, 5, 18), (16, 5, 48)])
def test_known_designs_are_found(bots: int, players: int, tables: int) -> None:
    """The Fano plane, the projective plane of order 3 and difference families, all perfectly even."""
    found = balanced_tables(bots, players)
    assert len(found) == tables
    assert len(set(meetings(found).values())) == 1


@pytest.mark.parametrize(("bots", "players"), [(100, 5), (200, 3), (500, 2)])
def test_large_fields_hang_together(bots: int, players: int) -> None:
    met = meetings(balanced_tables(bots, players))
    reached, before = {0}, 0
    while len(reached) > before:
        before = len(reached)
        reached |= {bot for pair in met if reached & set(pair) for bot in pair}
    assert reached == set(range(bots))
