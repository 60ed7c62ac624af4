"""Final scoring: tickets and stations by trying everything, longest path by depth-first search."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .board import Board, Options
    from .model import ReferenceGame

Edge = tuple[int, int, int]  # city, city, length


@dataclass
class SeatScore:
    """What one seat scored, part by part."""

    routes: int
    tickets_won: int
    tickets_lost: int
    completed: int
    failed: int
    stations_points: int
    stations_placed: int
    borrowing: int
    longest: int
    longest_path_bonus: int = 0
    globetrotter: int = 0
    all_trains_bonus: int = 0
    total: int = 0
    rank: int = 0


@dataclass
class Score:
    """The result of a game. `decided_by` is 0 (points), the number of a tie-break, or -1 (shared)."""

    seats: list[SeatScore]
    decided_by: int
    reason: int


def score_game(game: ReferenceGame) -> Score:
    """Score the position as if the game were over."""
    options = game.options
    seats = []
    for seat in range(game.players):
        won, lost, completed, points, borrowing = tickets_and_stations(game, seat)
        seats.append(
            SeatScore(
                routes=game.points[seat],
                tickets_won=won,
                tickets_lost=lost,
                completed=completed,
                failed=len(game.tickets[seat]) - completed,
                stations_points=points,
                stations_placed=len(game.station_cities[seat]),
                borrowing=borrowing,
                longest=longest_trail(edges_of(game, seat)),
            )
        )
    longest = max(score.longest for score in seats)
    most = max(score.completed for score in seats)
    for seat, score in enumerate(seats):
        if score.longest == longest > 0:
            score.longest_path_bonus = options["longest_path_bonus"]
        if score.completed == most > 0:
            score.globetrotter = options["globetrotter_bonus"]
        if game.trains[seat] == 0:
            score.all_trains_bonus = options["all_trains_bonus"]
        score.total = (
            score.routes
            + score.tickets_won
            - score.tickets_lost
            + score.stations_points
            + score.longest_path_bonus
            + score.globetrotter
            + score.all_trains_bonus
        )
    return Score(seats, rank_seats(seats, game.trains, options), game.reason)


def rank_seats(seats: list[SeatScore], trains: list[int], options: Options) -> int:
    """Fill in the ranks and return what decided about the first place."""

    def tie_break(seat: int, name: str) -> int:
        score = seats[seat]
        return {
            "most_completed_tickets": score.completed,
            "fewest_stations_used": -score.stations_placed,
            "longest_path_holder": int(score.longest_path_bonus > 0),
            "longest_path_length": score.longest,
            "fewest_trains_left": -trains[seat],
        }[name]

    keys = [
        [score.total] + [tie_break(seat, name) for name in options["tie_breaks"]]
        for seat, score in enumerate(seats)
    ]
    for seat, score in enumerate(seats):
        score.rank = 1 + sum(key > keys[seat] for key in keys)
    best = max(keys)
    for depth in range(len(best)):
        if sum(key[: depth + 1] == best[: depth + 1] for key in keys) == 1:
            return depth
    return -1


# Tickets and stations


def tickets_and_stations(game: ReferenceGame, seat: int) -> tuple[int, int, int, int, int]:
    """Points of completed and of failed tickets, number completed, points for stations, stations lending.

    Tries every way to borrow: each placed station borrows nothing or one route of another player
    that touches its city.
    """
    board, options = game.board, game.options
    component = component_of_city(board, [t for t, owner in enumerate(game.owner) if owner == seat])
    tickets = [board.tickets[t] for t in game.tickets[seat]]
    choices: list[list[tuple[int, int] | None]] = []
    for city in game.station_cities[seat]:
        # A borrowed route matters only by the two parts of the own network that it joins.
        joins = {
            (component[board.tracks[t].a], component[board.tracks[t].b])
            for t in board.tracks_of[city]
            if game.owner[t] not in (-1, seat)
        }
        choices.append([None, *sorted(joins)])

    best: tuple[int, int, int] | None = None
    answer = (0, 0, 0, 0, 0)
    for borrowed in product(*choices):
        joined = join_parts([join for join in borrowed if join is not None])
        won = lost = completed = 0
        for ticket in tickets:
            a, b = component[ticket.a], component[ticket.b]
            if joined.get(a, a) == joined.get(b, b):
                won += ticket.points
                completed += 1
            else:
                lost += ticket.points
        borrowing = sum(join is not None for join in borrowed)
        points = station_points(options, game.stations_left[seat], len(borrowed) - borrowing)
        value = (won - lost + points, completed, -borrowing)
        if best is None or value > best:
            best = value
            answer = (won, lost, completed, points, borrowing)
    return answer


def station_points(options: Options, unplaced: int, placed_unborrowed: int) -> int:
    """Points for stations that were never placed or, by option, lent nothing."""
    if options["stations_per_player"] == 0:
        return 0
    if options["station_bonus"] == "unborrowed":
        unplaced += placed_unborrowed
    points: int = unplaced * options["station_points"]
    return points


def component_of_city(board: Board, tracks: Iterable[int]) -> list[int]:
    """For each city the smallest number of a city that these tracks join it to."""
    joined = join_parts([(board.tracks[t].a, board.tracks[t].b) for t in tracks])
    return [joined.get(city, city) for city in range(len(board.cities))]


def join_parts(pairs: list[tuple[int, int]]) -> dict[int, int]:
    """For each number in a pair the smallest number it is joined to, directly or through others."""
    label = {part: part for pair in pairs for part in pair}
    changed = True
    while changed:
        changed = False
        for a, b in pairs:
            smallest = min(label[a], label[b])
            if label[a] != smallest or label[b] != smallest:
                label[a] = label[b] = smallest
                changed = True
    return label


# Longest path


def edges_of(game: ReferenceGame, seat: int) -> list[Edge]:
    """The tracks of a seat as edges."""
    tracks = game.board.tracks
    return [(tracks[t].a, tracks[t].b, tracks[t].length) for t, o in enumerate(game.owner) if o == seat]


def longest_trail(edges: list[Edge]) -> int:
    """Trains in the longest path that uses each edge at most once and cities as often as it likes."""
    label = join_parts([(a, b) for a, b, _ in edges])
    best = 0
    for part in set(label.values()):
        best = max(best, longest_trail_of_part([edge for edge in edges if label[edge[0]] == part], best))
    return best


def longest_trail_of_part(edges: list[Edge], best: int) -> int:
    """The longest trail of a connected network, or `best` if that is longer.

    A longest trail that does not use everything ends where all edges are used up (else it could be
    made longer), and an end takes up an odd number of edges: it starts in a city with an odd number.
    So with at most two such cities one trail uses everything (Euler); with more, search from each.
    """
    degree: dict[int, int] = {}
    for a, b, _ in edges:
        degree[a] = degree.get(a, 0) + 1
        degree[b] = degree.get(b, 0) + 1
    odd = [city for city in degree if degree[city] % 2]
    if len(odd) <= 2:
        return max(best, sum(length for _, _, length in edges))

    edges = sorted(edges, key=lambda edge: -edge[2])
    at_city: dict[int, list[tuple[int, int, int]]] = {city: [] for city in degree}
    for i, (a, b, length) in enumerate(edges):
        at_city[a].append((1 << i, b, length))
        at_city[b].append((1 << i, a, length))
    seen: set[tuple[int, int]] = set()

    def search(city: int, used: int, length: int) -> None:
        nonlocal best
        # The same edges used and standing at the same city: the same length and the same future.
        if (city, used) in seen:
            return
        seen.add((city, used))
        best = max(best, length)
        if length + most_ahead(at_city, city, used) <= best:
            return
        for bit, other, more in at_city[city]:
            if not used & bit:
                search(other, used | bit, length + more)

    for start in odd:
        search(start, 0, 0)
    return best


def most_ahead(at_city: dict[int, list[tuple[int, int, int]]], start: int, used: int) -> int:
    """An upper bound for a trail from `start` over unused edges.

    It cannot be more than all that can be reached. And of the cities with an odd number of unused
    edges the trail leaves an edge out at each one but its two ends; an edge left out serves two.
    """
    reached = {start}
    queue = [start]
    doubled_total = 0
    least_left_out = []
    for city in queue:
        count, least, total = 0, 99, 0
        for bit, other, length in at_city[city]:
            if used & bit:
                continue
            count += 1
            total += length
            least = min(least, length)
            if other not in reached:
                reached.add(other)
                queue.append(other)
        doubled_total += total
        if count % 2 and city != start:
            least_left_out.append(least)
    if least_left_out:
        least_left_out.remove(max(least_left_out))
    return (doubled_total - sum(least_left_out)) // 2
