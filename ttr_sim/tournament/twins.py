"""Two bots given the same games must choose the same actions: every game is played twice, and the first difference told."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from ttr_sim.board import Board
from ttr_sim.bot.forfeit import Forfeit
from ttr_sim.bot.play import BatchResult, open_table
from ttr_sim.bot.specs import BotSpec
from ttr_sim.engine import Game
from ttr_sim.rules import Rules
from ttr_sim.tournament.duel import BASELINE, CANDIDATE, Duel
from ttr_sim.tournament.logs import terminal_log
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.rows import TableRows
from ttr_sim.tournament.run import play
from ttr_sim.tournament.schedule import Schedule, cycle_games
from ttr_sim.tournament.stopping import Drop, looks
from ttr_sim.tournament.workers import Opener, Table

# Instead of actions: the game ends with a forfeit; so do both games, alike; the game was played to its end.
_FORFEIT, _ALIKE, _END = -1, -2, -3


@dataclass(frozen=True, slots=True)
class Difference:
    """The first decision in which the two chose differently, as text.

    game: its number; decision: number in the game, from 0; candidate, baseline: what each did; position: what the seat
    that decided could see.
    """

    game: int
    board: str
    rules: str
    seed: int
    seat: int
    decision: int
    candidate: str
    baseline: str
    position: str


class TwinTable:
    """A table that plays each game twice and answers with the first half, in which `actions` says how the halves differ.

    The actions of a game are none where both halves are the same, _ALIKE where they were forfeited alike, else those that
    both have in common and the next one of each, or what it ends with.
    """

    def __init__(self, first: Table, second: Table) -> None:
        self._first, self._second = first, second

    @property
    def progress(self) -> Any:
        """Where the tables note how far they are (see `ttr_sim.bot.play.Table`)."""
        return self._first.progress  # type: ignore[attr-defined]

    @progress.setter
    def progress(self, note: Any) -> None:
        self._first.progress = self._second.progress = note  # type: ignore[attr-defined]

    def play(
        self, seeds: Any, bot_seeds: Any, rotation: Any, *, forfeit: Forfeit | None = None
    ) -> BatchResult:
        """Play games. A game that is to end early has no answer, only the reason."""
        if forfeit:
            half = self._first.play(
                seeds, bot_seeds, rotation, forfeit=Forfeit(0, forfeit.seat, forfeit.reason)
            )
            return replace(half, forfeits={0: forfeit.reason})
        halves = [table.play(seeds, bot_seeds, rotation) for table in (self._first, self._second)]
        told = [_compare(*(_log(half, game) for half in halves)) for game in range(len(seeds))]
        offsets = np.concatenate([[0], np.cumsum([len(actions) for actions in told])])
        flat = np.array([action for actions in told for action in actions], np.int16)
        played = halves[0].played.copy()
        played["forfeit_seat"] = -1
        return replace(halves[0], played=played, forfeits={}, actions=flat, offsets=offsets)


def _open_twins(
    opener: Opener, baseline: BotSpec, opponents: bool, board: Board, rules: Rules, bots: Sequence[BotSpec]
) -> TwinTable:
    """Open a table with the baseline instead of the candidate in the second half.

    opponents: whether only the first bot of a line-up is the candidate; else all are.
    """
    second = [baseline, *bots[1:]] if opponents else [baseline] * len(bots)
    return TwinTable(opener(board, rules, bots), opener(board, rules, second))


def _log(result: BatchResult, game: int) -> tuple[list[int], int]:
    actions = result.actions[result.offsets[game] : result.offsets[game + 1]].tolist()
    return actions, int(result.played["forfeit_seat"][game])


def _compare(first: tuple[list[int], int], second: tuple[list[int], int]) -> list[int]:
    """Return what TwinTable says of a game, from actions and forfeiting seat of both halves."""
    (a, lost), (b, _) = first, second
    if first == second:
        return [_ALIKE] if lost >= 0 else []
    same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return [*a[:same], *(_next(*half, same) for half in (first, second))]


def _next(log: list[int], lost: int, at: int) -> int:
    if at < len(log):
        return log[at]
    return _FORFEIT if lost >= 0 else _END


class TwinTest:
    """A stop rule (see `stopping.Rule`) that ends at the first game with a difference.

    same: games played alike; forfeited: those of them that both forfeited; lost: games that could not be compared, by
    reason.
    """

    def __init__(self, duel: Duel) -> None:
        self.duel, self.plan = duel, _with_candidate(duel)
        self.looks = looks(self.plan.schedule.cycle_games, self.plan.schedule.games)
        self.told: Callable[[], None] | None = None
        self.same = self.forfeited = 0
        self.lost: Counter[str] = Counter()
        self.found: tuple[int, list[int]] | None = None

    def add(self, rows: TableRows) -> None:
        """Look for the first difference."""
        games = rows.tables["games"]
        offsets, actions = games["actions"]
        lost, reasons = games[
            "forfeit_reason"
        ]  # TwinTable knows no forfeits: these are games it could not play
        for index in range(rows.games):
            if self.found:
                return
            told = np.asarray(actions[offsets[index] : offsets[index + 1]]).tolist()
            if lost[index] >= 0:
                self.lost[str(reasons[lost[index]])] += 1
            elif len(told) > 1:
                self.found = rows.first + index, told
            else:
                self.same += 1
                self.forfeited += told == [_ALIKE]

    def enough(self, games: int) -> bool:
        """Tell whether a difference was found."""
        if self.told:
            self.told()
        return self.found is not None

    @property
    def difference(self) -> Difference | None:
        """The first difference, if there is one."""
        if self.found is None:
            return None
        number, (*common, candidate, baseline) = self.found
        scheduled = self.plan.schedule.game(number)
        setting = self.plan.match_setting(scheduled.match)
        game = Game.new(setting.board, setting.rules, len(scheduled.seats), scheduled.seed)
        for action in common:
            game.step(action)
        over = game.is_over
        view = game.view(game.seat)
        return Difference(
            game=number,
            board=setting.board.name,
            rules=setting.rules.name,
            seed=scheduled.seed,
            seat=game.seat,
            decision=len(common),
            candidate=_done(game, candidate),
            baseline=_done(game, baseline),
            position="the game is over" if over else view.text(),
        )


def play_twins(
    test: TwinTest,
    workers: int,
    quiet: bool = False,
    told: Callable[[], None] | None = None,
    opener: Opener = open_table,
) -> bool:
    """Play all games up to the first difference; returns False when it was stopped by a signal.

    told: called after each look. Raises RunFailed.
    """
    test.told = told
    both = partial(_open_twins, opener, test.duel.plan.bots[BASELINE], test.duel.paired)
    with terminal_log(quiet):
        return play(test.plan, Drop(), workers=workers, opener=both, rule=test)


def _with_candidate(duel: Duel) -> Plan:
    """Return the plan of the games with the candidate: those of its chair, or with it in every chair."""
    plan = duel.plan
    if duel.paired:
        matches = tuple(match for match in plan.schedule.matches if match.bots[0] == CANDIDATE)
        bots, labels = plan.bots, plan.labels
    else:
        matches = plan.schedule.matches
        bots, labels = (plan.bots[CANDIDATE],) * len(plan.bots), plan.labels
    games = plan.schedule.games // cycle_games(matches) * cycle_games(matches)
    schedule = Schedule(matches, plan.schedule.seed, games)
    return replace(plan, bots=bots, labels=labels, schedule=schedule)


def _done(game: Game, action: int) -> str:
    words = {_FORFEIT: "a forfeit ends the game", _END: "the game is played to its end"}
    return words.get(action) or game.describe(action)
