"""Made-up boards from a few lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ttr_sim.board import COLORS, Board, City, Ticket, Track


def made_up(tracks: Sequence[str], tickets: Sequence[str] = (), name: str = "made-up") -> Board:
    """A board from tracks "A-B 3 [colour] [kind] [symbols]" and tickets "id A-B 6 [long]".

    Two tracks between the same cities are parallel; the second has the id "A-B-2".
    Tickets are added until five players can be dealt theirs under every preset ("spare0" ..., "long0" ...).
    """
    cities: list[str] = []
    rows: list[Track] = []

    def city(name: str) -> int:
        if name not in cities:
            cities.append(name)
        return cities.index(name)

    pairs = [line.split()[0] for line in tracks]
    for line in tracks:
        pair, length, *rest = line.split()
        color, kind, symbols = [*rest, *["gray", "normal", "0"][len(rest) :]]
        if color not in (*COLORS, "gray"):
            raise ValueError(f"{line!r}: unknown colour")
        a, b = pair.split("-")
        track_id = pair if all(row.id != pair for row in rows) else f"{pair}-2"
        parallel = pair if pairs.count(pair) == 2 else ""
        rows.append(Track(track_id, city(a), city(b), int(length), color, kind, int(symbols), parallel))
    destinations = []
    for line in tickets:
        ticket_id, pair, points, *long = line.split()
        a, b = pair.split("-")
        destinations.append(Ticket(ticket_id, city(a), city(b), int(points), long == ["long"]))
    destinations += [Ticket(f"spare{i}", 0, 1, 1, False) for i in range(25)]
    destinations += [Ticket(f"long{i}", 0, 1, 1, True) for i in range(5)]
    return Board(
        name=name,
        title=name,
        cities=tuple(City(c, c, float(i), 0.0) for i, c in enumerate(cities)),
        tracks=tuple(sorted(rows, key=lambda row: row.length)),
        tickets=tuple(destinations),
        substitute_tracks=frozenset(),
        folder=Path(),
    )
