"""What people ask for by names and texts, made into what is played; the command line and Python share it."""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
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
from ttr_sim.tournament.schedule import Format

RESULTS = Path("results")
MAX_WORKERS = 1024


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
    texts: Sequence[str],
    setting: Setting,
    *,
    games: int,
    players: int | None = None,
    seed: int = 1,
    shape: Format = "round-robin",
    limits: Limits = NO_LIMITS,
) -> Plan:
    """Return the plan of a tournament between bots named by specs (see `make_plan`).

    players: default 2; of a table as many as there are bots. Raises TtrError.
    """
    bots = ask_bots(texts)
    if players is None:
        players = min(len(bots), setting.rules.players[1]) if shape == "table" else 2
    return make_plan(bots, [setting], games=games, players=players, seed=seed, shape=shape, limits=limits)


def ask_workers(asked: int | None) -> int:
    """Return a checked number of worker processes; without one, that of the processors this process may use."""
    if asked is not None and asked < 1:
        raise TtrError(f"--workers must be at least 1, not {asked}")
    if asked is not None and asked > MAX_WORKERS:
        raise TtrError(f"--workers must be at most {MAX_WORKERS}, not {asked}")
    if asked is not None:
        return asked
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
