"""What the tables of a run must say of who plays what: it follows from run.json alone."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ttr_sim.results.info import all_games
from ttr_sim.tournament.schedule import Match, Rows, Schedule

Columns = dict[str, Any]


def scheduled_columns(info: Mapping[str, Any], numbers: Any) -> tuple[Columns, Columns]:
    """Return columns of `games` and of `seats` for games of these ascending numbers, by name, texts as arrays of str.

    info: a checked run.json, also of runs that were merged.
    """
    config = info["config"]
    boards, rules = (np.array([setting[key] for setting in config["settings"]]) for key in ("board", "rules"))
    settings = np.array([match["setting"] for match in config["matches"]])
    labels = np.array([bot["label"] for bot in config["bots"]])
    games: list[Columns] = []
    seats: list[Columns] = []
    for schedule, rows, first, blocks in _pieces(info, np.asarray(numbers)):
        block, number = rows.block + blocks, rows.number + first
        setting = settings[rows.match]
        names = ("match", "rotation", "players", "seed", "bot_seed")
        games.append({
            "game": number,
            "block": block,
            "board": boards[setting],
            "rules": rules[setting],
            **{name: getattr(rows, name) for name in names},
        })  # fmt: skip
        seat, bot = schedule.seats(rows)
        each = [np.repeat(values, rows.players) for values in (number, block)]
        seats.append({"game": each[0], "block": each[1], "seat": seat, "bot": labels[bot]})
    return _joined(games), _joined(seats)


def _pieces(info: Mapping[str, Any], numbers: Any) -> Iterator[tuple[Schedule, Rows, int, int]]:
    """Yield for each seed its schedule, the rows of its games, and what was added to its games and blocks."""
    matches = tuple(Match(match["setting"], tuple(match["bots"])) for match in info["config"]["matches"])
    blocks = 0
    for seed, own in _games_by_seed(info).items():
        schedule = Schedule(matches, seed, len(own))
        here = numbers[(numbers >= own.start) & (numbers < own.stop)] - own.start
        if len(here):
            yield schedule, schedule.rows(here), own.start, blocks
        blocks += -(-len(own) // schedule.cycle_games) * len(matches)


def _games_by_seed(info: Mapping[str, Any]) -> dict[int, range]:
    found: dict[int, range] = {}
    for run in info.get("merged") or ():
        before = found.get(run["seed"], range(run["first_game"], run["first_game"]))
        found[run["seed"]] = range(before.start, before.stop + run["games"])
    return found or {info["config"]["seed"]: range(all_games(info))}


def _joined(pieces: list[Columns]) -> Columns:
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in pieces[0]} if pieces else {}
