"""The leaderboard of one or several runs: ratings with intervals and what else is said of each bot."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ttr_sim import paths, stats
from ttr_sim.errors import TtrError, unknown
from ttr_sim.results.reader import Run
from ttr_sim.stats.arrays import by_size

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_UNBOUNDED = (-np.inf, np.inf)


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

    los: likelihood of superiority, in the order of the standings. connected: whether all ratings can be compared.
    forfeits: (bot, reason, games), the most frequent first. uncounted: games that have no result because the
    worker died.
    """

    standings: tuple[Standing, ...]
    los: Floats
    connected: bool
    games: int
    blocks: int
    forfeits: tuple[tuple[str, str, int], ...]
    uncounted: int


@dataclass(frozen=True, slots=True)
class _Rows:
    """Seat rows of all runs, ordered by game; NaN where missing."""

    labels: tuple[str, ...]
    game: Ints
    block: Ints
    bot: Ints
    rank: Ints
    stratum: Ints
    score: Floats
    margin: Floats
    first: Floats
    decisions: Ints
    think_ns: Ints


def make_leaderboard(runs: Sequence[Run], anchor: str | None = None) -> Leaderboard:
    """Return the leaderboard of the games of all runs together; bots of equal label are the same bot.

    anchor: the bot whose Elo is 0 (default: the mean is). Raises TtrError: no games, unknown anchor, damaged files.
    """
    labels = _labels(runs)
    rows = _gather(runs, labels)
    if not len(rows.game):
        raise TtrError(f"{', '.join(run.folder.shown for run in runs)}: no game with a result yet")
    if anchor is not None and anchor not in rows.labels:
        raise unknown("bot", anchor, rows.labels, "--anchor: ")
    bots = len(rows.labels)
    table = stats.pair_table(rows.block, rows.game, rows.bot, rows.rank, bots, rows.stratum)
    ratings = stats.rate(table, None if anchor is None else rows.labels.index(anchor))
    forfeits, uncounted = _faults(runs, labels)
    lost = {label: sum(n for bot, _, n in forfeits if bot == label) for label in rows.labels}
    order = np.argsort(-ratings.elo, kind="stable")
    return Leaderboard(
        tuple(_standing(rows, int(bot), ratings, lost[rows.labels[bot]]) for bot in order),
        ratings.los[np.ix_(order, order)],
        ratings.connected,
        len(np.unique(rows.game)),
        len(np.unique(rows.block)),
        forfeits,
        uncounted,
    )


def _standing(rows: _Rows, bot: int, ratings: stats.Ratings, forfeits: int) -> Standing:
    here = rows.bot == bot
    block, first = rows.block[here], rows.first[here]
    decisions = int(rows.decisions[here].sum())
    return Standing(
        rows.labels[bot],
        elo=round(float(ratings.elo[bot]), 2),
        elo_low=round(float(ratings.low[bot]), 2),
        elo_high=round(float(ratings.high[bot]), 2),
        games=int(here.sum()),
        wins=int((first == 1).sum()),
        ties=int(((first > 0) & (first < 1)).sum()),
        win_rate=stats.mean_over_blocks(first, block, (0.0, 1.0)),
        score=_mean(rows.score[here], block),
        margin=_mean(rows.margin[here], block),
        forfeits=forfeits,
        decision_ms=int(rows.think_ns[here].sum()) / decisions / 1e6 if decisions else None,
    )


def _mean(values: Floats, block: Ints) -> stats.Estimate | None:
    known = ~np.isnan(values)
    return stats.mean_over_blocks(values[known], block[known]) if known.any() else None


def _labels(runs: Sequence[Run]) -> list[list[str]]:
    """Return the label of each bot of each run; bots that differ under one label get their content's hash."""
    kinds: dict[str, set[str]] = {}
    for run in runs:
        for bot in run.config["bots"]:
            kinds.setdefault(bot["label"], set()).add(_content(bot))
    return [
        [
            bot["label"] if len(kinds[bot["label"]]) == 1 else f"{bot['label']}@{bot['sha256'][:7]}"
            for bot in run.config["bots"]
        ]
        for run in runs
    ]


def _content(bot: dict[str, Any]) -> str:
    return f"{bot['sha256']} {bot['name']} {sorted(bot['parameters'].items())}"


def _gather(runs: Sequence[Run], labels: list[list[str]]) -> _Rows:
    known = tuple(dict.fromkeys(label for names in labels for label in names))
    parts, games, blocks = [], 0, 0
    for number, (run, names) in enumerate(zip(runs, labels, strict=True)):
        frame = _collect(run, _seat_rows(run, names, known))
        parts.append(
            frame.with_columns(
                (pl.col("game") + games).alias("game"),
                (pl.col("block") + blocks).alias("block"),
                (pl.col("setting") + number * 1000).alias("stratum"),
            )
        )
        games += run.info["games"]
        blocks += run.info["games"]
    frame = pl.concat(parts)
    ints = {
        name: frame[name].to_numpy().astype(np.int64, copy=False)
        for name in ("game", "block", "bot", "rank", "stratum", "decisions", "think_ns")
    }
    score = frame["score"].cast(pl.Float64).fill_null(np.nan).to_numpy()
    margin, first = _per_game(ints["game"], ints["rank"], score)
    return _Rows(known, score=score, margin=margin, first=first, **ints)


def _seat_rows(run: Run, names: list[str], known: tuple[str, ...]) -> pl.LazyFrame:
    """Return what the leaderboard needs of every seat that has a result."""
    own = [bot["label"] for bot in run.config["bots"]]
    to_number = {label: known.index(name) for label, name in zip(own, names, strict=True)}
    columns = ("game", "block", "seat", "bot", "rank", "score", "decisions")
    seats = run.seats().select(columns).filter(pl.col("rank").is_not_null())
    seats = seats.with_columns(pl.col("bot").replace_strict(to_number, return_dtype=pl.Int32))
    seats = seats.join(
        run.timing().select("game", "seat", "think_ns"), on=("game", "seat"), maintain_order="left"
    )
    settings = [match["setting"] for match in run.config["matches"]]
    if len(set(settings)) == 1:
        return seats.with_columns(pl.lit(0).alias("setting"))
    of_game = run.games().select("game", setting=pl.col("match").replace_strict(dict(enumerate(settings))))
    return seats.join(of_game, on="game", maintain_order="left")


def _per_game(game: Ints, rank: Ints, score: Floats) -> tuple[Floats, Floats]:
    """Return each seat's margin over the best other seat, and its share of the first place."""
    margin, first = np.full(len(game), np.nan), np.zeros(len(game))
    for rows in by_size(game):
        leads = rank[rows] == 1
        first[rows] = leads / leads.sum(axis=1, keepdims=True)
        if rows.shape[1] > 1:
            scores = score[rows]
            second, best = np.sort(scores, axis=1)[:, -2:].T[:, :, None]
            margin[rows] = scores - np.where(scores == best, second, best)
    return margin, first


def _faults(runs: Sequence[Run], labels: list[list[str]]) -> tuple[tuple[tuple[str, str, int], ...], int]:
    """Return how often which bot forfeited why, and the number of games without a result."""
    counts: dict[tuple[str, str], int] = {}
    uncounted = 0
    for run, names in zip(runs, labels, strict=True):
        to_name = {bot["label"]: name for bot, name in zip(run.config["bots"], names, strict=True)}
        for bot, reason, games in _collect(run, _forfeits(run)).iter_rows():
            key = to_name[bot], reason or "no reason given"
            counts[key] = counts.get(key, 0) + games
        died = run.games().filter(pl.col("end") == "worker_died").select(pl.len())
        uncounted += int(_collect(run, died).item())
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple((bot, reason, games) for (bot, reason), games in ordered), uncounted


def _forfeits(run: Run) -> pl.LazyFrame:
    """Return bot, reason and number of games of every kind of forfeit."""
    games = (
        run.games().select("game", pl.col("forfeit_seat").alias("seat"), "forfeit_reason").drop_nulls("seat")
    )
    bots = games.join(run.seats().select("game", "seat", "bot"), on=("game", "seat"))
    return bots.group_by("bot", "forfeit_reason").len().select("bot", "forfeit_reason", "len")


def _collect(run: Run, frame: pl.LazyFrame) -> pl.DataFrame:
    try:
        return frame.collect()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise TtrError(
            f"{_culprit(run)}: is truncated or damaged: {str(error).splitlines()[0][:200]}"
        ) from None


def _culprit(run: Run) -> str:
    """Return the first file of a run that cannot be read from end to end."""
    for file in _files(run):
        try:
            pl.read_parquet(file)
        except (pl.exceptions.PolarsError, OSError):
            return paths.shown(file)
    return run.folder.shown


def _files(run: Run) -> Iterable[Any]:
    return (file for table in ("games", "seats", "timing") for file in run.folder.parts(table))
