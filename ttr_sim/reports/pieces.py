"""The games of runs in pieces: whole blocks on one board, under one set of rules, with equally many players."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ttr_sim.board import Board
from ttr_sim.errors import TtrError
from ttr_sim.results.events import Recorder
from ttr_sim.results.fields import COUNTS, SCORES
from ttr_sim.results.logged import Part, Settings, parts
from ttr_sim.results.reader import Run, read_part
from ttr_sim.results.schema import GAMES, TIMING
from ttr_sim.rules import Rules

# Games of a piece: few enough that what is made of them stays in the processor's cache.
PIECE = 2000

ENDS = ("final_round", "exhausted", "all_passed", "turn_limit", "forfeit", "worker_died", "not_played")
_UNPLAYED = ENDS.index("forfeit")
_GAME_COLUMNS = ("game", "block", "match", "players", "seed")
_SEAT_COLUMNS = ("rank", *SCORES, *COUNTS)
_TIMES = ("think_ns", "slowest_ns")


@dataclass(frozen=True, eq=False)
class Scene:
    """What games must share to be counted together. name: what tells it from the others of a report."""

    board: Board
    rules: Rules
    players: int
    name: str

    @cached_property
    def recorder(self) -> Recorder:
        """What replays its games."""
        return Recorder(self.board, self.rules, self.players)


@dataclass(frozen=True, eq=False)
class Piece:
    """Games of one scene, ascending; of every block there are all the games that were played.

    columns: arrays whose first axis is the games. Those of seats have the shape (games, players) and are NaN where
    the tables have nothing. `bot` numbers the bots of all runs; `end` is an index of ENDS; `first` is the share of the
    first place. The actions of game i are log[log_start[i] : log_end[i]].
    """

    scene: Scene
    run: str
    log: Any
    columns: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.columns["game"])

    @cached_property
    def starts(self) -> Any:
        """The first game of every block."""
        return np.flatnonzero(np.diff(self["block"], prepend=-1))

    def sums(self, values: Any) -> Any:
        """Sums over the games of every block; values: shape (games, ...)."""
        return np.add.reduceat(values, self.starts, axis=0, dtype=np.float64)

    def by_bot(self) -> Iterator[tuple[int, Any]]:
        """Every bot with the seats it has, shape (games, players)."""
        for bot in np.unique(self["bot"]):
            yield int(bot), self["bot"] == bot

    def only(self, which: Any) -> "Piece":
        """The games where `which` holds."""
        if which.all():
            return self
        return self.with_columns({name: values[which] for name, values in self.columns.items()})

    def with_columns(self, columns: Mapping[str, Any]) -> "Piece":
        """The same games with other or further columns."""
        return replace(self, columns={**self.columns, **columns})

    def played(self) -> "Piece":
        """The games that were played to their end, with their EVENTS. Raises TtrError where a log is wrong."""
        piece = self.only(self["end"] < _UNPLAYED)
        lengths = piece["log_end"] - piece["log_start"]
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        places = np.arange(offsets[-1]) + np.repeat(piece["log_start"] - offsets[:-1], lengths)
        events = piece.scene.recorder.record(piece["seed"], piece.log[places], offsets)
        for game in piece["game"][~events["whole"]][:1]:
            raise TtrError(
                f"{piece.run}: game {game}: its logged actions do not lead to its end; ttr-sim verify tells more"
            )
        return piece.with_columns({name: events[name] for name in events.dtype.names})


class Pieces:
    """All games of some runs, in pieces; may be gone through more than once.

    bots: the bots of all runs; names: for each run its labels and what they are called (see `bot_names`).
    """

    def __init__(self, runs: Sequence[Run], names: Sequence[Mapping[str, str]]) -> None:
        self.bots = tuple(dict.fromkeys(name for own in names for name in own.values()))
        self._runs, self._names = runs, names
        self._settings = [Settings(run) for run in runs]
        self._scenes: dict[tuple[str, str, int], Scene] = {}

    @property
    def scenes(self) -> list[Scene]:
        """The scenes met so far."""
        return list(self._scenes.values())

    def __iter__(self) -> Iterator[Piece]:
        for run, names, settings in zip(self._runs, self._names, self._settings, strict=True):
            codes = {label: self.bots.index(name) for label, name in names.items()}
            for rows in _whole_blocks(run):
                log, columns = _columns(rows, codes)
                for first, last in _cuts(columns["block"]):
                    yield from self._pieces(run, settings, log, columns, slice(first, last))

    def _pieces(
        self, run: Run, settings: Settings, log: Any, columns: Mapping[str, Any], games: slice
    ) -> Iterator[Piece]:
        own = {name: values[games] for name, values in columns.items()}
        kinds, inverse = np.unique(np.stack([own["match"], own["players"]]), axis=1, return_inverse=True)
        scenes = [self._scene(settings, int(match), int(players)) for match, players in kinds.T]
        for scene in dict.fromkeys(scenes):
            which = np.isin(inverse.ravel(), [i for i, other in enumerate(scenes) if other is scene])
            kept = {
                name: values[which][:, : scene.players] if name in _BY_SEAT else values[which]
                for name, values in own.items()
            }
            yield Piece(scene, run.folder.shown, log, kept)

    def _scene(self, settings: Settings, match: int, players: int) -> Scene:
        board, rules = settings.of(match)
        key = board.sha256, rules.sha256, players
        if key not in self._scenes:
            self._scenes[key] = Scene(board, rules, players, self._scene_name(board, rules, players))
        return self._scenes[key]

    def _scene_name(self, board: Board, rules: Rules, players: int) -> str:
        rules_name = "" if rules.name == board.name else f", rules {rules.name}"
        name = f"{board.name}{rules_name}, {players} players"
        taken = [scene.name for scene in self._scenes.values()]
        return name if name not in taken else f"{name} ({board.sha256[:4]}{rules.sha256[:4]})"


_BY_SEAT = {"bot", "first", *_SEAT_COLUMNS, *_TIMES}


@dataclass(frozen=True)
class _Rows:
    """Arrow tables of the same games."""

    games: Any
    seats: Any
    timing: Any

    def cut(self, game: int) -> "tuple[_Rows, _Rows]":
        """The first `game` games, and the others."""
        seat = pc.sum(self.games.column("players")[:game]).as_py() or 0
        tables = ((self.games, game), (self.seats, seat), (self.timing, seat))
        return _Rows(*(t.slice(0, n) for t, n in tables)), _Rows(*(t.slice(n) for t, n in tables))

    def joined(self, after: "_Rows") -> "_Rows":
        """These games, then those of `after`."""
        pairs = ((self.games, after.games), (self.seats, after.seats), (self.timing, after.timing))
        return _Rows(*(pa.concat_tables(pair) for pair in pairs))


def _whole_blocks(run: Run) -> Iterator[_Rows]:
    """Yield the games of a run about as its files hold them, but never a block in two."""
    held: _Rows | None = None
    for part, file in zip(parts(run), run.folder.parts(GAMES.name), strict=True):
        rows = _Rows(part.games, part.seats, _timing(run, part, file))
        rows = held.joined(rows) if held else rows
        blocks = rows.games.column("block").to_numpy()
        whole, held = rows.cut(int(np.searchsorted(blocks, blocks[-1]))) if len(blocks) else (rows, None)
        if len(whole.games):
            yield whole
    if held:
        yield held


def _timing(run: Run, part: Part, file: Path) -> Any:
    path = run.folder.path / TIMING.name / file.name
    rows = read_part(path, TIMING)
    # A run that was killed may have written a little more here than in `games`.
    rows = rows.filter(pc.is_in(rows.column("game"), part.games.column("game")))
    if len(rows) != len(part.seats):
        raise TtrError(f"{path}: has not one row for each seat of its games")
    return rows


def _columns(rows: _Rows, codes: Mapping[str, int]) -> tuple[Any, dict[str, Any]]:
    """Return the log of all games, and the columns of a Piece, those of seats padded to the most players."""
    part = Part(rows.games, rows.seats)
    log, offsets = part.actions
    columns = {name: part.column(name) for name in _GAME_COLUMNS}
    columns |= {"log_start": offsets[:-1], "log_end": offsets[1:]}
    columns["end"] = _coded(rows.games.column("end"), {end: code for code, end in enumerate(ENDS)})
    columns["turns"] = rows.games.column("turns").fill_null(0).to_numpy()
    columns["decided_by"] = rows.games.column("decided_by").fill_null(0).to_numpy()
    columns["forfeit_seat"] = rows.games.column("forfeit_seat").fill_null(-1).to_numpy()
    players = columns["players"].astype(np.int64)
    game = np.repeat(np.arange(len(players)), players)
    seat = rows.seats.column("seat").to_numpy()

    def by_seat(values: Any, missing: float) -> Any:
        table = np.full((len(players), int(players.max())), missing, values.dtype)
        table[game, seat] = values
        return table

    columns["bot"] = by_seat(_coded(rows.seats.column("bot"), codes), -1)
    for table, names in ((rows.seats, _SEAT_COLUMNS), (rows.timing, _TIMES)):
        for name in names:
            values = table.column(name).cast("float64").to_numpy(zero_copy_only=False)
            columns[name] = by_seat(values, np.nan)
    winners = columns["rank"] == 1
    count = winners.sum(axis=1, keepdims=True)
    known = ~np.isnan(columns["rank"])
    columns["first"] = np.where(known, winners / np.maximum(count, 1), np.nan)
    return log, columns


def _coded(texts: Any, codes: Mapping[str, int]) -> Any:
    """Return the codes of a column of texts."""
    encoded = texts.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    table = np.array([codes[text] for text in encoded.dictionary.to_pylist()], np.int64)
    return table[encoded.indices.to_numpy()] if len(table) else np.zeros(0, np.int64)


def _cuts(block: Any) -> Iterator[tuple[int, int]]:
    """Yield first and last game of pieces of about PIECE games, whole blocks each."""
    first = 0
    while first < len(block):
        last = min(first + PIECE, len(block))
        last = int(np.searchsorted(block, block[last - 1], side="right"))
        yield first, last
        first = last
