"""The stop rule of `--until-error`: enough games were played when every bot's Elo is known well enough."""

from collections.abc import Mapping
from math import ceil, inf
from typing import Any

import numpy as np

from ttr_sim import stats
from ttr_sim.errors import TtrError
from ttr_sim.tournament.plan import Plan
from ttr_sim.tournament.rows import TableRows
from ttr_sim.tournament.stopping import looks

LEAST_BLOCKS = 20  # of each line-up: intervals from fewer say little
_HURRY = 0.9  # the share of the games that seem to be needed at which it is asked again

_COLUMNS = {"block": np.int64, "game": np.int64, "bot": np.int16, "rank": np.int8, "setting": np.int16}


def check_error(elo: float) -> None:
    """Raise TtrError unless that is half a width of an interval to ask for."""
    if not 0 < elo < inf:
        raise TtrError(f"--until-error must be a number of Elo above 0, not {elo:g}")


class Precision:
    """Ends a run when half the width of every bot's 95 % interval, as the leaderboard shows it, is at most `elo`.

    error: that half width at the last look, the widest of all bots, in Elo. reached: whether it is small enough.
    """

    def __init__(self, plan: Plan, elo: float) -> None:
        check_error(elo)
        self._plan, self._elo = plan, elo
        schedule = plan.schedule
        self.looks = looks(schedule.cycle_games, schedule.games, LEAST_BLOCKS)
        self.error, self.reached = inf, False
        self._settings = np.array([match.setting for match in schedule.matches])
        self._kept: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
        self._ask_at = 0

    def add(self, rows: TableRows) -> None:
        """Take note of who won."""
        seats, games = rows.tables["seats"], rows.tables["games"]
        rank = np.ma.filled(seats["rank"].astype(np.int8), 0)
        self._keep({**seats, "bot": seats["bot"][0], "rank": rank}, games)

    def go_on(self, parts: Any, games: int) -> None:
        """Take over the first `games` games of a run that was interrupted, part by part as `Run.parts` yields them.

        It looks again wherever it looked before, so that the run ends where it would have ended.
        """
        code = {label: bot for bot, label in enumerate(self._plan.labels)}
        for part in parts:
            seats = {name: part["seats"][name].to_numpy() for name in ("block", "game")}
            seats["bot"] = part["seats"]["bot"].replace_strict(code).to_numpy()
            seats["rank"] = part["seats"]["rank"].fill_null(0).to_numpy()
            self._keep(seats, {name: part["games"][name].to_numpy() for name in ("match", "players")})
        for look in self.looks:
            if look <= games:
                self.reached = False
                self.enough(look)
        self.reached = self.reached and games in self.looks

    def enough(self, games: int) -> bool:
        """Tell whether the intervals after the first `games` games are narrow enough; skips looks that are too early."""
        if games < min(self._ask_at, self.looks[-1]):
            return False
        self.error = self._error(games)
        self.reached = self.error <= self._elo
        # The error falls with the square root of the games.
        self._ask_at = ceil(_HURRY * games * (self.error / self._elo) ** 2)
        return self.reached

    def _keep(self, seats: Mapping[str, Any], games: Mapping[str, Any]) -> None:
        setting = np.repeat(self._settings[games["match"]], games["players"])
        for name, kind in _COLUMNS.items():
            values = setting if name == "setting" else seats[name]
            self._kept[name].append(np.asarray(values, kind))

    def _error(self, games: int) -> float:
        self._kept = {name: [np.concatenate(arrays)] for name, arrays in self._kept.items()}
        columns = {name: arrays[0] for name, arrays in self._kept.items()}
        here = (columns["game"] < games) & (columns["rank"] > 0)
        block, game, bot, rank, setting = (columns[name][here] for name in _COLUMNS)
        table = stats.pair_table(block, game, bot, rank, len(self._plan.bots), setting)
        return float(stats.rate(table).error.max())
