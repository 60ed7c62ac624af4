"""The board: which tracks and cities are wanted, when, and whether they help to win."""

from dataclasses import dataclass
from html import escape
from typing import Literal

import numpy as np

from ttr_sim.board import Board
from ttr_sim.board_facts import degrees
from ttr_sim.engine.actions import track_name
from ttr_sim.reports import charts, colors
from ttr_sim.reports.analysis import Analysis, SceneSums
from ttr_sim.reports.document import Cell, Column, Figure, Group, Section, Table, Text
from ttr_sim.reports.map import Mark, draw_map
from ttr_sim.reports.value import LEAST_BLOCKS, sure_of, under_and_over
from ttr_sim.reports.wording import CHARTED, estimate_text, listed, say
from ttr_sim.stats import RatioSums

_SHARE, _GAIN = (0.0, 1.0), (-1.0, 1.0)

CLAIMED = Column("claimed", "claimed", "share")
LIFT = Column("lift", "wins above expected", "gain")
ROUND = Column("round", "round", "number")
_REACHED = Column("reached", "reached by seats", "share")
_STATIONS = Column("stations", "stations a game", "number", 2)


def board_section(analysis: Analysis) -> Section:
    """Return the section."""
    groups = []
    for sums in analysis.scenes:
        heading = sums.scene.name if len(analysis.scenes) > 1 else ""
        if not sums.played:
            groups.append(Group(heading, [Text("No game was played to its end.")]))
            continue
        tracks, cities = _tracks(analysis, sums), _cities(sums)
        maps = [_map(sums, view, tracks, cities) for view in _views(sums)]
        values = under_and_over(sums.scene.board, sums.board)
        groups += [Group(heading, maps), Group("", [*values, _scatter(sums, tracks), *_lengths(sums)])]
    question = (
        "Which tracks and cities are fought for, when, and which help to win? The owner's wins are compared with what "
        "the same bot wins against the same opponents in other blocks: a link, not yet a cause."
    )
    return Section("board", "The board", question, groups)


def _tracks(analysis: Analysis, sums: SceneSums) -> Table:
    board, found = sums.scene.board, sums.board
    bots = [bot for bot in analysis.order if found.bot_claim.weight[bot].any()][:CHARTED]
    columns = [
        Column("track", "track"),
        Column("length", "length", "count"),
        CLAIMED,
        LIFT,
        ROUND,
        *(Column(f"claimed_by_{i}", analysis.bots[bot], "share") for i, bot in enumerate(bots, 1)),
    ]
    rows = [
        (track_name(board, t), board.tracks[t].length, found.claim.at(t, _SHARE), found.lift.at(t, _GAIN),
         found.round.at(t), *(found.bot_claim.at((bot, t), _SHARE) for bot in bots))
        for t in range(len(board.tracks))
    ]  # fmt: skip
    return Table("tracks", "Every track", columns, rows)


def _cities(sums: SceneSums) -> Table:
    board, found = sums.scene.board, sums.board
    columns = [
        Column("city", "city"),
        Column("neighbours", "neighbours", "count"),
        Column("tracks", "tracks", "count"),
        Column("used", "tracks used", "number", 2),
        _REACHED,
        Column("reach_lift", "wins above expected", "gain"),
        Column("reach_round", "round reached", "number"),
    ]
    stations = [
        _STATIONS,
        Column("station_lift", "builder's wins above expected", "gain"),
        Column("station_round", "round of the station", "number"),
    ]
    with_stations = sums.scene.rules.stations_per_player > 0
    rows: list[list[Cell]] = []
    for c, (neighbours, tracks) in enumerate(degrees(board)):
        row: list[Cell] = [board.cities[c].name, neighbours, tracks, found.used.at(c), found.reach.at(c, _SHARE),
               found.reach_lift.at(c, _GAIN), found.reach_round.at(c)]  # fmt: skip
        if with_stations:
            row += [found.station.at(c, _SHARE), found.station_lift.at(c, _GAIN), found.station_round.at(c)]
        rows.append(row)
    return Table("cities", "Every city", [*columns, *(stations if with_stations else [])], rows)


@dataclass(frozen=True, slots=True)
class _View:
    """One colouring of the map.

    tracks, cities: the values that colour them (None: left plain). scale: of colors. span: the value at the end of
    the scale. signed: the scale goes from -span to span, else from `low` to span.
    """

    name: str
    title: str
    column: Column
    tracks: RatioSums | None
    cities: RatioSums
    low: float = 0.0
    signed: bool = False
    reverse: bool = False

    def span(self) -> float:
        """The value at the strong end of the scale."""
        arrays = [np.abs(sums.mean) for sums in (self.tracks, self.cities) if sums is not None]
        known = np.concatenate([a[~np.isnan(a)] for a in arrays])
        if not len(known):
            return 1.0
        top = float(np.quantile(known, 0.97)) if self.signed else float(known.max())
        return max(top, self.low + 1e-9, 0.02 if self.signed else 1e-9)

    def colors(self, value: float, sure: bool, span: float) -> tuple[str, str]:
        """Fill and ink of a value; what is not sure of its sign is paler."""
        if np.isnan(value):
            return colors.UNKNOWN
        if self.signed:
            part = max(-1.0, min(1.0, value / span))
            return colors.diverging(part if sure else 0.3 * part)
        part = (value - self.low) / max(span - self.low, 1e-9)
        return colors.sequential(1 - part if self.reverse else part)


def _views(sums: SceneSums) -> list[_View]:
    found = sums.board
    first = np.concatenate([found.round.mean, found.reach_round.mean])
    low = float(np.nanmin(first)) if not np.isnan(first).all() else 0.0
    views = [
        _View("claimed", "How often tracks are claimed and cities reached", CLAIMED, found.claim, found.reach),
        _View("lift", "How much more than expected their owners win", LIFT, found.lift, found.reach_lift, signed=True),
        _View("round", "When tracks are claimed and cities reached", ROUND, found.round, found.reach_round, low,
              reverse=True),
    ]  # fmt: skip
    if sums.scene.rules.stations_per_player > 0 and np.nansum(found.station.mean) > 0:
        views.append(_View("stations", "Where stations stand", _STATIONS, None, found.station))
    return views


def _map(sums: SceneSums, view: _View, tracks: Table, cities: Table) -> Figure:
    board = sums.scene.board
    span = view.span()
    track_marks = {
        t: _mark(view, view.tracks, t, span, say("", tracks.rows[t][2:5], tracks.columns[2:5])[2:])
        if view.tracks is not None
        else Mark(fill=colors.UNKNOWN[0], label="\u00a0")
        for t in range(len(board.tracks))
    }
    city_marks = {
        c: _mark(view, view.cities, c, span, say("", cities.rows[c][2:], cities.columns[2:])[2:], city=True)
        for c in range(len(board.cities))
    }
    alt = f"Map of {board.title}. {view.title}. {_extremes(board, view)}"
    behind = {"claimed": tracks, "lift": cities, "round": tracks, "stations": cities}[view.name]
    prefix = f"{view.name}-{_slug(sums.scene.name)}-"

    def draw() -> str:
        return draw_map(board, tracks=track_marks, cities=city_marks, prefix=prefix, description=alt)

    return Figure(view.title, alt, draw, behind, _shape(board), _legend(view, span))


def _shape(board: Board) -> Literal["wide", "tall"]:
    xs, ys = [city.x for city in board.cities], [city.y for city in board.cities]
    return "wide" if max(xs) - min(xs) > 1.1 * (max(ys) - min(ys)) else "tall"


def _slug(text: str) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in text)


def _mark(view: _View, sums: RatioSums, index: int, span: float, tooltip: str, city: bool = False) -> Mark:
    value = float(sums.mean[index])
    fill, ink = view.colors(value, not view.signed or sure_of(sums, index), span)
    label = "" if city or np.isnan(value) else _label(view, value)
    return Mark(
        fill=fill, ink=ink, label=label or ("" if city else "·"), tooltip=tooltip, size=1.25 if city else 1.0
    )


def _label(view: _View, value: float) -> str:
    if view.column.kind in ("share", "gain"):
        return f"{100 * value:{'+' if view.signed else ''}.0f}".replace("-", "−")
    return f"{value:.0f}"


def _extremes(board: Board, view: _View) -> str:
    sums = view.tracks if view.tracks is not None else view.cities
    order = [i for i in np.argsort(-np.nan_to_num(sums.mean, nan=-9)).tolist() if sums.weight[i] > 0]

    def name(index: int) -> str:
        what = track_name(board, index) if view.tracks is not None else board.cities[index].name
        return f"{what} {estimate_text(sums.at(index), view.column)}"

    return (
        f"Highest: {listed([name(i) for i in order[:3]])}. Lowest: {listed([name(i) for i in order[-3:]])}."
    )


def _legend(view: _View, span: float) -> str:
    """The scale of a map as HTML."""
    from ttr_sim.reports.document import number

    low = -span if view.signed else view.low
    ends = [number(low, view.column), number(span, view.column)]
    scale = colors.gradient("diverging" if view.signed else "sequential")
    turned = ' style="transform:scaleX(-1)"' if view.reverse else ""
    notes = {
        "claimed": "on tracks: percent of the games",
        "lift": "on tracks: percentage points; pale: the interval holds zero",
        "round": "on tracks: mean round of the claim",
        "stations": "tracks are left plain",
    }
    return (
        f'<div class="scale"><span>{escape(ends[0])}</span><i{turned}><b style="background:{scale}"></b></i>'
        f"<span>{escape(ends[1])}</span><em>{notes[view.name]}</em></div>"
    )


def _scatter(sums: SceneSums, tracks: Table) -> Figure:
    marks: list[charts.Mark] = []
    named = _to_name(sums)
    for t, row in enumerate(tracks.rows):
        claim, lift = sums.board.claim.at(t, _SHARE), sums.board.lift.at(t, _GAIN)
        if claim is None or lift is None or lift.blocks < LEAST_BLOCKS:
            continue
        marks.append(
            {"x": claim.mean, "mean": lift.mean, "low": lift.low, "high": lift.high,
             "series": _length_class(int(str(row[1]))), "name": str(row[0]) if t in named else "",
             "say": say(str(row[0]), row[1:5], tracks.columns[1:5])}
        )  # fmt: skip
    series = [
        c
        for c in ("length 1 or 2", "length 3 or 4", "length 5 or more")
        if any(m["series"] == c for m in marks)
    ]
    alt = (
        "Tracks by how often they are claimed (to the right) and how much more than expected their owners win (up). "
        f"Farthest from zero: {listed([str(tracks.rows[t][0]) for t in named])}."
    )
    limit = 1.5 * max((abs(mark["mean"]) for mark in marks), default=0.1) or 0.1
    titles = "claimed, share of the games", "owner's wins above expected"
    spec = charts.scatter(marks, series, *titles, ("%", "+%"), limit)
    return Figure("Wanted against useful", alt, lambda: charts.draw(spec, alt), tracks)


def _to_name(sums: SceneSums) -> list[int]:
    """The tracks that stand out most and not too near to each other for their names."""
    claim, lift = sums.board.claim.mean, sums.board.lift
    strength = np.where(lift.error > 0, np.abs(lift.mean) / np.maximum(lift.error, 1e-9), 0.0)
    strength = np.where(lift.blocks >= LEAST_BLOCKS, np.nan_to_num(strength), 0.0)
    width, height = np.nan_to_num(claim).max() + 1e-9, np.nan_to_num(np.abs(lift.mean)).max() + 1e-9
    named: list[int] = []
    for t in map(int, np.argsort(-strength)):
        apart = all(
            abs(claim[t] - claim[o]) > 0.45 * width or abs(lift.mean[t] - lift.mean[o]) > 0.12 * height
            for o in named
        )
        if strength[t] > 1.96 and apart and len(named) < 6:
            named.append(t)
    return named


def _length_class(length: int) -> str:
    return "length 1 or 2" if length < 3 else "length 3 or 4" if length < 5 else "length 5 or more"


def _lengths(sums: SceneSums) -> list[Figure]:
    found, points = sums.board, sums.scene.rules.route_points
    columns = [
        Column("length", "length", "count"),
        Column("per_train", "points per train", "number", 2),
        Column("per_turn", "points per turn", "number", 2),
        Column("claims", "claims of a seat", "number", 2),
        Column("cards", "cards paid", "number", 2),
        LIFT,
    ]
    lengths = [n for n in range(len(found.length_claims.mean)) if found.length_claims.weight[n] > 0]
    rows = [
        (n, points.get(n, 0) / n, found.length_points.at(n), found.length_claims.at(n), found.length_cards.at(n),
         found.length_lift.at(n, _GAIN))
        for n in lengths
    ]  # fmt: skip
    table = Table(
        "lengths", "What each length brings", columns, rows, key=True,
        note="A claim takes its own turn and those in which its cards were drawn, extra cards of tunnels too.",
    )  # fmt: skip
    marks: list[charts.Mark] = []
    for row in rows:
        label = f"length {row[0]}"
        for column, cell in zip(columns[1:3], row[1:3], strict=True):
            if cell is None:
                continue
            mean, low, high = (
                (cell, cell, cell) if isinstance(cell, float) else (cell.mean, cell.low, cell.high)
            )
            marks.append({"label": label, "series": column.title, "mean": mean, "low": low, "high": high,
                          "say": say(label, (cell,), (column,))})  # fmt: skip
    alt = "Points of a route by its length, per train and per turn. " + listed([m["say"] for m in marks], 20)
    spec = charts.intervals(marks, [columns[1].title, columns[2].title], "route points")
    return [
        Figure("Length against points per train and per turn", alt, lambda: charts.draw(spec, alt), table)
    ]
