"""Finished games as arrays: what a worker sends back."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ttr_sim.bot.explain import Thought
from ttr_sim.bot.forfeit import ranks_after
from ttr_sim.bot.play import BatchResult

Array = NDArray[Any]

FORFEIT, WORKER_DIED, NOT_PLAYED = 0, -1, -2  # values of `reason` beside the engine's own

_GAME = {"reason": "i1", "turns": "i4", "decisions": "i4", "forfeit_seat": "i1", "wall_ns": "i8"}
_SEAT = {
    "score": "i2",
    "rank": "i1",
    "routes": "i2",
    "tickets_won": "i2",
    "tickets_lost": "i2",
    "longest_bonus": "i2",
    "globetrotter": "i2",
    "all_trains": "i2",
    "stations_points": "i2",
    "completed": "i1",
    "failed": "i1",
    "tickets_kept": "i1",
    "longest": "i2",
    "tracks": "i2",
    "trains_left": "i1",
    "stations_placed": "i1",
    "seat_decisions": "i4",
    "cards_drawn": "i4",
    "think_ns": "i8",
    "slowest_ns": "i8",
}


@dataclass(frozen=True, slots=True)
class Games:
    """Games of consecutive numbers or of one match.

    game: arrays of shape (n,), by name. seat: arrays of shape (sum of players,), game by game and seat by seat.
    players: (n,). actions, offsets: game i has actions[offsets[i] : offsets[i + 1]]. faults: why a game was
    forfeited, by its index; tracebacks: of some of them. seconds: time it took to play them. thoughts: what the bots
    thought, by index of the game, if they were asked. Of a game that is not `logged` (bool, a column of `game`) nothing
    is known but who forfeited it, if anybody; its numbers are 0.
    """

    players: Array
    game: dict[str, Array]
    seat: dict[str, Array]
    actions: Array
    offsets: Array
    faults: dict[int, str]
    tracebacks: dict[int, str] = field(default_factory=dict)
    seconds: float = 0.0
    thoughts: dict[int, list[Thought]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.players)

    @property
    def seats(self) -> Array:
        """The number of the seat of each entry of `seat`."""
        starts = np.cumsum(self.players) - self.players
        numbers: Array = np.arange(self.players.sum()) - np.repeat(starts, self.players)
        return numbers

    def each_seat(self, values: Array) -> Array:
        """Return values of the games for each of their seats."""
        return np.repeat(values, self.players)

    @property
    def ranks(self) -> Any:
        """The final rank of each seat, masked in a game that has no result."""
        forfeiter, players = self.each_seat(self.game["forfeit_seat"]), self.each_seat(self.players)
        ranks = ranks_after(self.seat["rank"], self.seats, forfeiter, players)
        return np.ma.MaskedArray(ranks, mask=self.each_seat(self.game["reason"] < 0))


def from_result(result: BatchResult) -> Games:
    """Return the games of one call of `Table.play`."""
    played = result.played
    game = {name: played[name].astype(kind) for name, kind in _GAME.items()}
    game["decided_by"] = played["scores"]["decided_by"].astype("i1")
    game["reason"][game["forfeit_seat"] >= 0] = FORFEIT
    game["logged"] = np.ones(len(played), bool)
    return Games(
        players=np.full(len(played), result.players, np.int64),
        game=game,
        seat={name: result.seats(name).astype(kind).reshape(-1) for name, kind in _SEAT.items()},
        actions=result.actions,
        offsets=result.offsets,
        faults=dict(result.forfeits),
        tracebacks=dict(result.tracebacks),
        thoughts=dict(enumerate(getattr(result, "thoughts", ()))),
    )


def lost(players: int, seat: int, fault: str) -> Games:
    """Return the one game that kills every worker that plays it; `seat` is to blame (-1: not known)."""
    games = unplayed(np.array([players]))
    games.game["forfeit_seat"][0] = seat
    games.game["reason"][0] = FORFEIT if seat >= 0 else WORKER_DIED
    games.faults[0] = fault
    return games


def unplayed(players: Array) -> Games:
    """Return games that are not played, of so many players each."""
    n, seats = len(players), int(players.sum())
    game = {name: np.zeros(n, kind) for name, kind in {**_GAME, "decided_by": "i1", "logged": "?"}.items()}
    game["reason"][:], game["forfeit_seat"][:] = NOT_PLAYED, -1
    seat = {name: np.zeros(seats, kind) for name, kind in _SEAT.items()}
    return Games(players, game, seat, np.zeros(0, np.int16), np.zeros(n + 1, np.int64), {})


def without(games: Games, which: Array) -> Games:
    """Return the games as if those where `which` (booleans) holds had not been played."""
    blank, lengths, seats = unplayed(games.players), np.diff(games.offsets), games.each_seat(which)

    def others(of: dict[int, Any]) -> dict[int, Any]:
        return {i: thing for i, thing in of.items() if not which[i]}

    return replace(
        games,
        game={name: np.where(which, blank.game[name], values) for name, values in games.game.items()},
        seat={name: np.where(seats, blank.seat[name], values) for name, values in games.seat.items()},
        actions=games.actions[~np.repeat(which, lengths)],
        offsets=np.concatenate([[0], np.cumsum(np.where(which, 0, lengths))]),
        faults=others(games.faults),
        tracebacks=others(games.tracebacks),
        thoughts=others(games.thoughts),
    )


def merge(parts: Sequence[Games], places: Sequence[Array]) -> Games:
    """Return games played match by match in the order of their numbers; places[i]: numbers of parts[i]."""
    if len(parts) == 1:
        return parts[0]
    place = np.concatenate(list(places))
    order = np.argsort(place)
    players = np.concatenate([part.players for part in parts])
    by_seat = np.argsort(np.repeat(place, players), kind="stable")
    lengths = np.concatenate([np.diff(part.offsets) for part in parts])
    actions, offsets = _reordered(np.concatenate([part.actions for part in parts]), lengths, order)
    start = place.min()

    def by_number(of: Sequence[dict[int, Any]]) -> dict[int, Any]:
        return {int(places[p][i] - start): thing for p, part in enumerate(of) for i, thing in part.items()}

    return Games(
        players=players[order],
        game={name: np.concatenate([part.game[name] for part in parts])[order] for name in parts[0].game},
        seat={name: np.concatenate([part.seat[name] for part in parts])[by_seat] for name in parts[0].seat},
        actions=actions,
        offsets=offsets,
        faults=by_number([part.faults for part in parts]),
        tracebacks=by_number([part.tracebacks for part in parts]),
        thoughts=by_number([part.thoughts for part in parts]),
    )


def _reordered(values: Array, lengths: Array, order: Array) -> tuple[Array, Array]:
    """Return lists laid end to end, and their offsets, in another order."""
    starts = np.cumsum(lengths) - lengths
    offsets = np.concatenate([[0], np.cumsum(lengths[order])])
    index = np.repeat(starts[order] - offsets[:-1], lengths[order]) + np.arange(offsets[-1])
    return values[index], offsets
