"""A candidate against a baseline: which games tell, and a sequential test that ends them as soon as the answer is known."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ttr_sim import stats
from ttr_sim.bot.specs import BotSpec
from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.rules import check_fit
from ttr_sim.tournament.limits import NO_LIMITS, Limits
from ttr_sim.tournament.logs import terminal_log
from ttr_sim.tournament.plan import Plan, Setting, check_numbers, unique_labels
from ttr_sim.tournament.rows import TableRows
from ttr_sim.tournament.run import play
from ttr_sim.tournament.schedule import Match, Schedule, cycle_games
from ttr_sim.tournament.stopping import Drop, looks

CANDIDATE, BASELINE = 0, 1
_MOST_VALUES = 25  # of a block's score, up to which all possible ones are known to the test


@dataclass(frozen=True, slots=True)
class Duel:
    """Games of a candidate and a baseline. A block of the test is one deal: a cycle of the plan's schedule.

    paired: both take the same chairs against the same opponents, and the difference of their scores is tested. Else
    they meet, and the candidate's score is. games_per_block: games of the candidate in a block.
    """

    plan: Plan
    paired: bool
    games_per_block: int

    @property
    def support(self) -> tuple[float, ...]:
        """Block scores that are possible, or the outermost of them where they are many."""
        if self.paired:
            return (0.0, 0.5, 1.0)
        steps = 2 * self.games_per_block * (len(self.plan.schedule.matches[0].bots) - 1)
        return tuple(i / steps for i in range(steps + 1)) if steps < _MOST_VALUES else (0.0, 1.0)


def make_duel(
    candidate: BotSpec,
    baseline: BotSpec,
    opponents: Sequence[BotSpec],
    settings: Sequence[Setting],
    *,
    games: int,
    players: int,
    seed: int,
    limits: Limits = NO_LIMITS,
) -> Duel:
    """Return a duel of at most `games` games, whole blocks. Raises TtrError when the numbers and bots do not fit.

    Without opponents the candidate meets the baseline, which takes all other seats. With opponents each of the two plays
    all combinations of them.
    """
    check_numbers(games, seed, "--max-games")
    for setting in settings:
        check_fit(setting.board, setting.rules, players)
    if opponents and len(opponents) < players - 1:
        raise TtrError(
            f"--opponents names {len(opponents)} of the {players - 1} others of a game; a bot may be named again"
        )
    rest = opponents or [baseline] * (players - 2)
    bots = (candidate, baseline, *rest)
    others = list(combinations(range(2, len(bots)), players - 1)) if opponents else [tuple(range(1, players))]
    chairs = (CANDIDATE, BASELINE) if opponents else (CANDIDATE,)
    matches = tuple(
        Match(setting, (chair, *line_up))
        for setting in range(len(settings))
        for line_up in others
        for chair in chairs
    )
    cycle = cycle_games(matches)
    if games < cycle:
        raise TtrError(f"--max-games must be at least the {cycle} games of a block, not {games}")
    schedule = Schedule(matches, seed, games // cycle * cycle)
    plan = Plan(tuple(settings), bots, unique_labels([bot.label for bot in bots]), schedule, limits)
    return Duel(plan, bool(opponents), cycle // len(chairs))


def play_duel(
    test: "DuelTest", workers: int, quiet: bool = False, told: Callable[[], None] | None = None
) -> bool:
    """Play until the test is decided or all games are played; returns False when it was stopped by a signal.

    told: called after each look. Raises RunFailed, also when no block has a result.
    """
    test.told = told
    with terminal_log(quiet):
        complete = play(test.duel.plan, Drop(), workers=workers, rule=test)
    if complete and not test.scores.blocks:
        raise RunFailed("no block has a result: in each of them the worker process died")
    return complete


class DuelTest:
    """A stop rule (see `stopping.Rule`): a sequential test on the blocks, which decides at its looks only.

    scores: the blocks so far. state: where the test stood at the last look. forfeits: how often the candidate and the
    baseline forfeited why. uncounted: blocks left out because a game in them has no result. told: called after each look.
    """

    def __init__(self, duel: Duel, test: stats.Sprt) -> None:
        self.duel, self.test = duel, test
        self.told: Callable[[], None] | None = None
        schedule = duel.plan.schedule
        self.looks = looks(schedule.cycle_games, schedule.games)
        self.scores = stats.BlockScores.from_scores([], duel.support)
        self.state = stats.sprt(self.scores, test)
        self.forfeits: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
        self.games = self.uncounted = 0
        self._pieces: list[tuple[Any, ...]] = []

    def add(self, rows: TableRows) -> None:
        """Take note of the scores of candidate and baseline."""
        seats, games = rows.tables["seats"], rows.tables["games"]
        bot = np.asarray(seats["bot"][0])
        rank = np.ma.filled(seats["rank"].astype(np.int64), 0)
        score = stats.game_scores(seats["game"], rank)
        score[rank == 0] = np.nan
        block = np.asarray(seats["game"]) // self.duel.plan.schedule.cycle_games
        own = bot <= (BASELINE if self.duel.paired else CANDIDATE)
        self._pieces.append((block[own], bot[own], score[own]))
        self.games += rows.games
        self._count_forfeits(games, bot)

    def enough(self, games: int) -> bool:
        """Tell whether the test is decided by the first `games` games."""
        block, bot, score = (np.concatenate(column) for column in zip(*self._pieces, strict=True))
        self._pieces = []
        means = stats.block_means(block, np.where(bot == CANDIDATE, score, 0.0))
        if self.duel.paired:  # each has half of the rows of a block
            means = 0.5 + 2 * (means - stats.block_means(block, np.where(bot == BASELINE, score, 0.0)))
        known = means[~np.isnan(means)]
        self.uncounted += len(means) - len(known)
        self.scores += stats.BlockScores.from_scores(known, self.duel.support)
        self.state = stats.sprt(self.scores, self.test)
        if self.told:
            self.told()
        return self.state.decision != "continue"

    def _count_forfeits(self, games: Any, bot: Any) -> None:
        codes, reasons = games["forfeit_reason"]
        starts = np.cumsum(games["players"]) - games["players"]
        faulty = np.flatnonzero(~np.ma.getmaskarray(games["forfeit_seat"]))
        for game in faulty.tolist():
            who = int(bot[starts[game] + games["forfeit_seat"].data[game]])
            side = self._side(who)
            if side is not None:
                self.forfeits[side][str(reasons[codes[game]])] += 1

    def _side(self, bot: int) -> int | None:
        """Whether a bot is the candidate or the baseline (which takes all other seats without opponents)."""
        if bot == CANDIDATE:
            return CANDIDATE
        return BASELINE if bot == BASELINE or not self.duel.paired else None
