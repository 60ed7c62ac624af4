"""What a designer wants to know about a board: colours, ticket paths, degrees, bottlenecks."""

import heapq
from collections import defaultdict
from dataclasses import dataclass

from ttr_sim.board import COLORS, GRAY, Board, Ticket

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bottleneck:
    """What happens when one connection (all tracks between two cities) is lost.

    `tickets_longer` counts the tickets whose shortest path grows, `extra_spaces` by how much in all,
    `tickets_cut` those that can no longer be completed; `bridge` tells that the map falls apart.
    """

    cities: Pair
    tracks: int
    bridge: bool
    tickets_longer: int
    extra_spaces: int
    tickets_cut: int


def spaces_by_color(board: Board) -> dict[str, tuple[int, int]]:
    """Return (tracks, spaces) of every colour, gray last."""
    of = {color: [t.length for t in board.tracks if t.color == color] for color in (*COLORS, GRAY)}
    return {color: (len(lengths), sum(lengths)) for color, lengths in of.items()}


def connections(board: Board) -> dict[Pair, int]:
    """Return the length of the shortest track of every pair of joined cities (smaller index first)."""
    shortest: dict[Pair, int] = {}
    for track in board.tracks:
        pair = (min(track.a, track.b), max(track.a, track.b))
        shortest[pair] = min(track.length, shortest.get(pair, track.length))
    return shortest


def distances(lengths: dict[Pair, int], start: int) -> dict[int, int]:
    """Return the spaces on the shortest way from `start` to every city it reaches (Dijkstra)."""
    neighbours: dict[int, list[Pair]] = defaultdict(list)
    for (a, b), length in lengths.items():
        neighbours[a].append((b, length))
        neighbours[b].append((a, length))
    done: dict[int, int] = {}
    queue = [(0, start)]
    while queue:
        distance, city = heapq.heappop(queue)
        if city in done:
            continue
        done[city] = distance
        for other, length in neighbours[city]:
            heapq.heappush(queue, (distance + length, other))
    return done


def ticket_paths(board: Board) -> list[tuple[Ticket, int]]:
    """Return every ticket with the spaces on the shortest way between its cities."""
    lengths = connections(board)
    return [(ticket, distances(lengths, ticket.a)[ticket.b]) for ticket in board.tickets]


def degrees(board: Board) -> list[tuple[int, int]]:
    """Return (neighbouring cities, tracks) of every city."""
    pairs = list(connections(board))
    return [
        (sum(city in pair for pair in pairs), sum(city in (t.a, t.b) for t in board.tracks))
        for city in range(len(board.cities))
    ]


def bottlenecks(board: Board) -> list[Bottleneck]:
    """Return every connection whose loss matters, the worst first."""
    lengths = connections(board)
    before = [distances(lengths, city) for city in range(len(board.cities))]
    found = []
    for (a, b), length in lengths.items():
        without = {pair: other for pair, other in lengths.items() if pair != (a, b)}
        longer = extra = cut = 0
        for ticket in board.tickets:
            whole = before[ticket.a][ticket.b]
            through = min(
                before[ticket.a][a] + length + before[b][ticket.b],
                before[ticket.a][b] + length + before[a][ticket.b],
            )
            if through > whole:
                continue  # a shortest way does not use this connection
            now = distances(without, ticket.a).get(ticket.b)
            if now is None:
                cut += 1
            elif now > whole:
                longer += 1
                extra += now - whole
        bridge = b not in distances(without, a)
        if bridge or longer or cut:
            tracks = sum({t.a, t.b} == {a, b} for t in board.tracks)
            found.append(Bottleneck((a, b), tracks, bridge, longer, extra, cut))
    return sorted(found, key=lambda n: (-n.bridge, -n.tickets_cut, -n.tickets_longer, -n.extra_spaces))
