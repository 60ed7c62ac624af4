"""What people ask for by names and texts, made into what is played; the command line and Python share it."""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from ttr_sim import paths
from ttr_sim.board import Board, load_board
from ttr_sim.bot.specs import BotSpec, parse_spec
from ttr_sim.errors import TtrError
from ttr_sim.results.folder import unused
from ttr_sim.rules import Rules, load_rules
from ttr_sim.tournament.limits import NO_LIMITS, Limits
from ttr_sim.tournament.plan import Plan, Setting, make_plan
from ttr_sim.tournament.run import Hire
from ttr_sim.tournament.schedule import Format

RESULTS = Path("results")
MAX_WORKERS = 1024
LOCAL = "local:"


@dataclass(frozen=True, slots=True)
class Entry:
    """A bot asked for: its spec, and the label under which the tables know it."""

    spec: str
    label: str


@dataclass(frozen=True, slots=True)
class Field:
    """The bots of a tournament and their labels, in the same order."""

    bots: tuple[BotSpec, ...]
    labels: tuple[str, ...]


def ask_setting(
    board: str | Path | Board | None = None,
    rules: str | Path | Rules | None = None,
    options: Mapping[str, Any] | None = None,
) -> Setting:
    """Load board and rules; either follows from the other where only one is given. options: changes of the rules.

    Raises TtrError.
    """
    if isinstance(board, str | Path):
        board = load_board(board)
    if isinstance(rules, str | Path):
        rules = load_rules(rules)
    if rules is None:
        board = board or load_board("europe")
        if board.name not in paths.available(paths.RULES):
            raise TtrError(f"no rules preset is named after the board {board.name!r}; name one with --rules")
        rules = load_rules(board.name)
    return Setting(board or load_board(rules.board), rules.with_options(options) if options else rules)


def ask_settings(boards: Sequence[str | Path] = (), rules: Sequence[str | Path] = ()) -> list[Setting]:
    """Load boards and rules: as many of both, which go together, or one of either, which goes with all of the other.

    Without rules each board has those of its name; without boards all rules have theirs. Raises TtrError.
    """
    many = max(len(boards), len(rules), 1)
    if not {len(boards), len(rules)} <= {0, 1, many}:
        raise TtrError(
            f"--board names {len(boards)} boards and --rules {len(rules)} rules; name as many of both, or one of either"
        )
    pairs = zip(_repeated(boards, many), _repeated(rules, many), strict=True)
    return [ask_setting(board, one) for board, one in dict.fromkeys(pairs)]


def _repeated(names: Sequence[str | Path], many: int) -> Sequence[str | Path | None]:
    """Return none or one name `many` times, and several as they are."""
    if len(names) > 1:
        return names
    return [names[0] if names else None] * many


def change_rules(settings: Sequence[Setting], options: Mapping[str, Any]) -> list[Setting]:
    """Return settings with some options of the rules changed. Raises TtrError."""
    if not options:
        return list(settings)
    return [replace(setting, rules=setting.rules.with_options(options)) for setting in settings]


def ask_field(entries: Sequence[Entry]) -> Field:
    """Read the specs of bots and try each bot. Raises TtrError."""
    return Field(tuple(ask_bots([entry.spec for entry in entries])), tuple(entry.label for entry in entries))


def ask_bots(texts: Sequence[str]) -> list[BotSpec]:
    """Read bot specs and try each bot. Raises TtrError."""
    from ttr_sim.bot.check import check_bot

    if not texts or not all(text.strip() for text in texts):
        raise TtrError("--bots must name the bots, for example --bots greedy,random")
    with redirect_stdout(sys.stderr):  # what bots print is no result
        bots = [parse_spec(text.strip()) for text in texts]
        for bot in bots:
            check_bot(bot)
    return bots


def ask_plan(
    bots: Sequence[str] | Field,
    settings: Setting | Sequence[Setting],
    *,
    games: int,
    players: int | None = None,
    seed: int = 1,
    shape: Format = "round-robin",
    limits: Limits = NO_LIMITS,
) -> Plan:
    """Return the plan of a tournament between bots, which may be given by specs (see `make_plan`).

    players: default 2; of a table as many as there are bots. Raises TtrError.
    """
    field = bots if isinstance(bots, Field) else ask_field([Entry(text, text) for text in bots])
    places = [settings] if isinstance(settings, Setting) else list(settings)
    if players is None:
        most = min(setting.rules.players[1] for setting in places)
        players = min(len(field.bots), most) if shape == "table" else 2
    return make_plan(
        field.bots,
        places,
        games=games,
        players=players,
        seed=seed,
        shape=shape,
        limits=limits,
        labels=field.labels,
    )


def ask_workers(asked: int | None) -> int:
    """Return a checked number of worker processes; without one, that of the processors this process may use."""
    if asked is not None and asked < 1:
        raise TtrError(f"--workers must be at least 1, not {asked}")
    if asked is not None and asked > MAX_WORKERS:
        raise TtrError(f"--workers must be at most {MAX_WORKERS}, not {asked}")
    if asked is not None:
        return asked
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def ask_executor(workers: int | None, scheduler: str | None) -> Iterator[tuple[Hire | None, int]]:
    """Yield what plays the batches (None: processes of this machine), and with how many workers it begins.

    scheduler: the address of a Dask scheduler, or "local:N". Raises TtrError; RunFailed when no scheduler answers.
    """
    if scheduler is None:
        yield None, ask_workers(workers)
        return
    if workers is not None:
        raise TtrError("--workers cannot be given with --scheduler, whose workers play; local:N starts N")
    from ttr_sim.tournament.cluster import connected

    with connected(scheduler) as found:
        yield found


def plays_here(scheduler: str | None) -> bool:
    """Tell whether the workers are processes of this machine, which needs the engine compiled."""
    return scheduler is None or scheduler.startswith(LOCAL)


def ask_folder(name: str | None, texts: Sequence[str]) -> Path:
    """Return where a run goes that was not given a folder: its name, else date and bots, in `results`."""
    if name is not None:
        if not name or name in (".", "..") or any(sign in name for sign in "/\\\0"):
            raise TtrError(f"--name must be a name for a folder in {RESULTS}, not {name!r}")
        return RESULTS / name
    bots = "-".join(
        "".join(c for c in Path(t.split(":")[0]).stem if c.isalnum() or c in "_-") for t in texts[:4]
    )
    return unused(RESULTS, f"{datetime.now():%Y%m%d-%H%M%S}-{bots}")
