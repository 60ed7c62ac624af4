"""The leaderboard of one or several runs: ratings with intervals and what else is said of each bot."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ttr_sim import stats
from ttr_sim.errors import TtrError, unknown
from ttr_sim.results.reader import Run
from ttr_sim.stats.arrays import by_size

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Forfeits = tuple[tuple[str, str, int], ...]

_PIECE = ("game", "block", "bot", "rank", "stratum", "score", "margin", "first")
_SEAT_COLUMNS = ("block", "bot", "rank", "score", "decisions")


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
    """All bots, the best first.

    los: likelihood of superiority, in the order of the standings. meetings: every bot against every other, by place.
    connected: whether all ratings can be compared.
    forfeits: (bot, reason, games), the most frequent first. uncounted: games that have no result because the
    worker died.
    """

    standings: tuple[Standing, ...]
    los: Floats
    meetings: tuple[stats.HeadToHead, ...]
    connected: bool
    games: int
    blocks: int
    forfeits: Forfeits
    uncounted: int

    def __str__(self) -> str:
        from ttr_sim.results.leaderboard_text import as_lines

        return "\n".join(as_lines(self))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Seat rows that have a result, ordered by game, in small types; score and margin are NaN where missing.

    think_ns, decisions: totals by bot.
    """

    game: Ints
    block: Ints
    bot: NDArray[np.int16]
    rank: NDArray[np.int8]
    stratum: NDArray[np.int32]
    score: NDArray[np.float32]
    margin: NDArray[np.float32]
    first: NDArray[np.float32]
    think_ns: Ints
    decisions: Ints


def make_leaderboard(runs: Sequence[Run], anchor: str | None = None) -> Leaderboard:
    """Return the leaderboard of the games of all runs together; bots of equal label are the same bot.

    anchor: the bot whose Elo is 0 (default: the mean is). Raises TtrError: no games, unknown anchor, damaged files.
    """
    names = bot_names(runs)
    labels = tuple(dict.fromkeys(name for own in names for name in own.values()))
    if anchor is not None and anchor not in labels:
        raise unknown("bot", anchor, labels, "--anchor: ")
    rows = _gather(runs, names, labels)
    if not len(rows.game):
        raise TtrError(f"{', '.join(run.folder.shown for run in runs)}: no game with a result yet")
    table = stats.pair_table(rows.block, rows.game, rows.bot, rows.rank, len(labels), rows.stratum)
    ratings = stats.rate(table, None if anchor is None else labels.index(anchor))
    forfeits, uncounted = _faults(runs, names)
    order = np.argsort(-ratings.elo, kind="stable").tolist()
    return Leaderboard(
        tuple(_standing(labels[bot], bot, rows, ratings, forfeits) for bot in order),
        ratings.los[np.ix_(order, order)],
        _meetings(table, order),
        ratings.connected,
        len(np.unique(rows.game)),
        len(np.unique(rows.block)),
        forfeits,
        uncounted,
    )


def _meetings(table: stats.PairTable, order: list[int]) -> tuple[stats.HeadToHead, ...]:
    place = {bot: number for number, bot in enumerate(order)}
    by_place = [replace(m, bot=place[m.bot], opponent=place[m.opponent]) for m in stats.head_to_head(table)]
    return tuple(sorted(by_place, key=lambda m: (m.bot, m.opponent)))


def _standing(label: str, bot: int, rows: _Rows, ratings: stats.Ratings, forfeits: Forfeits) -> Standing:
    here = rows.bot == bot
    block, first, decisions = rows.block[here], rows.first[here], int(rows.decisions[bot])
    return Standing(
        label,
        elo=round(float(ratings.elo[bot]), 2),
        elo_low=round(float(ratings.low[bot]), 2),
        elo_high=round(float(ratings.high[bot]), 2),
        games=int(here.sum()),
        wins=int((first == 1).sum()),
        ties=int(((first > 0) & (first < 1)).sum()),
        win_rate=stats.mean_over_blocks(first, block, (0.0, 1.0)),
        score=_mean(rows.score[here], block),
        margin=_mean(rows.margin[here], block),
        forfeits=sum(games for name, _, games in forfeits if name == label),
        decision_ms=int(rows.think_ns[bot]) / decisions / 1e6 if decisions else None,
    )


def _mean(values: NDArray[np.float32], block: Ints) -> stats.Estimate | None:
    known = ~np.isnan(values)
    return stats.mean_over_blocks(values[known], block[known]) if known.any() else None


def bot_names(runs: Sequence[Run]) -> list[dict[str, str]]:
    """Return for each run its labels and what they are called; different bots of one label get their hash."""
    kinds: dict[str, set[str]] = {}
    for run in runs:
        for bot in run.config["bots"]:
            kinds.setdefault(bot["label"], set()).add(_content(bot))
    return [
        {
            bot["label"]: bot["label"]
            if len(kinds[bot["label"]]) == 1
            else f"{bot['label']}@{bot['sha256'][:7]}"
            for bot in run.config["bots"]
        }
        for run in runs
    ]


def _content(bot: dict[str, Any]) -> str:
    return f"{bot['sha256']} {bot['name']} {sorted(bot['parameters'].items())}"


def _gather(runs: Sequence[Run], names: list[dict[str, str]], labels: tuple[str, ...]) -> _Rows:
    pieces, games = [], 0
    think_ns, decisions = np.zeros(len(labels), np.int64), np.zeros(len(labels), np.int64)
    for number, (run, own) in enumerate(zip(runs, names, strict=True)):
        code = {label: labels.index(name) for label, name in own.items()}
        for part in run.parts(games=["match"], seats=_SEAT_COLUMNS, timing=["think_ns"]):
            seats = part["seats"].with_columns(pl.col("bot").replace_strict(code, return_dtype=pl.Int16))
            bot = seats["bot"].to_numpy()
            np.add.at(decisions, bot, seats["decisions"].to_numpy())
            np.add.at(think_ns, bot, part["timing"]["think_ns"].to_numpy())
            pieces.append(_piece(run, part["games"], seats, number, games))
        games += run.info["games"]  # as many numbers as games are enough for the blocks too
    columns = {name: np.concatenate([np.empty(0, np.int8), *(p[name] for p in pieces)]) for name in _PIECE}
    return _Rows(**columns, think_ns=think_ns, decisions=decisions)


def _piece(run: Run, games: pl.DataFrame, seats: pl.DataFrame, number: int, offset: int) -> dict[str, Any]:
    """Return the columns of `_Rows` for a part of a run, by name."""
    setting = np.array([match["setting"] for match in run.config["matches"]], np.int32)
    players = seats.group_by("game", maintain_order=True).len()["len"].to_numpy()
    stratum = np.repeat(number * 1000 + setting[games["match"].to_numpy()], players).astype(np.int32)
    known = seats["rank"].is_not_null().to_numpy()
    seats, stratum = seats.filter(known), stratum[known]
    game, rank = seats["game"].to_numpy(), seats["rank"].to_numpy()
    score = seats["score"].cast(pl.Float32).fill_null(np.nan).to_numpy()
    margin, first = _per_game(game, rank, score)
    bot, block = seats["bot"].to_numpy(), seats["block"].to_numpy()
    columns = (game + offset, block + offset, bot, rank, stratum, score, margin, first)
    return dict(zip(_PIECE, columns, strict=True))


def _per_game(game: Ints, rank: NDArray[Any], score: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return each seat's margin over the best other seat, and its share of the first place."""
    margin, first = np.full(len(game), np.nan, np.float32), np.zeros(len(game), np.float32)
    for rows in by_size(game):
        leads = rank[rows] == 1
        first[rows] = leads / leads.sum(axis=1, keepdims=True)
        if rows.shape[1] > 1:
            scores = score[rows]
            second, best = np.sort(scores, axis=1)[:, -2:].T[:, :, None]
            margin[rows] = scores - np.where(scores == best, second, best)
    return margin, first


def _faults(runs: Sequence[Run], names: list[dict[str, str]]) -> tuple[Forfeits, int]:
    """Return how often which bot forfeited why, and the number of games without a result."""
    counts: Counter[tuple[str, str]] = Counter()
    uncounted = 0
    for run, own in zip(runs, names, strict=True):
        for part in run.parts(games=["end", "forfeit_seat", "forfeit_reason"], seats=["bot"]):
            faulty = part["games"].rename({"forfeit_seat": "seat"}).drop_nulls("seat")
            bots = faulty.join(part["seats"], on=("game", "seat"))
            for bot, reason in bots.select("bot", "forfeit_reason").iter_rows():
                counts[own[bot], reason or "no reason given"] += 1
            uncounted += int((part["games"]["end"] == "worker_died").sum())
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple((bot, reason, games) for (bot, reason), games in ordered), uncounted
