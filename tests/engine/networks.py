"""Longest trails by other means than the engine's: over all sets of edges, and by integer programming."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from scipy.optimize import LinearConstraint, milp  # type: ignore[import-untyped]
from scipy.sparse import lil_matrix  # type: ignore[import-untyped]

Edges = list[tuple[int, int, int]]  # two cities and a length


def random_network(rng: Random, cities: int, edges: int, lengths: tuple[int, ...]) -> Edges:
    """Edges between random pairs of cities, no pair twice."""
    pairs = [(a, b) for a in range(cities) for b in range(a)]
    return [(a, b, rng.choice(lengths)) for a, b in rng.sample(pairs, min(edges, len(pairs)))]


def grown_network(rng: Random, cities: int, edges: int, lengths: tuple[int, ...]) -> Edges:
    """A connected network: a random tree and more edges."""
    chosen = {(city, rng.randrange(city)) for city in range(1, cities)}
    pairs = [(a, b) for a in range(cities) for b in range(a) if (a, b) not in chosen]
    chosen |= set(rng.sample(pairs, max(0, min(edges - len(chosen), len(pairs)))))
    return [(a, b, rng.choice(lengths)) for a, b in sorted(chosen)]


def components(edges: Edges) -> list[list[int]]:
    """The indices of the edges of every connected part."""
    parts: list[tuple[set[int], list[int]]] = []
    for i, (a, b, _) in enumerate(edges):
        touching = [part for part in parts if part[0] & {a, b}]
        parts = [part for part in parts if not part[0] & {a, b}]
        cities = {a, b}.union(*(part[0] for part in touching))
        parts.append((cities, [*(e for part in touching for e in part[1]), i]))
    return [part[1] for part in parts]


def longest_of_all_sets(edges: Edges) -> int:
    """Heaviest connected set of edges with at most two odd cities, found among all sets (up to about 18 edges)."""
    if not edges:
        return 0
    sets = np.arange(1 << len(edges), dtype=np.uint32)
    bits = [(sets >> e & 1).astype(np.uint8) for e in range(len(edges))]
    weight = np.zeros(len(sets), np.int32)
    for e, (_, _, length) in enumerate(edges):
        weight += bits[e].astype(np.int32) * length
    odd = np.zeros(len(sets), np.uint8)
    for city in {city for a, b, _ in edges for city in (a, b)}:
        parity = np.zeros(len(sets), np.uint8)
        for e, (a, b, _) in enumerate(edges):
            if city in (a, b):
                parity ^= bits[e]
        odd += parity
    candidates = np.flatnonzero(odd <= 2)
    for chosen in candidates[np.argsort(-weight[candidates], kind="stable")]:
        kept = [edge for e, edge in enumerate(edges) if chosen >> e & 1]
        if len(components(kept)) <= 1:
            return int(weight[chosen])
    return 0


def longest_by_programming(edges: Edges) -> int:
    """The same by integer programming, with cuts between parts that a solution leaves apart."""
    n = len(edges)
    cities = sorted({city for a, b, _ in edges for city in (a, b)})
    if not n:
        return 0
    # Variables: edge e is used; half the degree of a city; the city is an end.
    size = n + 2 * len(cities)
    rows: list[tuple[dict[int, float], float, float]] = []
    for i, city in enumerate(cities):
        row: dict[int, float] = {e: 1.0 for e, (a, b, _) in enumerate(edges) if city in (a, b)}
        rows.append(({**row, n + i: -2.0, n + len(cities) + i: -1.0}, 0.0, 0.0))
    rows.append(({n + len(cities) + i: 1.0 for i in range(len(cities))}, 0.0, 2.0))
    cost = np.zeros(size)
    cost[:n] = [-length for _, _, length in edges]
    upper = np.ones(size)
    upper[n : n + len(cities)] = len(edges)
    while True:
        used = _solve(cost, upper, rows, n)
        kept = [edges[e] for e in used]
        parts = components(kept)
        if len(parts) <= 1:
            return sum(length for _, _, length in kept)
        for part in parts:
            inside = {city for i in part for city in kept[i][:2]}
            across = {e: -1.0 for e, (a, b, _) in enumerate(edges) if (a in inside) != (b in inside)}
            first = used[part[0]]
            for other in parts:
                if other is not part:
                    # Both edges only together with one that leads out of the part.
                    rows.append(({**across, first: 1.0, used[other[0]]: 1.0}, -np.inf, 1.0))


def _solve(cost: Any, upper: Any, rows: list[tuple[dict[int, float], float, float]], n: int) -> list[int]:
    matrix = lil_matrix((len(rows), len(cost)))
    for i, (row, _, _) in enumerate(rows):
        for j, value in row.items():
            matrix[i, j] = value
    constraint = LinearConstraint(matrix.tocsr(), [row[1] for row in rows], [row[2] for row in rows])
    found = milp(cost, constraints=constraint, integrality=np.ones(len(cost)), bounds=(0, upper))
    assert found.success, found.message
    return [e for e in range(n) if found.x[e] > 0.5]
