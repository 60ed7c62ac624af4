"""Rows of the result tables from finished games."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_sim.engine.layout import REASONS
from ttr_sim.results.fields import COUNTS, SCORES
from ttr_sim.tournament.games import Games
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.schedule import Rows

_ENDS = (*REASONS, "not_played", "worker_died")  # the last two are -2 and -1

Columns = dict[str, Any]


@dataclass(frozen=True, slots=True)
class TableRows:
    """Rows of the tables of the games first, first + 1, ...

    tables: for each table its columns by name. A column is an array; a masked array where some are missing; for
    texts (codes, texts), code -1 where missing; for lists (offsets, values).
    """

    first: int
    games: int
    tables: dict[str, Columns]


def table_rows(plan: Plan, first: int, games: Games, worker: int) -> TableRows:
    """Return the rows of finished games of consecutive numbers."""
    rows = plan.schedule.rows(np.arange(first, first + len(games)))
    tables = {
        "games": _games(plan, rows, games),
        "seats": _seats(plan, rows, games),
        "timing": _timing(rows, games, worker),
        "explain": _explain(rows, games),
    }
    return TableRows(first, len(games), tables)


def _games(plan: Plan, rows: Rows, games: Games) -> Columns:
    schedule, settings = plan.schedule, plan.settings
    setting = np.array([match.setting for match in schedule.matches])[rows.match]
    won = np.ma.filled(games.ranks, 0) == 1
    winners = np.add.reduceat(won, np.cumsum(games.players) - games.players, dtype=np.int64)
    forfeit = games.game["forfeit_seat"]
    unfinished, unknown = games.game["reason"] <= 0, ~games.game["logged"]
    codes = np.full(len(games), -1)
    codes[list(games.faults)] = np.arange(len(games.faults))
    return {
        "game": rows.number,
        "block": rows.block,
        "match": rows.match,
        "rotation": rows.rotation,
        "players": games.players,
        "board": (setting, [s.board.name for s in settings]),
        "rules": (setting, [s.rules.name for s in settings]),
        "seed": rows.seed,
        "bot_seed": rows.bot_seed,
        "winners": (np.concatenate([[0], np.cumsum(winners)]), games.seats[won]),
        "turns": np.ma.MaskedArray(games.game["turns"], mask=unknown),
        "decisions": np.ma.MaskedArray(games.game["decisions"], mask=unknown),
        "end": (games.game["reason"] % len(_ENDS), list(_ENDS)),
        "decided_by": np.ma.MaskedArray(games.game["decided_by"], mask=unfinished),
        "forfeit_seat": np.ma.MaskedArray(forfeit, mask=forfeit < 0),
        "forfeit_reason": (codes, list(games.faults.values())),
        "actions": (games.offsets, games.actions),
    }


def _seats(plan: Plan, rows: Rows, games: Games) -> Columns:
    unfinished = games.each_seat(games.game["reason"] <= 0)
    unknown = games.each_seat(~games.game["logged"])
    return {
        "game": games.each_seat(rows.number),
        "block": games.each_seat(rows.block),
        "seat": games.seats,
        "bot": (plan.schedule.seats(rows)[1], list(plan.labels)),
        "rank": games.ranks,
        **{to: np.ma.MaskedArray(games.seat[name], mask=unfinished) for to, name in SCORES.items()},
        **{to: np.ma.MaskedArray(games.seat[name], mask=unknown) for to, name in COUNTS.items()},
    }


def _explain(rows: Rows, games: Games) -> Columns:
    told = [(int(rows.number[i]), t) for i in sorted(games.thoughts) for t in games.thoughts[i]]
    measures = list(dict.fromkeys(thought.measure for _, thought in told))
    return {
        "game": np.array([number for number, _ in told], np.int64),
        "decision": np.array([thought.decision for _, thought in told], np.int64),
        "action": np.array([thought.action for _, thought in told], np.int64),
        "measure": (np.array([measures.index(thought.measure) for _, thought in told], np.int64), measures),
        "value": np.array([thought.value for _, thought in told], np.float64),
    }


def _timing(rows: Rows, games: Games, worker: int) -> Columns:
    unknown = games.each_seat(~games.game["logged"])
    times = {
        "think_ns": games.seat["think_ns"],
        "slowest_ns": games.seat["slowest_ns"],
        "game_ns": games.each_seat(games.game["wall_ns"]),
    }
    return {
        "game": games.each_seat(rows.number),
        "seat": games.seats,
        **{name: np.ma.MaskedArray(values, mask=unknown) for name, values in times.items()},
        "worker": np.full(len(games.seats), worker),
    }
