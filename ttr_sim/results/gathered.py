"""Who won what: the seat rows of one or several runs as arrays, checked while they are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ttr_sim import paths
from ttr_sim.errors import TtrError
from ttr_sim.results.info import games_of
from ttr_sim.results.reader import Run
from ttr_sim.results.schema import GAMES, SEATS, TIMING
from ttr_sim.results.together import content_of, setting_content
from ttr_sim.stats.arrays import by_size

Ints = NDArray[np.int64]

_SEAT_COLUMNS = ("block", "bot", "rank", "score", "decisions")


@dataclass(frozen=True, slots=True)
class Rows:
    """Seat rows that have a result, ordered by game, in small types; score and margin are NaN where missing.

    game, block: numbers that are unique over all runs. bot, setting: indices into the names of `Gathered`. stratum: a
    number for run and setting. margin: score less the best other. first: share of the first place.
    """

    game: Ints
    block: Ints
    seat: NDArray[np.int8]
    bot: NDArray[np.int16]
    rank: NDArray[np.int8]
    setting: NDArray[np.int16]
    stratum: NDArray[np.int32]
    score: NDArray[np.float32]
    margin: NDArray[np.float32]
    first: NDArray[np.float32]

    def where(self, chosen: NDArray[np.bool_]) -> "Rows":
        """Return the chosen rows."""
        return Rows(**{field.name: getattr(self, field.name)[chosen] for field in fields(self)})


@dataclass(frozen=True, slots=True)
class Gathered:
    """Rows, the names of bots and of settings (board, rules), and by setting and bot their thinking.

    think_ns, decisions: shape (settings, bots).
    """

    rows: Rows
    bots: tuple[str, ...]
    settings: tuple[tuple[str, str], ...]
    think_ns: Ints
    decisions: Ints


def bot_names(runs: Sequence[Run]) -> list[dict[str, str]]:
    """Return for each run its labels and what they are called; different bots of one label get their hash."""
    kinds: dict[str, set[str]] = {}
    for run in runs:
        for bot in run.config["bots"]:
            kinds.setdefault(bot["label"], set()).add(content_of(bot))
    return [
        {
            bot["label"]: bot["label"]
            if len(kinds[bot["label"]]) == 1
            else f"{bot['label']}@{bot['sha256'][:7]}"
            for bot in run.config["bots"]
        }
        for run in runs
    ]


def setting_names(runs: Sequence[Run]) -> list[list[tuple[str, str]]]:
    """Return for each run the names of board and rules of its settings; different ones of one name get their hash."""
    kinds: dict[tuple[str, str], set[str]] = {}
    for run in runs:
        for setting in run.config["settings"]:
            kinds.setdefault((setting["board"], setting["rules"]), set()).add(setting_content(setting))
    return [
        [
            (s["board"], s["rules"])
            if len(kinds[s["board"], s["rules"]]) == 1
            else (f"{s['board']}@{s['board_sha256'][:7]}", f"{s['rules']}@{s['rules_sha256'][:7]}")
            for s in run.config["settings"]
        ]
        for run in runs
    ]


def gather(runs: Sequence[Run]) -> Gathered:
    """Return the games of all runs together. Raises TtrError that names the file in which something is wrong."""
    names, places = bot_names(runs), setting_names(runs)
    bots = tuple(dict.fromkeys(name for own in names for name in own.values()))
    settings = tuple(dict.fromkeys(name for own in places for name in own))
    pieces, games, strata = [], 0, 0
    think_ns, decisions = (np.zeros((len(settings), len(bots)), np.int64) for _ in range(2))
    for run, own, own_places in zip(runs, names, places, strict=True):
        codes = _Codes(run, {label: bots.index(name) for label, name in own.items()},
                       [settings.index(name) for name in own_places], strata, games)  # fmt: skip
        for file, part in zip(run.folder.parts(GAMES.name), _parts(run), strict=True):
            piece, setting, bot = codes.piece(file.name, part)
            pieces.append(piece)
            np.add.at(decisions, (setting, bot), part["seats"]["decisions"].fill_null(0).to_numpy())
            np.add.at(think_ns, (setting, bot), part["timing"]["think_ns"].fill_null(0).to_numpy())
        games += games_of(run.info).stop  # as many numbers as games are enough for the blocks too
        strata += len(own_places)
    columns = {
        field.name: np.concatenate([np.empty(0, np.int8), *(getattr(piece, field.name) for piece in pieces)])
        for field in fields(Rows)
    }
    return Gathered(Rows(**columns), bots, settings, think_ns, decisions)


def _parts(run: Run) -> Any:
    return run.parts(games=["match"], seats=_SEAT_COLUMNS, timing=["think_ns"])


class _Codes:
    """Turns the parts of a run into rows, with the numbers that bots and settings have among all runs."""

    def __init__(
        self, run: Run, bots: Mapping[str, int], settings: list[int], stratum: int, offset: int
    ) -> None:
        matches = run.config["matches"]
        self._run, self._bots, self._offset = run, bots, offset
        self._own = np.array([match["setting"] for match in matches], np.int64)
        self._settings: NDArray[np.int16] = np.array(settings, np.int16)[self._own]
        self._players = np.array([len(match["bots"]) for match in matches], np.int64)
        self._stratum = stratum

    def piece(self, name: str, part: Mapping[str, pl.DataFrame]) -> tuple[Rows, NDArray[Any], NDArray[Any]]:
        """Return the rows of a part that have a result; setting and bot of all its rows."""
        games, seats = part["games"], part["seats"]
        match, players = self._check(name, games, seats, part["timing"])
        bot = self._bot(name, seats)
        setting = np.repeat(self._settings[match], players)
        stratum = np.repeat(self._own[match] + self._stratum, players)
        rank = seats["rank"].fill_null(0).to_numpy()
        known = rank > 0
        game, score = seats["game"].to_numpy(), seats["score"].cast(pl.Float32).fill_null(np.nan).to_numpy()
        margin, first = _per_game(game[known], rank[known], score[known])
        rows = Rows(
            game=game[known] + self._offset,
            block=seats["block"].to_numpy()[known] + self._offset,
            seat=seats["seat"].to_numpy()[known],
            bot=bot[known],
            rank=rank[known],
            setting=setting[known],
            stratum=stratum[known].astype(np.int32),
            score=score[known],
            margin=margin,
            first=first,
        )
        return rows, setting, bot

    def _check(
        self, name: str, games: pl.DataFrame, seats: pl.DataFrame, timing: pl.DataFrame
    ) -> tuple[Ints, Ints]:
        """Return match and players of each game, after making sure that every game has its seats."""
        match, number = games["match"].to_numpy(), games["game"].to_numpy()
        if len(match) and not 0 <= match.min() <= match.max() < len(self._players):
            raise self._wrong(GAMES.name, name, "has games of a match that run.json does not name")
        if np.any(np.diff(number) <= 0):
            raise self._wrong(GAMES.name, name, "has games that are not in order")
        players = self._players[match]
        seat = np.arange(players.sum()) - np.repeat(np.cumsum(players) - players, players)
        for table, frame in ((SEATS, seats), (TIMING, timing)):
            same = len(frame) == len(seat) and np.array_equal(
                frame["game"].to_numpy(), np.repeat(number, players)
            )
            if not same or not np.array_equal(frame["seat"].to_numpy(), seat):
                raise self._wrong(
                    table.name, name, f"does not have a row for every seat of the games in {name}"
                )
        rank = (
            seats["rank"].to_numpy()
            if not seats["rank"].null_count()
            else seats["rank"].fill_null(0).to_numpy()
        )
        some = np.add.reduceat(rank > 0, np.cumsum(players) - players) if len(players) else players
        if np.any((some > 0) & (some < players)) or (
            len(rank) and not 0 <= rank.min() <= rank.max() <= players.max()
        ):
            raise self._wrong(SEATS.name, name, "has ranks that cannot be")
        return match, players

    def _bot(self, name: str, seats: pl.DataFrame) -> NDArray[np.int16]:
        strangers = set(seats["bot"].unique().to_list()) - set(self._bots)
        if strangers:
            raise self._wrong(
                SEATS.name, name, f"has games of {min(strangers)!r}, which is no bot of this run"
            )
        bots: NDArray[np.int16] = seats["bot"].replace_strict(self._bots, return_dtype=pl.Int16).to_numpy()
        return bots

    def _wrong(self, table: str, name: str, what: str) -> TtrError:
        file: Path = self._run.folder.path / table / name
        return TtrError(f"{paths.shown(file)}: is damaged: {what}")


def _per_game(game: Ints, rank: NDArray[Any], score: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return each seat's margin over the best other seat, and its share of the first place."""
    margin, first = np.full(len(game), np.nan, np.float32), np.zeros(len(game), np.float32)
    for rows in by_size(game):
        leads = rank[rows] == rank[rows].min(axis=1, keepdims=True)
        first[rows] = leads / leads.sum(axis=1, keepdims=True)
        if rows.shape[1] > 1:
            scores = score[rows]
            second, best = np.sort(scores, axis=1)[:, -2:].T[:, :, None]
            margin[rows] = scores - np.where(scores == best, second, best)
    return margin, first
