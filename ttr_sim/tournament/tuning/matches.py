"""The games of a tuning: candidates against opponents on the same deals, and the match that verifies the result."""

from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ttr_sim.bot.specs import BotSpec
from ttr_sim.stats import game_scores
from ttr_sim.tournament.plan import Plan, Setting, unique_labels
from ttr_sim.tournament.rows import TableRows
from ttr_sim.tournament.schedule import Match, Schedule, cycle_games

Scores = NDArray[np.float64]
SAVE_EVERY = 20.0  # seconds


def duel_plan(
    setting: Setting,
    candidates: Sequence[BotSpec],
    opponents: Sequence[BotSpec],
    *,
    players: int,
    blocks: int,
    seed: int,
) -> Plan:
    """Every candidate meets every opponent in `blocks` blocks, all on the same deals; the opponent has all other seats."""
    bots, matches = list(candidates), []
    for opponent in opponents:
        seats = range(len(bots), len(bots) + players - 1)
        bots += [opponent] * (players - 1)
        matches += [Match(0, (candidate, *seats)) for candidate in range(len(candidates))]
    schedule = Schedule(tuple(matches), seed, blocks * cycle_games(matches))
    return Plan((setting,), tuple(bots), unique_labels([bot.label for bot in bots]), schedule)


class Book:
    """Scores of the candidates' games by number, nan where not played; a sink for `run.play`.

    save: called now and then, so that little is lost when the process is killed.
    """

    def __init__(self, plan: Plan, save: Callable[[], None]) -> None:
        self._plan, self._save, self._saved = plan, save, monotonic()
        self.scores: Scores = np.full(plan.schedule.games, np.nan)

    def add(self, rows: TableRows) -> None:
        """Keep the candidates' scores of finished games; a game without result counts half."""
        seats = rows.tables["seats"]
        bots, ranks = seats["bot"][0], np.ma.filled(seats["rank"], 1)
        scores = game_scores(seats["game"], ranks)
        matches = self._plan.schedule.rows(np.unique(seats["game"])).match
        candidate = np.array([match.bots[0] for match in self._plan.schedule.matches])[matches]
        mine = bots == np.repeat(candidate, np.unique(seats["game"], return_counts=True)[1])
        self.scores[seats["game"][mine]] = scores[mine]

    def tick(self) -> None:
        """Save now and then."""
        if monotonic() - self._saved > SAVE_EVERY:
            self._save()
            self._saved = monotonic()

    @property
    def missing(self) -> list[range]:
        """The games not played, as ranges."""
        open_games = np.flatnonzero(np.isnan(self.scores))
        return [range(int(run[0]), int(run[-1]) + 1) for run in _runs(open_games)]

    def by_candidate(self) -> list[float]:
        """Mean score of each candidate, by its number."""
        owner = self._owners()
        return [float(self.scores[owner == c].mean()) for c in np.unique(owner)]

    def by_block(self) -> Scores:
        """Mean score of each block."""
        rows = self._plan.schedule.rows(np.arange(len(self.scores)))
        blocks: Scores = np.bincount(rows.block, weights=self.scores) / np.bincount(rows.block)
        return blocks

    def _owners(self) -> NDArray[Any]:
        rows = self._plan.schedule.rows(np.arange(len(self.scores)))
        first: NDArray[Any] = np.array([match.bots[0] for match in self._plan.schedule.matches])[rows.match]
        return first


def _runs(numbers: NDArray[Any]) -> Iterator[NDArray[Any]]:
    return (run for run in np.split(numbers, np.flatnonzero(np.diff(numbers) > 1) + 1) if len(run))
