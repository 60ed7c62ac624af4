"""Charts: Vega-Lite specifications, drawn to SVG without a browser.

Colours are CSS variables of the page, so that a chart follows light, dark and paper. Marks are plain dicts of fields;
`say` is what a mark says on pointing.
"""

import json
import math
import re
from collections.abc import Sequence
from html import escape
from typing import Any

Mark = dict[str, Any]
Spec = dict[str, Any]

WIDTH = 330  # of the inner part, so that a chart with its labels fits a phone
SERIES = tuple(f"var(--c{i})" for i in range(8))
_DASHES = ([1, 0], [6, 2], [2, 2], [8, 2, 2, 2], [1, 0], [6, 2], [2, 2], [8, 2, 2, 2])
_SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "circle", "square")
_INK, _MUTED, _GRID = "var(--ink)", "var(--muted)", "var(--grid)"

_AXIS = {
    "labelColor": _INK, "titleColor": _MUTED, "gridColor": _GRID, "domainColor": _MUTED, "tickColor": _MUTED,
    "labelFontSize": 11, "titleFontSize": 11, "titleFontWeight": "normal", "labelLimit": 150, "titlePadding": 6,
    "labelFlush": False,
}  # fmt: skip
_CONFIG = {
    "background": "transparent",
    "font": "system-ui, sans-serif",
    "padding": 2,
    "view": {"stroke": None},
    "axis": _AXIS,
    "legend": {"labelColor": _INK, "titleColor": _MUTED, "labelFontSize": 11, "orient": "top", "title": None,
               "labelLimit": 170, "columns": 2, "symbolStrokeWidth": 2, "symbolOpacity": 1, "columnPadding": 14,
               "offset": 8},
    "header": {"labelColor": _INK, "title": None},
}  # fmt: skip


def draw(spec: Spec, alt: str) -> str:
    """Return the SVG of a specification as an image with this alternative text."""
    import vl_convert

    whole = {"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "config": _CONFIG, **spec}
    svg: str = vl_convert.vegalite_to_svg(json.dumps(_finite(whole), allow_nan=False))
    svg = re.sub(r' (xmlns:xlink|version|aria-roledescription|pointer-events)="[^"]*"', "", svg)
    return svg.replace('class="marks"', f'class="chart" role="img" aria-label="{escape(alt)}"', 1)


def _finite(value: Any) -> Any:
    """The same with null for numbers without bounds, as of the interval of a single block: no mark is drawn then."""
    if isinstance(value, dict):
        return {key: _finite(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def color(series: Sequence[str]) -> Spec:
    """The colours of some series, always in their order."""
    return {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": list(series), "range": list(SERIES[: len(series)])},
        "legend": None if len(series) < 2 else {},
    }


def _x(field: str, title: str, **more: Any) -> Spec:
    return {"field": field, "type": "quantitative", "title": title, **more}


def _rule(value: float, channel: str = "x") -> Spec:
    """A dashed line at a value to compare with."""
    return {
        "data": {"values": [{"v": value}]},
        "mark": {"type": "rule", "strokeDash": [4, 3], "color": _MUTED, "aria": False},
        "encoding": {channel: {"field": "v", "type": "quantitative"}},
    }


def intervals(
    rows: Sequence[Mark],
    series: Sequence[str],
    title: str,
    reference: float | None = None,
    form: str = "",
    *,
    one_row: bool = False,
    limit: tuple[float, float] | None = None,
) -> Spec:
    """A dot with its interval for every `label`, one below the other.

    Several series have a line each, or share it (`one_row`). limit: what is beyond is cut off.
    """
    labels = list(dict.fromkeys(row["label"] for row in rows))
    lanes = 1 if one_row else len(series)
    y: Spec = {"field": "label", "type": "nominal", "sort": labels, "title": None}
    offset = {"yOffset": {"field": "series", "sort": list(series)}} if lanes > 1 else {}
    scale: Spec = {"zero": False, "nice": True, **({"domain": list(limit), "nice": False} if limit else {})}
    axis: Spec = {"tickCount": 5, **({"format": form} if form else {})}
    common = {"y": y, **offset, "color": color(series), "description": {"field": "say"}}
    shape = {**color(series), "scale": {"domain": list(series), "range": list(_SHAPES)}}
    return {
        "width": WIDTH - 90,
        "height": {"step": 18 if lanes == 1 else max(26, 12 * lanes), "for": "position"},
        "data": {"values": list(rows)},
        "layer": [
            *([_rule(reference)] if reference is not None else []),
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.55, "aria": False, "clip": True},
                "encoding": {
                    **common,
                    "x": _x("low", title, scale=scale, axis=axis),
                    "x2": {"field": "high"},
                },
            },
            {
                "mark": {
                    "type": "point",
                    "filled": True,
                    "size": 50,
                    "opacity": 1,
                    "clip": limit is not None,
                },
                "encoding": {**common, "x": _x("mean", title), "shape": shape},
            },
        ],
    }


def bars(rows: Sequence[Mark], x: str, y: str) -> Spec:
    """Bars from `x` to `x2`, each with its interval from `low` to `high` in the `middle`."""
    axis = {"format": "%", "tickCount": 5}
    return {
        "width": WIDTH,
        "height": 180,
        "data": {"values": list(rows)},
        "layer": [
            {
                "mark": {"type": "bar", "color": SERIES[0], "binSpacing": 1},
                "encoding": {
                    "x": _x("x", x, bin="binned", axis={"grid": False, "tickCount": 6}),
                    "x2": {"field": "x2"},
                    "y": _x("mean", y, axis=axis),
                    "description": {"field": "say"},
                },
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.55, "aria": False},
                "encoding": {
                    "x": _x("middle", x),
                    "y": _x("low", y, axis=axis),
                    "y2": {"field": "high"},
                },
            },
        ],
    }


def lines(
    rows: Sequence[Mark], series: Sequence[str], x: str, y: str, form: str = "", area: bool = False
) -> Spec:
    """Lines over `x` with a band of `low` to `high`; some points carry what they say."""
    step = max(1, len({row["x"] for row in rows}) // 24)
    points = [row for row in rows if int(row["x"]) % step == 0]
    channel = {"x": _x("x", x, axis={"grid": False, "tickCount": 6}), "color": color(series)}
    axis: Spec = {"tickCount": 5, **({"format": form} if form else {})}
    layer: list[Spec] = [
        {
            "mark": {"type": "area", "opacity": 0.2, "aria": False},
            "encoding": {**channel, "y": _x("low", y, axis=axis), "y2": {"field": "high"}},
        },
        {
            "mark": {
                "type": "line",
                "strokeWidth": 2,
                "aria": False,
                **({"interpolate": "step"} if area else {}),
            },
            "encoding": {
                **channel,
                "y": _x("mean", y),
                "strokeDash": {**color(series), "scale": {"domain": list(series), "range": list(_DASHES)}},
            },
        },
        {
            "data": {"values": points},
            "mark": {"type": "point", "filled": True, "size": 110, "opacity": 0},
            "encoding": {**channel, "y": _x("mean", y), "description": {"field": "say"}},
        },
    ]
    return {"width": WIDTH, "height": 200, "data": {"values": list(rows)}, "layer": layer}


def stacked(rows: Sequence[Mark], series: Sequence[str], title: str) -> Spec:
    """Bars of parts, one bar for every `label`; negative parts go to the left."""
    labels = list(dict.fromkeys(row["label"] for row in rows))
    y = {"field": "label", "type": "nominal", "sort": labels, "title": None}
    return {
        "width": WIDTH - 80,
        "height": {"step": 26},
        "data": {"values": list(rows)},
        "layer": [
            {
                "mark": {"type": "bar", "height": 17, "stroke": "var(--paper)", "strokeWidth": 1},
                "encoding": {
                    "y": y,
                    "x": _x("value", title, axis={"tickCount": 6}),
                    "color": color(series),
                    "order": {"field": "order"},
                    "description": {"field": "say"},
                },
            },
            _rule(0),
        ],
    }


def areas(rows: Sequence[Mark], series: Sequence[str], x: str, y: str) -> Spec:
    """Shares stacked on each other over `x`, as bars."""
    return {
        "width": WIDTH,
        "height": 180,
        "data": {"values": list(rows)},
        "mark": {"type": "bar", "binSpacing": 0},
        "encoding": {
            "x": _x("x", x, bin="binned", axis={"grid": False, "tickCount": 6}),
            "x2": {"field": "x2"},
            "y": _x(
                "mean", y, stack="zero", axis={"format": ".0%", "tickCount": 5}, scale={"domain": [0, 1]}
            ),
            "color": color(series),
            "order": {"field": "order"},
            "description": {"field": "say"},
        },
    }


def heat(rows: Sequence[Mark], labels: Sequence[str]) -> Spec:
    """A table of squares, `label` against `other`, each with its `fill`, `ink` and `text`."""
    size = max(26, min(46, WIDTH // max(len(labels), 1) - 12))
    channel = {
        "x": {"field": "other", "type": "nominal", "sort": list(labels), "title": None,
              "axis": {"orient": "top", "labelAngle": -45, "domain": False, "ticks": False}},
        "y": {"field": "label", "type": "nominal", "sort": list(labels), "title": None,
              "axis": {"domain": False, "ticks": False}},
    }  # fmt: skip
    plain = {"type": "nominal", "scale": None}
    return {
        "width": {"step": size},
        "height": {"step": size},
        "data": {"values": list(rows)},
        "layer": [
            {
                "mark": {"type": "rect", "stroke": "var(--paper)", "strokeWidth": 2},
                "encoding": {**channel, "color": {"field": "fill", **plain}, "description": {"field": "say"}},
            },
            {
                "mark": {"type": "text", "fontSize": 11, "aria": False},
                "encoding": {
                    **channel,
                    "text": {"field": "text"},
                    "color": {"field": "ink", **plain},
                },
            },
        ],
    }


def scatter(
    rows: Sequence[Mark], series: Sequence[str], x: str, y: str, forms: tuple[str, str], limit: float
) -> Spec:
    """Points at `x` and `mean` with vertical intervals, from -limit to limit; those with a `name` bear it."""
    channel = {"x": _x("x", x, axis={"format": forms[0], "tickCount": 6}), "color": color(series)}
    axis = {"format": forms[1], "tickCount": 6}
    scale = {"domain": [-limit, limit]}
    return {
        "width": WIDTH,
        "height": 260,
        "data": {"values": list(rows)},
        "layer": [
            _rule(0, "y"),
            {
                "mark": {"type": "rule", "opacity": 0.3, "aria": False, "clip": True},
                "encoding": {**channel, "y": _x("low", y, axis=axis, scale=scale), "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 45, "opacity": 0.95},
                "encoding": {
                    **channel,
                    "y": _x("mean", y),
                    "shape": {**color(series), "scale": {"domain": list(series), "range": list(_SHAPES)}},
                    "description": {"field": "say"},
                },
            },
            {
                "transform": [{"filter": "datum.name"}],
                "mark": {
                    "type": "text",
                    "fontSize": 10,
                    "dy": -9,
                    "color": _INK,
                    "aria": False,
                    "limit": 130,
                },
                "encoding": {
                    **channel,
                    "color": {"value": _INK},
                    "y": _x("mean", y),
                    "text": {"field": "name"},
                },
            },
        ],
    }
