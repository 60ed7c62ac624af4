"""A run in its folder: start one or go on with one, and play it to the end."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any

from ttr_sim import paths
from ttr_sim.errors import RunFailed
from ttr_sim.results.folder import Folder, check_new
from ttr_sim.results.info import begin, end, new_info, read_info, write_info
from ttr_sim.results.schema import TABLES
from ttr_sim.results.writer import RunWriter
from ttr_sim.tournament.describe import describe, rebuild
from ttr_sim.tournament.logs import run_log
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.run import PART_GAMES, Hire, Progress, play
from ttr_sim.tournament.workers import Opener


class Session:
    """A plan, the folder its rows go to, and what run.json says of it. Nothing is written before `play`."""

    def __init__(self, folder: Folder, plan: Plan, info: dict[str, Any], writer: RunWriter) -> None:
        self.folder, self.plan, self.info, self._writer = folder, plan, info, writer

    @property
    def kept(self) -> int:
        """How many games are kept."""
        return self._writer.kept

    def play(
        self,
        *,
        workers: int,
        quiet: bool = False,
        progress: Progress | None = None,
        opener: Opener | None = None,
        hire: Hire | None = None,
    ) -> bool:
        """Play the missing games in `workers` processes; returns whether all were played (see `run.play`).

        Raises RunFailed; what was finished before is kept then too, where it can be written.
        """
        make_folders(self.folder)
        begin(self.info, workers)
        write_info(self.folder, self.info)
        before, begun = self._writer.kept, perf_counter()
        with run_log(self.folder.log, quiet), self._closing(before, begun):
            return play(
                self.plan,
                self._writer,
                workers=workers,
                opener=opener,
                missing=self._writer.missing,
                part_games=self.info["part_games"],
                progress=progress,
                hire=hire,
            )

    @contextmanager
    def _closing(self, before: int, begun: float) -> Iterator[None]:
        try:
            yield
        finally:
            try:
                self._writer.flush()
            finally:
                self._note_end(before, begun)

    def _note_end(self, before: int, begun: float) -> None:
        played = self._writer.kept
        end(self.info, played, played - before, perf_counter() - begun, _peak_memory_mib())
        write_info(self.folder, self.info)


def new_session(
    path: Path, plan: Plan, *, part_games: int = PART_GAMES, about: Mapping[str, Any] | None = None
) -> Session:
    """Return the session of a new run. Raises TtrError when the folder cannot take one; writes nothing.

    about: what else run.json shall say of the configuration; it has no influence on the games.
    """
    check_new(path)
    folder, games = Folder(path), plan.schedule.games
    info = new_info(path.name, describe(plan), games, part_games)
    info["asked"] = dict(about or {})
    return Session(folder, plan, info, RunWriter(folder, games, part_games))


def resumed_session(path: Path) -> Session:
    """Return the session of a run that was interrupted. Raises TtrError when it cannot go on."""
    from ttr_sim.results.resume import load_kept

    folder = Folder(path)
    info = read_info(folder)
    plan = rebuild(info["config"], info["games"], paths.shown(folder.info))
    writer = RunWriter(folder, info["games"], info["part_games"])
    load_kept(writer, folder)
    return Session(folder, plan, info, writer)


def make_folders(folder: Folder) -> None:
    """Make the folders of a run. Raises RunFailed."""
    try:
        for table in TABLES:
            (folder.path / table.name).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFailed(f"{folder.shown}: cannot be written: {error.strerror}") from error


def _peak_memory_mib() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
