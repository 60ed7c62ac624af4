"""Speed of the program as a whole: starting, compiling, worker processes, what a run costs around its games."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any

import ttr_sim
from ttr_sim import paths
from ttr_sim.bench.games import built_in, game_rate, table
from ttr_sim.bench.games import play as play_games
from ttr_sim.bench.measure import least_seconds
from ttr_sim.board import load_board
from ttr_sim.rules import load_rules
from ttr_sim.tournament.games import Games
from ttr_sim.tournament.plan import Plan, Setting, make_plan
from ttr_sim.tournament.rows import TableRows
from ttr_sim.tournament.run import play

_RUN_GAMES = 1_000_000  # so many that starting counts for little
_WORKER_SECONDS = 4.0
_COMMAND = "import sys; from ttr_sim.cli.main import main; sys.exit(main())"
_FIRST_GAME = "from ttr_sim.bench.processes import print_first_game; print_first_game()"
_BARE_SECONDS = 6.0
_BARE_BATCH = 4096
_BARE_LEAD = 4.0  # in which the processes start
_BARE = (
    "import sys; from ttr_sim.bench.processes import print_bare_games; print_bare_games(float(sys.argv[1]))"
)


class _Nowhere:
    """Takes rows and keeps none."""

    def add(self, rows: TableRows) -> None:
        """Nothing."""

    def tick(self) -> None:
        """Nothing."""


def help_seconds() -> float:
    """Return the seconds of `ttr-sim --help`."""
    return least_seconds(lambda: _python(_COMMAND, "--help"))


def cold_compile() -> float:
    """Return the seconds of the first run on a machine: two games, everything they need compiled."""
    with _folder() as folder:
        first = ("run", "--bots", "greedy,mcts", "--games", "2", "--quiet", "--out", str(folder / "run"))
        return least_seconds(lambda: _python(_COMMAND, *first, TTR_SIM_CACHE=str(folder / "cache")), 1)


def warm_start() -> float:
    """Return the seconds from starting a tournament to its first finished game, everything compiled before."""
    return min(_first_game() for _ in range(3))


def _first_game() -> float:
    begun = time()
    return float(_python(_FIRST_GAME)) - begun


def print_first_game() -> None:
    """Play a small tournament and print the time when the first game was finished."""
    from ttr_sim.tournament.pool import PRELOAD, start_server

    start_server(PRELOAD)
    finished: list[float] = []
    play(_plan("random", 8), _Nowhere(), workers=1, progress=lambda first, games: finished.append(time()))
    print(finished[0])


def two_workers() -> float:
    """Return how many times the games a second of one worker two workers play; greedy against greedy."""
    games = int(_WORKER_SECONDS * game_rate("europe", 2, "greedy"))
    one, two = (max(_worker_rate(games, workers) for _ in range(2)) for workers in (1, 2))
    return two / one


def _worker_rate(games: int, workers: int) -> float:
    """Return games a second once the workers are at work."""
    times: list[tuple[float, int]] = []

    def note(first: int, played: Games) -> None:
        times.append((monotonic(), len(played)))

    play(_plan("greedy", games * workers), _Nowhere(), workers=workers, progress=note)
    steady = times[workers:]
    return sum(count for _, count in steady) / (steady[-1][0] - times[workers - 1][0])


def run_overhead() -> float:
    """Return the share of a run's time that is not spent on its games, random bots, a worker for each processor.

    Compared with as many processes that do nothing but play at the same time, before and after it: processors are slower
    when all of them work, and from one minute to the next.
    """
    before = _bare_rate()
    with _folder() as folder:
        out = folder / "run"
        bots = ("--bots", "random,random", "--games", str(_RUN_GAMES), "--quiet", "--out", str(out))
        _python(_COMMAND, "run", *bots)
        timing = json.loads((out / "run.json").read_text())["timings"][-1]
    return 1 - float(timing["games"] / timing["seconds"]) / ((before + _bare_rate()) / 2)


def _bare_rate() -> float:
    """Return games a second, random bots, of a process for each processor that all do nothing but play."""
    start, processes = str(time() + _BARE_LEAD), os.cpu_count() or 1
    with ThreadPoolExecutor(processes) as threads:
        return sum(threads.map(lambda _: float(_python(_BARE, start)), range(processes)))


def print_bare_games(start: float) -> None:
    """Play for _BARE_SECONDS from a moment on, with think times as in a run, and print the games a second."""
    at = table("europe", "random", "random")
    play_games(at, 100, timed=True)
    games = 0
    sleep(max(0.0, start - time()))
    begun = monotonic()
    while monotonic() < begun + _BARE_SECONDS:
        play_games(at, _BARE_BATCH, timed=True)
        games += _BARE_BATCH
    print(games / (monotonic() - begun))


def _plan(bot: str, games: int) -> Plan:
    rules = load_rules(paths.shipped_root() / paths.RULES.folder / "europe.toml")
    board = load_board(paths.shipped_root() / paths.BOARD.folder / rules.board)
    return make_plan([built_in(bot)] * 2, [Setting(board, rules)], games=games)


def _python(code: str, *args: str, **environment: str) -> str:
    """Run Python code with this package in a process of its own and return what it prints."""
    here = str(Path(ttr_sim.__file__).parents[1])
    search = os.pathsep.join([here, *filter(None, [os.environ.get("PYTHONPATH")])])
    variables: dict[str, Any] = {**os.environ, "PYTHONPATH": search, **environment}
    done = subprocess.run(
        [sys.executable, "-c", code, *args], env=variables, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{args or code} failed: {done.stderr.strip()[-2000:]}")
    return done.stdout


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ttr-sim-bench-") as name:
        yield Path(name)
