"""Writing the tables of a run: rows in any order in, part files out whose bytes depend on the rows alone."""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from io import BytesIO
from time import monotonic
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim.results import checksums
from ttr_sim.results.folder import Folder, write_whole
from ttr_sim.results.schema import GAMES, I8, TABLES, U8, Column, Table, to_arrow

FLUSH_SECONDS = 10.0
_FLUSH_SHARE = 20  # a flush may take one part in so many of the time
_ROW_GROUP = 65_536
_ZSTD_LEVEL = 1
_ALL_DIFFERENT = (I8, U8)  # columns of these types repeat too little for a dictionary


class Rows(Protocol):
    """Rows of the games first, first + 1, ...: for each table its columns, as `to_arrow` takes them."""

    @property
    def first(self) -> int:
        """The number of the first game."""

    @property
    def games(self) -> int:
        """How many games."""

    @property
    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        """Columns by table and name."""


class _Part:
    """The games kept so far of a part that is not complete."""

    def __init__(self) -> None:
        self.segments: dict[int, dict[str, Any]] = {}
        self.games = 0
        self.dirty = False

    def add(self, first: int, games: int, tables: dict[str, Any]) -> None:
        self.segments[first] = tables
        self.games += games
        self.dirty = True

    def table(self, name: str) -> Any:
        """Return all rows, ordered by game."""
        ordered = [self.segments[first][name] for first in sorted(self.segments)]
        return pa.concat_tables(ordered).combine_chunks()


class RunWriter:
    """Keeps the rows of finished games in part files of `part_games` games, cut at multiples of that number.

    A part that is not complete is written as far as it is from time to time, and replaced as a whole when it
    grew, so that every file can be read at any moment and the last state does not depend on how often.
    A complete one is written by a thread: call `flush` at the end.
    `games` are the numbers of the games of the run, `tables` those to keep, GAMES last. Methods raise RunFailed when a file
    cannot be written, or could not since the last call.
    """

    def __init__(
        self,
        folder: Folder,
        games: range,
        part_games: int,
        flush_seconds: float = FLUSH_SECONDS,
        tables: Sequence[Table] = TABLES,
    ) -> None:
        self.tables = tuple(tables)
        self._folder, self._games, self._part_games = folder, games, part_games
        self._flush_seconds = flush_seconds
        self._open: dict[int, _Part] = {}
        self._complete: set[int] = set()
        self._flushed, self._cost = monotonic(), 0.0
        # Workers that have finished a batch would wait for whoever writes a part.
        self._thread = ThreadPoolExecutor(1, "writer")
        self._writing: tuple[int, Future[None]] | None = None

    @property
    def missing(self) -> list[range]:
        """The games that are not kept yet, as ascending ranges."""
        gaps: list[range] = []
        for part in self._parts():
            if part not in self._complete:
                gaps += self._gaps(part)
        return gaps

    @property
    def kept(self) -> int:
        """How many games are kept."""
        return len(self._games) - sum(map(len, self.missing))

    @property
    def stored(self) -> int:
        """How many games are in part files that are up to date."""
        return self.kept - sum(part.games for part in self._open.values() if part.dirty)

    def end_at(self, games: int) -> None:
        """Let the run end before the game of this number; no game from there on was added."""
        self._games = range(self._games.start, games)

    def add(self, rows: Rows) -> None:
        """Keep the rows of games of one part; writes the part when it is complete."""
        self.add_tables(rows.first, {t.name: to_arrow(t, rows.tables[t.name]) for t in self.tables})

    def add_tables(self, first: int, tables: dict[str, Any]) -> None:
        """Keep the rows of the games first, first + 1, ... of one part, given as Arrow tables by name."""
        number = first // self._part_games
        part = self._open.setdefault(number, _Part())
        part.add(first, tables[GAMES.name].num_rows, tables)
        if part.games == len(self._range(number)):
            self._settle()
            self._writing = number, self._thread.submit(self._write, number)

    def tick(self) -> None:
        """Write what is not written yet, if it is time."""
        if monotonic() - self._flushed > max(self._flush_seconds, _FLUSH_SHARE * self._cost):
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet."""
        begun = monotonic()
        self._settle()
        for number, part in sorted(self._open.items()):
            if part.dirty:
                self._write(number)
        self._flushed = monotonic()
        self._cost = self._flushed - begun

    def release(self) -> None:
        """Give the memory back that writing took; call it after the last `flush`."""
        pa.default_memory_pool().release_unused()

    def load(self, part: int, segments: Mapping[int, tuple[int, dict[str, Any]]]) -> None:
        """Take over what an earlier writer kept of a part: (games, Arrow tables) by number of the first game."""
        kept = self._open.setdefault(part, _Part())
        for first, (games, tables) in segments.items():
            kept.add(first, games, tables)
        kept.dirty = False
        if kept.games == len(self._range(part)):
            del self._open[part]
            self._complete.add(part)

    def _settle(self) -> None:
        """Wait until the complete part is written that is being written. Raises RunFailed when it cannot be."""
        if not self._writing:
            return
        number, written = self._writing
        wait([written])  # whoever is interrupted here, and flushes then, waits again
        self._writing = None
        written.result()
        del self._open[number]
        self._complete.add(number)

    def _parts(self) -> range:
        return range(self._games.start // self._part_games, -(-self._games.stop // self._part_games))

    def _range(self, part: int) -> range:
        first = max(part * self._part_games, self._games.start)
        return range(first, min((part + 1) * self._part_games, self._games.stop))

    def _gaps(self, part: int) -> list[range]:
        whole, gaps = self._range(part), []
        at = whole.start
        segments = self._open[part].segments if part in self._open else {}
        for first in sorted(segments):
            if first > at:
                gaps.append(range(at, first))
            at = first + segments[first]["games"].num_rows
        return [*gaps, range(at, whole.stop)] if at < whole.stop else gaps

    def _write(self, number: int) -> None:
        part = self._open[number]
        contents = {table.name: _parquet(table, part.table(table.name)) for table in self.tables}
        checksums.announce(self._folder, number, contents)
        for name, content in contents.items():
            write_whole(self._folder.part(name, number), content)
        checksums.confirm(self._folder, number, contents)
        part.dirty = False


def _parquet(table: Table, rows: Any) -> bytes:
    file = BytesIO()
    pq.write_table(
        rows,
        file,
        row_group_size=_ROW_GROUP,
        compression="zstd",
        compression_level=_ZSTD_LEVEL,
        use_dictionary=[_leaf(column) for column in table.columns if column.type not in _ALL_DIFFERENT],
    )
    return file.getvalue()


def _leaf(column: Column) -> str:
    """Return the name under which Parquet knows the values of a column."""
    return f"{column.name}.list.element" if pa.types.is_list(column.type) else column.name
