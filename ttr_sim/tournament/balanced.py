"""Tables for a field larger than a table: every bot at equally many, and every two bots together as equally as can be."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

MOST_GAMES = 1000  # of a cycle, in which every table plays every rotation

LineUp = tuple[int, ...]


def balanced_tables(bots: int, players: int) -> list[LineUp]:
    """Return line-ups of `players` of the bots 0, 1, ...: a cyclic design, or all there are where those are fewer.

    A cyclic design is made of base tables; adding 1, 2, ... modulo `bots` to all of its members makes as many tables
    of a base table as there are bots, and puts every bot into each of its places once. How often two bots meet
    depends on their difference only: bases are added until all differences occur equally often, or until the
    tables have MOST_GAMES games. Source: R. Bose, "On the construction of balanced incomplete block designs",
    Annals of Eugenics 9 (1939), where the bases are found by algebra; here each is the best of a local search.
    """
    bases, met = _bases(bots, players)
    even = len({met[d] for d in range(1, bots)}) == 1
    everything = comb(bots, players)
    if not bases or everything <= len(bases) * bots or (not even and everything * players <= MOST_GAMES):
        return list(combinations(range(bots), players))
    return [tuple((bot + shift) % bots for bot in base) for base in bases for shift in range(bots)]


def _bases(bots: int, players: int) -> tuple[list[LineUp], Counter[int]]:
    """Return base tables, and how often each difference occurs in them."""
    bases: list[LineUp] = []
    met: Counter[int] = Counter()
    for _ in range(max(1, MOST_GAMES // (bots * players))):
        base = _next_base(bots, players, met, bases)
        if base is None:
            break
        bases.append(base)
        met.update(_differences(base, bots))
        if len({met[d] for d in range(1, bots)}) == 1:
            break
    return bases, met


def _next_base(bots: int, players: int, met: Counter[int], bases: list[LineUp]) -> LineUp | None:
    """Exchange members one at a time while that makes the differences more even; None when all tables are used up."""
    best, base = None, tuple(range(players))
    while True:
        near = [base, *_neighbours(base, bots)]
        ranked = sorted(near, key=lambda table: (_unevenness(table, met, bots), table))
        base = next((table for table in ranked if _is_new(table, bases, bots)), ())
        if not base:
            return best
        if best is not None and _unevenness(base, met, bots) >= _unevenness(best, met, bots):
            return best
        best = base


def _neighbours(base: LineUp, bots: int) -> Iterator[LineUp]:
    for out in base:
        for new in range(bots):
            if new not in base:
                yield tuple(sorted({*base, new} - {out}))


def _differences(base: LineUp, bots: int) -> Counter[int]:
    return Counter((a - b) % bots for a in base for b in base if a != b)


def _unevenness(base: LineUp, met: Counter[int], bots: int) -> int:
    """Return what the sum of the squares of all differences' counts grows by with this base."""
    return sum((2 * met[d] + n) * n for d, n in _differences(base, bots).items())


def _is_new(base: LineUp, bases: list[LineUp], bots: int) -> bool:
    """Whether the tables of a base differ from each other and from those of the other bases."""
    shifted = {tuple(sorted((bot + shift) % bots for bot in base)) for shift in range(bots)}
    return len(shifted) == bots and shifted.isdisjoint(tuple(sorted(other)) for other in bases)
