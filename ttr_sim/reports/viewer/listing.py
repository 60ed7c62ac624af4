"""The games of a run to choose from: filtered, sorted and a page at a time, also out of millions."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from ttr_sim.errors import TtrError, unknown
from ttr_sim.results.reader import Run

PAGE = 50
RESULTS = ("won", "tied", "lost", "forfeited")
SORTS = ("game", "margin", "turns", "decisions", "score", "seed")
ORDERS = ("up", "down")


@dataclass(frozen=True, slots=True)
class Query:
    """Which games, in which order. None or "" where it does not matter.

    bot: its label. result: one of RESULTS. least, most: bounds of the margin: points ahead of the best other (negative:
    behind). Result and margin are those of the bot; without one, of any seat with that result; else of the winner.
    end: why the game ended. setting: "board / rules". seed: of the deal. sort, order: one of SORTS and ORDERS. page:
    from 0.
    """

    bot: str = ""
    result: str = ""
    least: int | None = None
    most: int | None = None
    end: str = ""
    setting: str = ""
    seed: int | None = None
    sort: str = "game"
    order: str = "up"
    page: int = 0


def read_query(texts: Mapping[str, str]) -> Query:
    """Return the query of an address. Raises TtrError that names the part that is wrong."""
    values: dict[str, Any] = {}
    for name, text in texts.items():
        if name not in Query.__slots__:
            raise unknown("filter", name, Query.__slots__)
        if text:
            values[name] = _whole(name, text) if name in ("least", "most", "seed", "page") else text
    query = Query(**values)
    for name, allowed in (("result", RESULTS), ("sort", SORTS), ("order", ORDERS)):
        if getattr(query, name) and getattr(query, name) not in allowed:
            raise unknown(name, getattr(query, name), allowed)
    if query.page < 0:
        raise TtrError(f"page must be 0 or more, not {query.page}")
    return query


def _whole(name: str, text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        raise TtrError(f"{name} must be a whole number, not {text!r}") from None
    if not -(2**63) <= number < 2**64:
        raise TtrError(f"{name} must be a number of at most 64 bits, not {text}")
    return number


class Listing:
    """The games of a run, about 100 bytes each in memory."""

    def __init__(self, run: Run) -> None:
        games = run.games().select(
            "game",
            "turns",
            "decisions",
            pl.col("end").cast(pl.Categorical),
            pl.concat_str("board", pl.lit(" / "), "rules").cast(pl.Categorical).alias("setting"),
            "seed",
        )
        self._games = games.collect()
        self._seats = _with_margins(run.seats()).collect()

    def __len__(self) -> int:
        return len(self._games)

    @property
    def choices(self) -> dict[str, list[str]]:
        """What there is to choose from: bots, ends and settings."""
        columns = {"bot": self._seats, "end": self._games, "setting": self._games}
        return {
            name: sorted(frame[name].cast(pl.String).unique().to_list()) for name, frame in columns.items()
        }

    def page(self, query: Query) -> dict[str, Any]:
        """Return one page of the games that fit, as JSON data, with the number of all that fit."""
        found = self._matching(query)
        total = found.select(pl.len()).collect().item()
        order = found.sort(query.sort, "game", descending=[query.order == "down", False], nulls_last=True)
        rows = order.slice(query.page * PAGE, PAGE).collect()
        seats = self._seats.filter(pl.col("game").is_in(rows["game"].to_list()))
        by_game: dict[int, list[dict[str, Any]]] = {}
        for seat in seats.select("game", "bot", "score", "rank", "result").to_dicts():
            by_game.setdefault(seat.pop("game"), []).append(seat)
        listed = [
            {**row, "seed": str(row["seed"]), "seats": by_game[row["game"]]}  # JavaScript has 53 bits
            for row in rows.select(
                "game", "turns", "decisions", "end", "setting", "seed", "margin"
            ).to_dicts()
        ]
        return {"total": total, "page": query.page, "pages": max(1, -(-total // PAGE)), "rows": listed}

    def _matching(self, query: Query) -> pl.LazyFrame:
        seats = self._seats.lazy().select("game", "bot", "margin", "result", "score", "rank", "speaks")
        if query.bot:
            seats = seats.filter(pl.col("bot") == query.bot)
        elif not query.result:
            seats = seats.filter("speaks")
        if query.result:
            seats = seats.filter(pl.col("result") == query.result)
        if query.least is not None:
            seats = seats.filter(pl.col("margin") >= query.least)
        if query.most is not None:
            seats = seats.filter(pl.col("margin") <= query.most)
        games = self._games.lazy()
        for name in ("end", "setting"):
            if getattr(query, name):
                games = games.filter(pl.col(name) == getattr(query, name))
        if query.seed is not None:
            games = games.filter(pl.col("seed") == query.seed)
        if query.result and not query.bot:
            seats = seats.unique("game", keep="first", maintain_order=True)
        return games.join(seats, on="game", how="inner")


def _with_margins(seats: pl.LazyFrame) -> pl.LazyFrame:
    """Add to each seat its result and its points ahead of the best other (missing where there are no scores).

    The first of the best placed seats `speaks` for its game.
    """
    best = pl.col("score").max().over("game")
    second = pl.col("score").filter(pl.col("score") < pl.col("best")).max().over("game")
    first = (pl.col("rank") == 1).sum().over("game")
    return (
        seats.select("game", "seat", pl.col("bot").cast(pl.Categorical), "rank", "score")
        .with_columns(best=best, first=first, top=pl.col("rank").min().over("game"))
        .with_columns(second=second, at_best=(pl.col("score") == pl.col("best")).sum().over("game"))
        .with_columns(
            margin=pl.when(pl.col("score") < pl.col("best"))
            .then(pl.col("score") - pl.col("best"))
            .when(pl.col("at_best") > 1)
            .then(pl.lit(0))
            .otherwise(pl.col("score") - pl.col("second"))
            .cast(pl.Int16),
            result=pl.when(pl.col("score").is_null() & (pl.col("rank") != 1))
            .then(pl.lit("forfeited"))
            .when((pl.col("rank") == 1) & ((pl.col("first") == 1) | pl.col("score").is_null()))
            .then(pl.lit("won"))
            .when(pl.col("rank") == 1)
            .then(pl.lit("tied"))
            .when(pl.col("rank").is_null())
            .then(pl.lit(None))
            .otherwise(pl.lit("lost"))
            .cast(pl.Categorical),
            speaks=pl.col("seat")
            == pl.col("seat").filter(pl.col("rank").eq_missing(pl.col("top"))).min().over("game"),
        )
        .drop("best", "second", "first", "at_best", "top")
    )
