"""Reading a run: its tables as lazy frames, after every file was checked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from ttr_sim import paths
from ttr_sim.errors import TtrError
from ttr_sim.results import storage
from ttr_sim.results.checksums import wrong_files
from ttr_sim.results.folder import Folder
from ttr_sim.results.info import FINISHED, check_version, games_of, read_info
from ttr_sim.results.schema import GAMES, SEATS, TABLES, TIMING, Table, version_of


@dataclass(frozen=True, slots=True)
class Run:
    """A run on disk. The frames hold the games that are kept, ordered by game (and seat)."""

    folder: Folder
    info: dict[str, Any]

    @property
    def finished(self) -> bool:
        """Whether all games are there."""
        return bool(self.info["status"] == FINISHED)

    @property
    def config(self) -> dict[str, Any]:
        """What the games depend on."""
        config: dict[str, Any] = self.info["config"]
        return config

    def games(self) -> pl.LazyFrame:
        """One row per game (see `ttr_sim.results.schema`)."""
        return self._scan(GAMES)

    def seats(self) -> pl.LazyFrame:
        """One row per seat of each game."""
        return self._of_games(SEATS)

    def timing(self) -> pl.LazyFrame:
        """Times, one row per seat of each game."""
        return self._of_games(TIMING)

    def parts(self, **columns: Sequence[str]) -> Iterator[dict[str, pl.DataFrame]]:
        """Yield the tables part by part, so that memory does not grow with the run.

        columns: the columns to read of each table, by its name; `game` (and `seat`) are always read. Raises
        TtrError that names a damaged file.
        """
        for file in self.folder.parts(GAMES.name):
            yield {name: self._read(file.name, name, wanted) for name, wanted in columns.items()}

    def _read(self, part: str, name: str, wanted: Sequence[str]) -> pl.DataFrame:
        table = {t.name: t for t in TABLES}[name]
        file = self.folder.path / name / part
        frame = _read_columns(file, [*dict.fromkeys([*table.key, *wanted])])
        if self.finished or table is GAMES:
            return frame
        kept = _read_columns(self.folder.path / GAMES.name / part, ["game"])
        return frame.join(kept, on="game", how="semi", maintain_order="left")

    def _scan(self, table: Table) -> pl.LazyFrame:
        files = self.folder.parts(table.name)
        if not files:
            return pl.LazyFrame(pl.from_arrow(table.arrow.empty_table()))
        return storage.scan(files)

    def _of_games(self, table: Table) -> pl.LazyFrame:
        frame = self._scan(table)
        if self.finished:
            return frame
        # A run that was killed may have written a little more here than in `games`.
        return frame.join(self.games().select("game"), on="game", how="semi", maintain_order="left")


def open_run(path: str | Path, as_written: bool = True) -> Run:
    """Open a run folder and check that its files are whole.

    as_written: check also that nothing in them was changed since. Raises TtrError that names the file: not a run folder,
    a part that is missing, truncated, changed or from another schema.
    """
    folder = Folder(storage.place(path))
    run = Run(folder, read_info(folder))
    counts = {table.name: [_rows(file, table) for file in folder.parts(table.name)] for table in TABLES}
    if run.finished:
        _check_complete(run, counts)
    for file in folder.parts(GAMES.name):
        for table in (SEATS, TIMING):
            beside = folder.path / table.name / file.name
            if not beside.is_file():
                raise TtrError(f"{paths.shown(beside)}: is missing")
    for file, what in wrong_files(folder).items() if as_written else ():
        raise TtrError(f"{paths.shown(file)}: {what}")
    return run


def _read_columns(file: Path, columns: list[str]) -> pl.DataFrame:
    try:
        if storage.is_here(file):
            return pl.read_parquet(file, columns=columns)
        with storage.readable(file) as source:  # fetches these columns only
            return pl.DataFrame(pq.read_table(source, columns=columns))
    except (pl.exceptions.PolarsError, OSError) as error:
        raise _damaged(file, error) from None


def read_part(file: Path, table: Table) -> Any:
    """Return the rows of one file as an Arrow table. Raises TtrError when it is damaged."""
    _rows(file, table)
    try:
        with storage.readable(file) as source:
            return pq.read_table(source, schema=table.arrow)
    except (pa.ArrowException, OSError) as error:
        raise _damaged(file, error) from None


def _rows(file: Path, table: Table) -> int:
    """Check the footer of a file and return its number of rows."""
    try:
        with storage.readable(file) as source:
            footer = pq.read_metadata(source)
        schema = footer.schema.to_arrow_schema()
    except (pa.ArrowException, OSError) as error:
        raise _damaged(file, error) from None
    check_version(paths.shown(file), version_of(schema))
    if not schema.equals(table.arrow):
        raise TtrError(f"{paths.shown(file)}: has other columns than the table {table.name} must have")
    return int(footer.num_rows)


def _check_complete(run: Run, counts: dict[str, list[int]]) -> None:
    games, each = games_of(run.info), run.info["part_games"]
    parts = range(games.start // each, -(-games.stop // each))
    for table in TABLES:
        for part in parts:
            file = run.folder.part(table.name, part)
            if not file.is_file():
                raise TtrError(f"{paths.shown(file)}: is missing")
        if len(counts[table.name]) > len(parts):
            extra = run.folder.parts(table.name)[-1]
            raise TtrError(f"{paths.shown(extra)}: does not belong to this run, whose games end before it")
    for part, rows in zip(parts, counts[GAMES.name], strict=True):
        expected = len(range(max(part * each, games.start), min((part + 1) * each, games.stop)))
        if rows != expected:
            file = run.folder.part(GAMES.name, part)
            raise TtrError(f"{paths.shown(file)}: has {rows} games, must have {expected}")


def _damaged(file: Path, error: Exception) -> TtrError:
    return TtrError(f"{paths.shown(file)}: is truncated or damaged: {str(error).splitlines()[0][:200]}")
