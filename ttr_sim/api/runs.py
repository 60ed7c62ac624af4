"""Runs: play one, go on with one, open one, and what is in it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ttr_sim.errors import TtrError

if TYPE_CHECKING:
    import polars as pl

    from ttr_sim.api.games import LoggedGame
    from ttr_sim.board import Board
    from ttr_sim.results.leaderboard import Leaderboard
    from ttr_sim.results.verify import Verdict
    from ttr_sim.rules import Rules
    from ttr_sim.tournament.schedule import Format
    from ttr_sim.tournament.session import Session


def run(
    bots: Sequence[str | Path],
    games: int = 1000,
    *,
    board: "str | Path | Board | None" = None,
    rules: "str | Path | Rules | None" = None,
    options: Mapping[str, Any] | None = None,
    players: int | None = None,
    format: "Format" = "round-robin",
    seed: int = 1,
    workers: int | None = None,
    scheduler: str | None = None,
    shard: str | None = None,
    out: str | Path | None = None,
    name: str | None = None,
    quiet: bool = False,
) -> "Run":
    """Play a tournament in worker processes and return it; the same as `ttr-sim run`.

    Args:
        bots: specs as on the command line: a name or file, with ":parameter=value" behind it.
        games: rounded up to whole blocks, equally many for every line-up.
        board: name, folder or Board; without it that of the rules, else europe.
        rules: name, TOML file or Rules; without it those named as the board.
        options: options of the rules to change, by name.
        players: seats of a game; default 2, of a table as many as there are bots.
        format: "round-robin", "gauntlet" or "table".
        seed: decides every game, with the bots and rules.
        workers: number of worker processes; default that of the processors.
        scheduler: plays on the Dask cluster at "tcp://HOST:PORT" instead; "local:N" starts one with N workers.
        shard: "i/n" plays only the i-th of n parts; `ttr_sim.merge` joins them.
        out: the run folder, new or empty, here or on any fsspec path (s3://bucket/run); default a folder in `results`
            after `name`, else date and bots.
        name: name of the run.
        quiet: no progress and no warnings on stderr.

    Raises:
        TtrError: something of this is wrong; nothing was written.
        RunFailed: the run could not go on; what was finished is kept.
        KeyboardInterrupt: it was stopped; what was finished is kept, and `resume` goes on with it.
    """
    from ttr_sim.tournament.prepare import start_server

    start_server()  # before all that takes time to import
    from ttr_sim.results.storage import place
    from ttr_sim.tournament.ask import ask_folder, ask_plan, ask_setting
    from ttr_sim.tournament.session import new_session
    from ttr_sim.tournament.shard import read_shard

    if isinstance(bots, str | Path):
        raise TtrError(f"bots must be a list of specs, such as ['greedy', 'random'], not {str(bots)!r}")
    texts = [str(bot) for bot in bots]
    setting = ask_setting(board, rules, options)
    plan = ask_plan(texts, setting, games=games, players=players, seed=seed, shape=format)
    folder = place(out) if out is not None else ask_folder(name, texts)
    about = {"games": games, "name": name or folder.name}
    part = read_shard(shard) if shard else None
    return _play(new_session(folder, plan, about=about, shard=part), workers, scheduler, quiet)


def resume(
    folder: str | Path, *, workers: int | None = None, scheduler: str | None = None, quiet: bool = False
) -> "Run":
    """Play the games that are missing in a run folder and return the run; arguments and errors as of `run`."""
    from ttr_sim.tournament.prepare import start_server

    start_server()
    from ttr_sim.results.storage import place
    from ttr_sim.tournament.session import resumed_session

    return _play(resumed_session(place(folder)), workers, scheduler, quiet)


def _play(session: "Session", workers: int | None, scheduler: str | None, quiet: bool) -> "Run":
    from ttr_sim.tournament.ask import ask_executor, plays_here
    from ttr_sim.tournament.prepare import ensure_warm
    from ttr_sim.tournament.progress import progress_bar

    with ask_executor(workers, scheduler) as (hire, count):
        if plays_here(scheduler):
            ensure_warm(quiet, [bot.file for bot in session.plan.bots if not bot.command])
        with progress_bar(session, quiet) as progress:
            complete = session.play(workers=count, quiet=quiet, progress=progress, hire=hire)
    if not complete:
        shown = session.folder.shown
        raise KeyboardInterrupt(f"{session.kept} games are kept in {shown}; ttr_sim.resume goes on with them")
    return load(session.folder.path)


def load(folder: str | Path) -> "Run":
    """Open a run folder, finished or not. Raises TtrError: it is none, or a file in it is damaged."""
    return Run(folder)


def merge(runs: "Sequence[Run | str | Path]", out: str | Path) -> "Run":
    """Join finished runs into a new folder and return the whole; the same as `ttr-sim merge`.

    All shards of a run become that run; runs with different seeds follow each other. Raises TtrError that says why some
    do not belong together.
    """
    from ttr_sim.results.merge import merge as merge_runs
    from ttr_sim.results.storage import place

    folders = [run.folder if isinstance(run, Run) else place(run) for run in runs]
    return load(merge_runs(folders, place(out)).folder.path)


class Run:
    """A run on disk. The frames hold the games kept when it was opened, ordered by game (and seat).

    Columns: `ttr-sim schema`, or `ttr_sim.results.schema`. opened: the run as the modules of `ttr_sim.results` take it.
    """

    def __init__(self, folder: str | Path) -> None:
        from ttr_sim.results.reader import open_run

        self.opened = open_run(folder)

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.opened.folder.path

    @property
    def info(self) -> dict[str, Any]:
        """The content of run.json: configuration, versions, times."""
        return self.opened.info

    @property
    def finished(self) -> bool:
        """Whether all games were played."""
        return self.opened.finished

    @property
    def bots(self) -> list[str]:
        """The labels of the bots."""
        return [bot["label"] for bot in self.opened.config["bots"]]

    @property
    def games(self) -> "pl.LazyFrame":
        """One row per game, with every decision of its bots."""
        return self.opened.games()

    @property
    def seats(self) -> "pl.LazyFrame":
        """One row per seat of each game: bot, rank, score and its parts."""
        return self.opened.seats()

    @property
    def timing(self) -> "pl.LazyFrame":
        """One row per seat of each game: what depends on the clock."""
        return self.opened.timing()

    def leaderboard(self, anchor: str | None = None) -> "Leaderboard":
        """Return ratings with intervals and more, the best bot first (see `ttr_sim.leaderboard`)."""
        from ttr_sim.api.leaderboards import leaderboard

        return leaderboard([self], anchor)

    def game(self, number: int) -> "LoggedGame":
        """Return one game. Raises TtrError when it is not there."""
        from ttr_sim.api.games import LoggedGame
        from ttr_sim.results.logged import Settings, find_game

        logged = find_game(self.opened, number)
        return LoggedGame(logged, *Settings(self.opened).of(logged.games.column("match")[0].as_py()))

    def verify(self) -> "Verdict":
        """Replay every game and compare it with the tables. Raises TtrError: a file is damaged."""
        from ttr_sim.results.verify import verify
        from ttr_sim.tournament.scheduled import scheduled_columns

        return verify(self.opened, scheduled_columns)

    def __repr__(self) -> str:
        state = "" if self.finished else f", {self.info['status']}"
        return (
            f"<run {self.opened.folder.shown}: {self.info['games']} games of {', '.join(self.bots)}{state}>"
        )

    def _repr_html_(self) -> str:
        from ttr_sim.api.leaderboards import leaderboard_html
        from ttr_sim.api.pictures import paragraph

        return paragraph(repr(self)) + leaderboard_html(self.leaderboard())
