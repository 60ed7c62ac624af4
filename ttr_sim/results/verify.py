"""Does every logged game, replayed, end as the tables say?"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ttr_sim.bot.forfeit import ranks_after
from ttr_sim.engine.layout import REASONS
from ttr_sim.results.checksums import wrong_files
from ttr_sim.results.fields import COUNTS, SCORES
from ttr_sim.results.logged import Part, Settings, parts
from ttr_sim.results.reader import Run
from ttr_sim.results.replay import Replayer

FORFEIT = "forfeit"
_MISSING = -(2**31)  # no number of a game
Value = int | str | None
Columns = Mapping[str, Any]
Scheduled = Callable[[Mapping[str, Any], Any], tuple[Columns, Columns]]


@dataclass(frozen=True, slots=True)
class Difference:
    """What a table says and what the replay, or run.json, gives. seat: None for what belongs to the whole game."""

    game: int
    seat: int | None
    column: str
    logged: Value
    replayed: Value


@dataclass(frozen=True, slots=True)
class Verdict:
    """games: replayed ones; wrong: those that differ; unplayable: those of which nothing is logged.

    changed: files that are not as they were written, with what is wrong.
    """

    games: int
    wrong: int
    unplayable: int
    first: Difference | None
    changed: dict[Path, str]

    @property
    def good(self) -> bool:
        """Whether everything is as it must be."""
        return not self.wrong and not self.changed


def verify(run: Run, scheduled: Scheduled) -> Verdict:
    """Replay all kept games of a run and compare them with its tables. Raises TtrError that names a damaged file.

    scheduled: see `ttr_sim.tournament.scheduled`; run: may be opened unchecked.
    """
    settings = Settings(run)
    games = unplayable = 0
    wrong: dict[int, Difference] = {}
    for part in parts(run):
        planned, planned_seats = scheduled(run.info, part.column("game"))
        for difference in _unscheduled(part, planned, planned_seats):
            wrong.setdefault(difference.game, difference)
        if len(planned.get("game", ())) != len(part.games):
            continue
        lost = _lost(part)
        unplayable += int(lost.sum())
        games += len(part.games) - int(lost.sum())
        matches, players = planned["match"], planned["players"]
        for match, count in sorted(set(zip(matches.tolist(), players.tolist(), strict=True))):
            which = (matches == match) & ~lost
            if which.any():
                replayer = Replayer(*settings.of(match), count)
                for difference in _differences(part.only(which), replayer):
                    wrong.setdefault(difference.game, difference)
    return Verdict(
        games, len(wrong), unplayable, wrong[min(wrong)] if wrong else None, wrong_files(run.folder)
    )


def _unscheduled(part: Part, games: Columns, seats: Columns) -> Iterator[Difference]:
    """Yield where the tables say other things of who plays what than run.json."""
    numbers = part.column("game")
    strange = np.setdiff1d(numbers, games.get("game", ()))
    if len(strange) or len(np.unique(numbers)) < len(numbers):
        yield Difference(int(numbers[0]), None, "game", f"{strange[:1]}", "games of this run, each once")
        return
    for name, planned in games.items():
        logged = part.column(name)
        for i in np.flatnonzero(logged != planned):
            yield Difference(int(numbers[i]), None, name, _plain(logged[i]), _plain(planned[i]))
    if len(part.seats) != len(seats["game"]):
        yield Difference(int(numbers[0]), None, "seats", len(part.seats), len(seats["game"]))
        return
    for name, planned in seats.items():
        logged = part.seats.column(name).to_numpy()
        for i in np.flatnonzero(logged != planned):
            row = int(seats["game"][i]), int(seats["seat"][i])
            yield Difference(*row, name, _plain(logged[i]), _plain(planned[i]))


def _lost(part: Part) -> Any:
    """Tell of which games there is no log: their worker died, or they were not played."""
    return part.games.column("decisions").is_null().to_numpy()


def _differences(part: Part, replayer: Replayer) -> Iterator[Difference]:
    """Yield what differs, the columns that tell most first."""
    played, left = replayer.results(part.column("seed"), *part.actions)
    numbers, players = part.column("game"), replayer.players
    illegal = played["forfeit_action"]
    for i in np.flatnonzero((illegal >= 0) | (left > 0)):
        fault = f"action {illegal[i]} is illegal" if illegal[i] >= 0 else f"{left[i]} actions after the end"
        yield Difference(int(numbers[i]), None, "actions", "legal actions to the end", fault)
    whole = played["reason"] > 0
    forfeiter = _numbers(part.games, "forfeit_seat")
    ranks = ranks_after(
        played["scores"]["rank"][:, :players], np.arange(players), forfeiter[:, None], players
    )
    yield from _game_columns(part, played, whole, ranks)
    for column, name in SCORES.items():
        found = np.where(whole[:, None], played["scores"][name][:, :players], _MISSING)
        yield from _seat_column(part.seats, numbers, column, found)
    yield from _seat_column(part.seats, numbers, "rank", ranks)
    for column, name in COUNTS.items():
        source = played["scores"] if name in played["scores"].dtype.names else played
        yield from _seat_column(part.seats, numbers, column, source[name][:, :players])


def _game_columns(part: Part, played: Any, whole: Any, ranks: Any) -> Iterator[Difference]:
    numbers = part.column("game")
    winners = part.games.column("winners").to_pylist()
    forfeiter = _numbers(part.games, "forfeit_seat")
    ends = part.column("end")
    replayed = np.array(("unfinished", *REASONS[1:]), object)[played["reason"]]
    lost = (forfeiter >= 0) & (forfeiter < ranks.shape[1])
    checks = (
        ("end", ends, np.where(~whole & (ends == FORFEIT), FORFEIT, replayed)),
        ("forfeit_seat", forfeiter, np.where(whole | ~lost, np.where(whole, _MISSING, 0), forfeiter)),
        (
            "decided_by",
            _numbers(part.games, "decided_by"),
            np.where(whole, played["scores"]["decided_by"], _MISSING),
        ),
        ("turns", part.column("turns"), played["turns"]),
        ("decisions", part.column("decisions"), played["decisions"]),
        ("winners", list(map(str, winners)), [str(np.flatnonzero(rank == 1).tolist()) for rank in ranks]),
    )
    for column, logged, found in checks:
        for i in np.flatnonzero(np.asarray(logged) != np.asarray(found)):
            yield Difference(int(numbers[i]), None, column, _plain(logged[i]), _plain(found[i]))


def _seat_column(seats: Any, numbers: Any, column: str, replayed: Any) -> Iterator[Difference]:
    """Compare a column of `seats`; replayed: (games, players)."""
    logged = _numbers(seats, column).reshape(replayed.shape)
    for i, seat in np.argwhere(logged != replayed):
        values = _plain(logged[i, seat]), _plain(replayed[i, seat])
        yield Difference(int(numbers[i]), int(seat), column, *values)


def _numbers(rows: Any, column: str) -> Any:
    return rows.column(column).cast("int64").fill_null(_MISSING).to_numpy()


def _plain(value: Any) -> Value:
    if isinstance(value, str):
        return str(value)
    return None if value == _MISSING else int(value)
