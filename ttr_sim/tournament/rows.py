"""Rows of the result tables from finished games."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_sim.engine.layout import REASONS
from ttr_sim.results.fields import COUNTS, SCORES
from ttr_sim.tournament.games import WORKER_DIED, Array, Games
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.schedule import Rows

_ENDS = (*REASONS, "worker_died")

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
    seat = _seat_numbers(games.players)
    rank = _ranks(games, seat)
    tables = {
        "games": _games(plan, rows, games, seat, rank),
        "seats": _seats(plan, rows, games, seat, rank),
        "timing": _timing(rows, games, seat, worker),
        "explain": _explain(rows, games),
    }
    return TableRows(first, len(games), tables)


def _seat_numbers(players: Array) -> Array:
    starts = np.cumsum(players) - players
    numbers: Array = np.arange(players.sum()) - np.repeat(starts, players)
    return numbers


def _ranks(games: Games, seat: Array) -> Any:
    """Return the rank of every seat: who forfeits is last and the others first; missing if the worker died."""
    forfeiter = np.repeat(games.game["forfeit_seat"], games.players)
    last = np.where(seat == forfeiter, np.repeat(games.players, games.players), 1)
    rank = np.where(forfeiter >= 0, last, games.seat["rank"])
    return np.ma.MaskedArray(rank, mask=np.repeat(games.game["reason"] == WORKER_DIED, games.players))


def _games(plan: Plan, rows: Rows, games: Games, seat: Array, rank: Any) -> Columns:
    schedule, settings = plan.schedule, plan.settings
    setting = np.array([match.setting for match in schedule.matches])[rows.match]
    won = np.ma.filled(rank, 0) == 1
    winners = np.add.reduceat(won, np.cumsum(games.players) - games.players, dtype=np.int64)
    forfeit = games.game["forfeit_seat"]
    unfinished = games.game["reason"] <= 0
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
        "winners": (np.concatenate([[0], np.cumsum(winners)]), seat[won]),
        "turns": games.game["turns"],
        "decisions": games.game["decisions"],
        "end": (games.game["reason"] % len(_ENDS), list(_ENDS)),  # -1, worker_died, stands last
        "decided_by": np.ma.MaskedArray(games.game["decided_by"], mask=unfinished),
        "forfeit_seat": np.ma.MaskedArray(forfeit, mask=forfeit < 0),
        "forfeit_reason": (codes, list(games.faults.values())),
        "actions": (games.offsets, games.actions),
    }


def _seats(plan: Plan, rows: Rows, games: Games, seat: Array, rank: Any) -> Columns:
    line_ups = [match.bots for match in plan.schedule.matches]
    width = max(map(len, line_ups))
    bots = np.array([bots + (0,) * (width - len(bots)) for bots in line_ups])
    each = games.players
    place = (seat + np.repeat(rows.rotation, each)) % np.repeat(each, each)
    unfinished = np.repeat(games.game["reason"] <= 0, each)
    return {
        "game": np.repeat(rows.number, each),
        "block": np.repeat(rows.block, each),
        "seat": seat,
        "bot": (bots[np.repeat(rows.match, each), place], list(plan.labels)),
        "rank": rank,
        **{to: np.ma.MaskedArray(games.seat[name], mask=unfinished) for to, name in SCORES.items()},
        **{to: games.seat[name] for to, name in COUNTS.items()},
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


def _timing(rows: Rows, games: Games, seat: Array, worker: int) -> Columns:
    return {
        "game": np.repeat(rows.number, games.players),
        "seat": seat,
        "think_ns": games.seat["think_ns"],
        "slowest_ns": games.seat["slowest_ns"],
        "game_ns": np.repeat(games.game["wall_ns"], games.players),
        "worker": np.full(len(seat), worker),
    }
