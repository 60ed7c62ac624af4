"""What the bots thought in a logged game: as it was kept, or by asking them again."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ttr_sim import paths
from ttr_sim.board import Board
from ttr_sim.bot.explain import Thought
from ttr_sim.bot.explained import open_explaining_table
from ttr_sim.engine import actions
from ttr_sim.errors import TtrError
from ttr_sim.results.info import all_games
from ttr_sim.results.reader import Run
from ttr_sim.rules import Rules
from ttr_sim.tournament.describe import rebuild

ByDecision = dict[int, list[Thought]]


def ask_again(run: Run, number: int, log: Sequence[int]) -> ByDecision:
    """Let the bots of a run play a game again and say what they think.

    Raises TtrError when they are not what they were, or decide otherwise than in `log`, the logged actions.
    """
    where = paths.shown(run.folder.info)
    try:
        plan = rebuild(run.config, all_games(run.info), where)
    except TtrError as error:
        reason = str(error).split("; start another run")[0].replace("the run cannot go on, ", "")
        raise TtrError(f"--explain: the bots cannot be asked again: {reason}") from None
    rows = plan.schedule.rows(np.array([number]))
    setting = plan.match_setting(int(rows.match[0]))
    table = open_explaining_table(setting.board, setting.rules, plan.match_bots(int(rows.match[0])))
    result = table.play(rows.seed, rows.bot_seed, rows.rotation, timed=False)
    if result.actions.tolist() != list(log):
        raise TtrError(
            f"--explain: the bots decide otherwise now than in game {number}: they are not deterministic"
        )
    return by_decision(result.thoughts[0])


def by_decision(thoughts: Iterable[Thought]) -> ByDecision:
    """Return thoughts by the index of their decision."""
    found: ByDecision = defaultdict(list)
    for thought in thoughts:
        found[thought.decision].append(thought)
    return dict(found)


def thoughts_data(
    board: Board, rules: Rules, state: Any, thoughts: Sequence[Thought], taken: int
) -> dict[str, Any]:
    """Return the table of one decision as JSON data: the largest first number first.

    state: the STATE record before the decision. taken: the action that was taken.
    """
    measures = list(dict.fromkeys(thought.measure for thought in thoughts))
    numbers: dict[int, dict[str, float]] = defaultdict(dict)
    for thought in thoughts:
        numbers[thought.action][thought.measure] = thought.value
    rows: list[dict[str, Any]] = [
        {
            "text": _text(board, rules, state, action),
            "place": _place(action),
            "values": [of.get(measure) for measure in measures],
            "taken": action == taken,
        }
        for action, of in numbers.items()
    ]
    rows.sort(key=lambda row: -(row["values"][0] if row["values"][0] is not None else float("-inf")))
    return {"measures": measures, "rows": rows}


def _text(board: Board, rules: Rules, state: Any, action: int) -> str:
    try:
        return actions.describe(board, action, state, rules)
    except (ValueError, IndexError):
        return f"action {action}"


def _place(action: int) -> list[Any] | None:
    """The track or city of an action on the map."""
    try:
        kind, number, _ = actions.decode(action)
    except ValueError:
        return None
    return [{"claim": "track", "station": "city"}[kind], number] if kind in ("claim", "station") else None
