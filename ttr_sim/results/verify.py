"""Does every logged game, replayed, end as the tables say?"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_sim.engine.layout import REASONS
from ttr_sim.results.fields import COUNTS, SCORES
from ttr_sim.results.logged import Part, Settings, parts
from ttr_sim.results.reader import Run
from ttr_sim.results.replay import Replayer

FORFEIT = "forfeit"
Value = int | str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """What a table says and what the replay gives. seat: None for what belongs to the whole game."""

    game: int
    seat: int | None
    column: str
    logged: Value
    replayed: Value


@dataclass(frozen=True, slots=True)
class Verdict:
    """games: replayed ones; wrong: those that differ; unplayable: those of which nothing is logged."""

    games: int
    wrong: int
    unplayable: int
    first: Difference | None


def verify(run: Run) -> Verdict:
    """Replay all kept games of a run and compare them with its tables. Raises TtrError that names a damaged file."""
    settings = Settings(run)
    games = unplayable = 0
    wrong: dict[int, Difference] = {}
    for part in parts(run):
        lost = _lost(part)
        unplayable += int(lost.sum())
        games += len(part.games) - int(lost.sum())
        matches, players = part.column("match"), part.column("players")
        for match, count in sorted(set(zip(matches.tolist(), players.tolist(), strict=True))):
            which = (matches == match) & (players == count) & ~lost
            if which.any():
                replayer = Replayer(*settings.of(match), count)
                for difference in _differences(part.only(which), replayer):
                    wrong.setdefault(difference.game, difference)
    return Verdict(games, len(wrong), unplayable, wrong[min(wrong)] if wrong else None)


def _lost(part: Part) -> Any:
    """Tell of which games there is no log: their worker died, or they were not played."""
    return part.games.column("decisions").is_null().to_numpy()


def _differences(part: Part, replayer: Replayer) -> Iterator[Difference]:
    """Yield what differs, the columns that tell most first."""
    played, left = replayer.results(part.column("seed"), *part.actions)
    numbers = part.column("game")
    forfeited = part.column("end") == FORFEIT
    whole = ~forfeited
    illegal = played["forfeit_action"]
    for i in np.flatnonzero((illegal >= 0) | (left > 0)):
        fault = f"action {illegal[i]} is illegal" if illegal[i] >= 0 else f"{left[i]} actions after the end"
        yield Difference(int(numbers[i]), None, "actions", "legal actions to the end", fault)
    yield from _game_columns(part, played, whole)
    players = replayer.players
    seats = part.seats
    for column, name in SCORES.items():
        found = played["scores"][name][:, :players]
        yield from _seat_column(seats, numbers, column, found, whole)
    rank = _ranks(part, played, players)
    yield from _seat_column(seats, numbers, "rank", rank, np.ones_like(whole))
    for column, name in COUNTS.items():
        source = played["scores"] if name in played["scores"].dtype.names else played
        yield from _seat_column(seats, numbers, column, source[name][:, :players], np.ones_like(whole))


def _game_columns(part: Part, played: Any, whole: Any) -> Iterator[Difference]:
    numbers = part.column("game")
    ends = np.array(("unfinished", *REASONS[1:]), object)[played["reason"]]
    decided = part.games.column("decided_by").fill_null(0).to_numpy()
    checks = (
        ("end", part.column("end"), ends, whole),
        ("decided_by", decided, played["scores"]["decided_by"], whole),
        ("turns", part.column("turns"), played["turns"], np.ones_like(whole)),
        ("decisions", part.column("decisions"), played["decisions"], np.ones_like(whole)),
    )
    for column, logged, replayed, where in checks:
        for i in np.flatnonzero(where & (logged != replayed)):
            yield Difference(int(numbers[i]), None, column, _plain(logged[i]), _plain(replayed[i]))
    winners = part.games.column("winners").to_pylist()
    for i in np.flatnonzero(whole):
        won = np.flatnonzero(played["scores"]["rank"][i][: part.column("players")[i]] == 1).tolist()
        if winners[i] != won:
            yield Difference(int(numbers[i]), None, "winners", str(winners[i]), str(won))


def _seat_column(seats: Any, numbers: Any, column: str, replayed: Any, where: Any) -> Iterator[Difference]:
    """Compare a column of `seats`; replayed: (games, players); where: the games in which it must be the same."""
    logged = seats.column(column).cast("int64").fill_null(-(2**15)).to_numpy().reshape(replayed.shape)
    for i, seat in np.argwhere((logged != replayed) & where[:, None]):
        yield Difference(int(numbers[i]), int(seat), column, int(logged[i, seat]), int(replayed[i, seat]))


def _ranks(part: Part, played: Any, players: int) -> Any:
    ranks = played["scores"]["rank"][:, :players].copy()
    forfeiter = part.games.column("forfeit_seat").fill_null(-1).to_numpy()
    for i in np.flatnonzero(forfeiter >= 0):
        ranks[i] = 1
        ranks[i, forfeiter[i]] = players
    return ranks


def _plain(value: Any) -> Value:
    return value if isinstance(value, str) else int(value)
