"""A run in its folder: start one or go on with one, and play it to the end."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

from ttr_sim import paths
from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.results.folder import Folder, check_new, make_folders, only_writer, remove_leftovers
from ttr_sim.results.info import all_games, begin, end, games_of, new_info, read_info, write_info
from ttr_sim.results.schema import EXPLAIN, TABLES, Table
from ttr_sim.results.storage import written_here
from ttr_sim.results.writer import RunWriter
from ttr_sim.tournament.describe import describe, rebuild
from ttr_sim.tournament.logs import run_log
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.precision import Precision
from ttr_sim.tournament.run import PART_GAMES, Hire, Progress, play, stop_signals
from ttr_sim.tournament.shard import Shard
from ttr_sim.tournament.workers import Opener

log = logging.getLogger("ttr_sim.tournament")


class Session:
    """A plan, the folder its rows go to, and what run.json says of it. Nothing is written before `play`.

    rule: ends the run early, if there is one. notes: what is to be logged at the start.
    """

    def __init__(
        self,
        folder: Folder,
        plan: Plan,
        info: dict[str, Any],
        writer: RunWriter,
        rule: Precision | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.folder, self.plan, self.info, self._writer, self.rule = folder, plan, info, writer, rule
        self._notes = notes

    @property
    def kept(self) -> int:
        """How many games are kept."""
        return self._writer.kept

    @property
    def games(self) -> int:
        """How many games are to be there in the end."""
        return len(games_of(self.info))

    def play(
        self,
        *,
        workers: int,
        quiet: bool = False,
        progress: Progress | None = None,
        opener: Opener | None = None,
        hire: Hire | None = None,
    ) -> bool:
        """Play the missing games in `workers` processes; returns whether the run is complete (see `run.play`).

        Raises RunFailed; what was finished before is kept then too, where it can be written.
        """
        make_folders(self.folder, [table.name for table in self._writer.tables])
        with only_writer(self.folder):
            return self._play(workers, quiet, progress, opener, hire)

    def _play(
        self, workers: int, quiet: bool, progress: Progress | None, opener: Opener | None, hire: Hire | None
    ) -> bool:
        remove_leftovers(self.folder)
        begin(self.info, workers)
        write_info(self.folder, self.info)
        before, begun = self._writer.kept, perf_counter()
        with (
            stop_signals() as stopped,
            written_here(self.folder.log) as place,
            run_log(place, quiet, self.folder.log),
            self._closing(before, begun),
        ):
            for note in self._notes:
                log.warning("%s", note)
            return (self.rule is not None and self.rule.reached) or play(
                self.plan,
                self._writer,
                workers=workers,
                opener=opener or (_explaining() if EXPLAIN in self._writer.tables else None),
                missing=self._writer.missing,
                part_games=self.info["part_games"],
                progress=progress,
                hire=hire,
                kept_forfeits=self._kept_forfeits(),
                rule=self.rule,
                stopped=stopped,
            )

    def _kept_forfeits(self) -> list[tuple[int, int]]:
        """Return (game, bot) of the forfeits in the games that are kept, where they are limited."""
        if self.plan.limits.max_forfeits is None or not self.kept:
            return []
        from ttr_sim.results.resume import forfeits

        matches = self.plan.schedule.matches
        return [(game, matches[match].bots[place]) for game, match, place in forfeits(self.folder)]

    @contextmanager
    def _closing(self, before: int, begun: float) -> Iterator[None]:
        try:
            yield
        except BaseException:
            with suppress(RunFailed):  # what went wrong first is what counts
                self._close(before, begun)
            raise
        self._close(before, begun)

    def _close(self, before: int, begun: float) -> None:
        if self.rule and self.rule.reached:
            self._end_here(self.rule.error)
        try:
            self._writer.flush()
            self._writer.release()
        finally:
            self._note_end(before, begun)

    def _end_here(self, error: float) -> None:
        """Let the run be one of the games that are kept."""
        limit, games = self.info["games"], self._writer.kept
        self._writer.end_at(games)
        self.plan = replace(self.plan, schedule=replace(self.plan.schedule, games=games))
        self.info["games"] = games
        self.info["stopped"] = {"by": "until_error", "error": round(error, 2), "limit": limit}

    def _note_end(self, before: int, begun: float) -> None:
        played = self._writer.stored
        end(self.info, played, played - before, perf_counter() - begun, _peak_memory_mib())
        write_info(self.folder, self.info)


def new_session(
    path: Path,
    plan: Plan,
    *,
    part_games: int = PART_GAMES,
    about: Mapping[str, Any] | None = None,
    until_error: float | None = None,
    shard: Shard | None = None,
) -> Session:
    """Return the session of a new run. Raises TtrError when the folder cannot take one; writes nothing.

    about: what else run.json shall say of the configuration; it has no influence on the games. With "explain" in it the
    bots are asked what they thought. until_error: the run ends when half the width of all 95 % intervals is at most so
    many Elo. shard: only this part of the games is played.
    """
    check_new(path)
    folder, games = Folder(path), shard.games(plan) if shard else range(plan.schedule.games)
    info = new_info(path.name, describe(plan), len(games), part_games)
    info["asked"] = {**(about or {}), "until_error": until_error}
    if shard:
        where = {"first_game": games.start, "of_games": plan.schedule.games}
        info["shard"] = {"number": shard.number, "of": shard.of, **where}
    if shard and until_error is not None:
        raise TtrError("--shard cannot be given with --until-error, which looks at all games")
    rule = None if until_error is None else Precision(plan, until_error)
    return Session(folder, plan, info, RunWriter(folder, games, part_games, tables=_tables(info)), rule)


def resumed_session(path: Path) -> Session:
    """Return the session of a run that was interrupted. Raises TtrError when it cannot go on."""
    from ttr_sim.results.resume import load_kept

    folder = Folder(path)
    info = read_info(folder)
    plan = rebuild(info["config"], all_games(info), paths.shown(folder.info))
    writer = RunWriter(folder, games_of(info), info["part_games"], tables=_tables(info))
    notes = load_kept(writer, folder)
    return Session(folder, plan, info, writer, _resumed_rule(path, plan, info, writer), notes)


def _resumed_rule(path: Path, plan: Plan, info: Mapping[str, Any], writer: RunWriter) -> Precision | None:
    """Return the stop rule of an interrupted run, which knows the games that are kept; None without one."""
    until_error = info.get("asked", {}).get("until_error")
    if until_error is None or not writer.missing:
        return None
    from ttr_sim.results.reader import open_run

    if writer.missing[0].start != writer.kept:
        raise TtrError(f"{paths.shown(path)}: is damaged: games between others are missing")
    rule = Precision(plan, until_error)
    rule.go_on(open_run(path).parts(games=["match", "players"], seats=["block", "bot", "rank"]), writer.kept)
    return rule


def _tables(info: Mapping[str, Any]) -> tuple[Table, ...]:
    return (EXPLAIN, *TABLES) if info.get("asked", {}).get("explain") else TABLES


def _explaining() -> Opener:
    from ttr_sim.bot.explained import open_explaining_table

    return open_explaining_table


def _peak_memory_mib() -> int | None:
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
