"""The leaderboard of one or several runs: ratings with intervals and what else is said of each bot."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ttr_sim import stats
from ttr_sim.errors import TtrError, unknown
from ttr_sim.results.gathered import Gathered, Ints, Rows, bot_names, gather, setting_names
from ttr_sim.results.reader import Run
from ttr_sim.results.together import distinct_runs, shared_deals

__all__ = ["Leaderboard", "Standing", "bot_names", "make_leaderboard"]

Floats = NDArray[np.float64]

Forfeits = tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot.

    win_rate: share of first places, a shared one split among those who share it. score: final points; margin:
    points ahead of the best other seat; both over the games played to their end, None without any. Estimates have
    95 % intervals over blocks. decision_ms: mean time of a decision, None without any.
    """

    bot: str
    elo: float
    elo_low: float
    elo_high: float
    games: int
    wins: int
    ties: int
    win_rate: stats.Estimate
    score: stats.Estimate | None
    margin: stats.Estimate | None
    forfeits: int
    decision_ms: float | None


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """All bots with a result, the best first.

    los: likelihood of superiority, in the order of the standings. meetings: every bot against every other, by place.
    connected: whether all ratings can be compared. forfeits: (bot, reason, games), the most frequent first. uncounted:
    games that have no result because the worker died; unplayed: games that were not played, since a bot of them had been
    withdrawn. warnings: what makes the numbers less sure than they look.
    Only in details: seats: the effect of the seat, for each number of players; settings: (board, rules, leaderboard of
    the games on them), where there are several.
    """

    standings: tuple[Standing, ...]
    los: Floats
    meetings: tuple[stats.HeadToHead, ...]
    connected: bool
    games: int
    blocks: int
    forfeits: Forfeits
    uncounted: int
    unplayed: int
    warnings: tuple[str, ...] = ()
    seats: tuple[stats.SeatEffect, ...] = ()
    settings: "tuple[tuple[str, str, Leaderboard], ...]" = ()

    def __str__(self) -> str:
        from ttr_sim.results.leaderboard_text import as_lines

        return "\n".join(as_lines(self))


def make_leaderboard(runs: Sequence[Run], anchor: str | None = None, *, details: bool = False) -> Leaderboard:
    """Return the leaderboard of the games of all runs together; bots of equal label are the same bot.

    anchor: the bot whose Elo is 0 (default: the mean is). Raises TtrError: no games, games that would count twice,
    unknown anchor, damaged files.
    """
    runs = distinct_runs(runs)
    found = gather(runs)
    if anchor is not None and anchor not in found.bots:
        raise unknown("bot", anchor, found.bots, "--anchor: ")
    if not len(found.rows.game):
        raise TtrError(f"{', '.join(run.folder.shown for run in runs)}: no game with a result yet")
    faults = _Faults(runs)
    everywhere = range(len(found.settings))
    board = _make(found, faults, found.rows, everywhere, anchor, details)
    board = replace(board, warnings=tuple(shared_deals(runs)))
    if details and len(everywhere) > 1:
        return replace(board, settings=_by_setting(found, faults, anchor))
    return board


def _by_setting(
    found: Gathered, faults: "_Faults", anchor: str | None
) -> tuple[tuple[str, str, Leaderboard], ...]:
    return tuple(
        (*name, _make(found, faults, rows, [setting], anchor, details=True))
        for setting, name in enumerate(found.settings)
        if len((rows := found.rows.where(found.rows.setting == setting)).game)
    )


def _make(
    found: Gathered,
    faults: "_Faults",
    rows: Rows,
    settings: Collection[int],
    anchor: str | None,
    details: bool,
) -> Leaderboard:
    """Return the leaderboard of some rows, which are those of `settings`."""
    present = np.unique(rows.bot)
    labels = [found.bots[bot] for bot in present]
    bot = np.searchsorted(present, rows.bot)
    table = stats.pair_table(rows.block, rows.game, bot, rows.rank, len(labels), rows.stratum)
    ratings = stats.rate(table, labels.index(anchor) if anchor in labels else None)
    forfeits, uncounted, unplayed = faults.of([found.settings[setting] for setting in settings])
    think_ns, decisions = (
        of[list(settings)].sum(axis=0)[present] for of in (found.think_ns, found.decisions)
    )
    order = np.argsort(-ratings.elo, kind="stable").tolist()
    standings = []
    for b in order:
        ms = int(think_ns[b]) / int(decisions[b]) / 1e6 if decisions[b] else None
        lost = sum(games for name, _, games in forfeits if name == labels[b])
        standings.append(_standing(labels[b], b, rows.where(bot == b), ratings, lost, ms))
    return Leaderboard(
        tuple(standings),
        ratings.los[np.ix_(order, order)],
        _meetings(table, order),
        ratings.connected,
        len(np.unique(rows.game)),
        len(table.stratum),
        forfeits,
        uncounted,
        unplayed,
        seats=_seats(rows) if details else (),
    )


def _seats(rows: Rows) -> tuple[stats.SeatEffect, ...]:
    """Return the effect of the seat for each number of players, ascending."""
    _, inverse, players = np.unique(rows.game, return_inverse=True, return_counts=True)
    size = players[inverse]
    found = (rows.where(size == number) for number in np.unique(size))
    return tuple(stats.seat_effect(some.block, some.game, some.seat, some.rank) for some in found)


def _meetings(table: stats.PairTable, order: list[int]) -> tuple[stats.HeadToHead, ...]:
    place = {bot: number for number, bot in enumerate(order)}
    by_place = [replace(m, bot=place[m.bot], opponent=place[m.opponent]) for m in stats.head_to_head(table)]
    return tuple(sorted(by_place, key=lambda m: (m.bot, m.opponent)))


def _standing(
    label: str, bot: int, rows: Rows, ratings: stats.Ratings, forfeits: int, decision_ms: float | None
) -> Standing:
    return Standing(
        label,
        elo=round(float(ratings.elo[bot]), 2),
        elo_low=round(float(ratings.low[bot]), 2),
        elo_high=round(float(ratings.high[bot]), 2),
        games=len(rows.game),
        wins=int((rows.first == 1).sum()),
        ties=int(((rows.first > 0) & (rows.first < 1)).sum()),
        win_rate=stats.mean_over_blocks(rows.first, rows.block, (0.0, 1.0)),
        score=_mean(rows.score, rows.block),
        margin=_mean(rows.margin, rows.block),
        forfeits=forfeits,
        decision_ms=decision_ms,
    )


def _mean(values: NDArray[np.float32], block: Ints) -> stats.Estimate | None:
    known = ~np.isnan(values)
    return stats.mean_over_blocks(values[known], block[known]) if known.any() else None


class _Faults:
    """How often which bot forfeited why, and how many games have no result, on each board and rules."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self._forfeits: Counter[tuple[tuple[str, str], str, str]] = Counter()
        self._without: Counter[tuple[tuple[str, str], str]] = Counter()
        for run, own, places in zip(runs, bot_names(runs), setting_names(runs), strict=True):
            of_match = [places[match["setting"]] for match in run.config["matches"]]
            for part in run.parts(games=["match", "end", "forfeit_seat", "forfeit_reason"], seats=["bot"]):
                self._count(part, own, of_match)

    def of(self, settings: Sequence[tuple[str, str]]) -> tuple[Forfeits, int, int]:
        """Return (bot, reason, games), the most frequent first, and how many games have no result or were not played."""
        counts: Counter[tuple[str, str]] = Counter()
        for (setting, bot, reason), games in self._forfeits.items():
            if setting in settings:
                counts[bot, reason] += games
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        uncounted, unplayed = (
            sum(
                games for (setting, how), games in self._without.items() if how == end and setting in settings
            )
            for end in ("worker_died", "not_played")
        )
        return tuple((bot, reason, games) for (bot, reason), games in ordered), uncounted, unplayed

    def _count(self, part: dict[str, Any], own: dict[str, str], of_match: list[tuple[str, str]]) -> None:
        faulty = part["games"].rename({"forfeit_seat": "seat"}).drop_nulls("seat")
        bots = faulty.join(part["seats"], on=("game", "seat"))
        for match, bot, reason in bots.select("match", "bot", "forfeit_reason").iter_rows():
            self._forfeits[of_match[match], own[bot], reason or "no reason given"] += 1
        without = part["games"].filter(pl.col("end").is_in(["worker_died", "not_played"]))
        for match, end, games in without.group_by("match", "end").len().iter_rows():
            self._without[of_match[match], end] += games
