"""Any board drawn as an SVG, to be coloured and filled by those who show it.

Classes and attributes to style or script: `svg.board-map`, `g.track` (with the classes of its colour and kind, id
`{prefix}track-{index}`, `data-track`) holding `.space` and `.mark`; `g.city` (id `{prefix}city-{index}`, `data-city`)
holding `.dot`, `.station` and `.name`. `map_css()` styles all of it, in light and dark, and
defines the colours as variables. Setting `data-owner="0"` (a seat) on a track or city fills it in the colour of
that seat; a `.picked` one is ringed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from html import escape
from importlib.resources import files

from ttr_sim.board import COLORS, GRAY, Board
from ttr_sim.engine.actions import track_name
from ttr_sim.engine.position import LETTERS as CARD_LETTERS
from ttr_sim.reports.map_layout import CITY_RADIUS, TRACK_WIDTH, Curve, Layout, Space, lay_out

# The letters that stand for the colours wherever colour alone would not do; the same as in `Position`.
LETTERS = {**dict(zip(COLORS, CARD_LETTERS, strict=False)), GRAY: ""}
LOCOMOTIVE = "M-5.5 3V-1.2H-4.6V-4H.4V-1.2H2.2V-3.6H4V-1.2H5.5V3Z M-3.6 4.4a1.4 1.4 0 1 0 .01 0Z M3 4.4a1.4 1.4 0 1 0 .01 0Z"
_HOUSE = "M-6.5 6V-2.5L0-8 6.5-2.5V6Z"


@dataclass(frozen=True, slots=True)
class Mark:
    """How one track or city is shown; every part may be left out.

    fill: a CSS colour instead of its own; ink: that of the label on it. label: a short text on it instead of the
    colour's letter (of a city: below its dot). tooltip: what is said of it on pointing and to screen readers, after its
    name. size: of a city, times the usual radius. data: further `data-` attributes by name.
    """

    fill: str = ""
    ink: str = ""
    label: str = ""
    tooltip: str = ""
    size: float = 1.0
    data: Mapping[str, str] = field(default_factory=dict)


_PLAIN = Mark()


@cache
def map_css() -> str:
    """Return the style sheet of maps: colours as CSS variables, for light and dark."""
    return files("ttr_sim.reports").joinpath("map.css").read_text(encoding="utf-8")


def draw_map(
    board: Board,
    *,
    tracks: Mapping[int, Mark] | None = None,
    cities: Mapping[int, Mark] | None = None,
    prefix: str = "",
    description: str = "",
    focusable: bool = False,
) -> str:
    """Draw a board as an SVG element that takes the width it is given; all texts are escaped.

    Args:
        board: any board; nothing but its files is needed.
        tracks: how to show tracks, by index.
        cities: how to show cities, by index.
        prefix: in front of ids, so that several maps may stand on a page; letters, digits, - and _ only.
        description: alternative text; without it the board's title and its numbers of cities and tracks.
        focusable: the Tab key goes from track to track, so that a keyboard reaches their tooltips.
    """
    layout = layout_of(board)
    left, top, width, height = layout.box
    text = description or f"Map of {board.title}: {len(board.cities)} cities, {len(board.tracks)} tracks"
    drawn = [
        f'<svg class="board-map" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(text)}" style="--ratio:{width / height:.3f};--units:{width:.0f}" xmlns="http://www.w3.org/2000/svg">',
        _land(board, layout),
        *(_bed(track.kind, layout.tracks[index]) for index, track in enumerate(board.tracks)),
        '<g class="tracks">',
    ]
    for index in range(len(board.tracks)):
        mark = (tracks or {}).get(index, _PLAIN)
        drawn.append(_track(board, index, layout.tracks[index], mark, prefix, focusable))
    drawn.append('</g><g class="cities">')
    for index in range(len(board.cities)):
        drawn.append(_city(board, index, layout, (cities or {}).get(index, _PLAIN), prefix))
    drawn.append("</g></svg>")
    return "\n".join(drawn)


@cache
def layout_of(board: Board) -> Layout:
    """Return where everything of a board stands; worked out once."""
    return lay_out(board)


def _land(board: Board, layout: Layout) -> str:
    """Land where tracks run over it: a wide stroke along all but the ferries, so that these cross water."""
    lines = [_path(layout.tracks[i]) for i, track in enumerate(board.tracks) if track.kind != "ferry"]
    dots = [f"M{x:.0f} {y:.0f}h.1" for x, y in layout.cities]
    left, top, width, height = layout.box
    d = "".join(lines + dots)
    return (
        f'<rect class="sea" x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}"/>'
        f'<path class="coast" d="{d}"/><path class="land" d="{d}"/>'
    )


def _path(curve: Curve) -> str:
    """The middle line of a track as a quadratic curve."""
    (ax, ay), (bx, by) = curve.points[0], curve.points[-1]
    mx, my = curve.points[len(curve.points) // 2]
    cx, cy = 2 * mx - (ax + bx) / 2, 2 * my - (ay + by) / 2
    return f"M{ax:.1f} {ay:.1f}Q{cx:.1f} {cy:.1f} {bx:.1f} {by:.1f}"


def _track(board: Board, index: int, curve: Curve, mark: Mark, prefix: str, focusable: bool) -> str:
    track = board.tracks[index]
    symbols = _middle_of(track.length, track.locomotives)
    focus = ' tabindex="0"' if focusable else ""
    fill = f' style="fill:{escape(mark.fill)}"' if mark.fill else ""
    parts = [
        f'<g class="track {track.color} {track.kind}" id="{prefix}track-{index}" data-track="{index}"'
        f"{_data(mark)}{focus}>",
        f"<title>{escape(track_text(board, index))}{_more(mark)}</title>",
    ]
    for number, space in enumerate(curve.spaces):
        parts.append(_space(space, track.kind, fill))
        if number in symbols and not mark.label:
            parts.append(f'<path class="loco" d="{LOCOMOTIVE}" transform="{_placed(space)} scale(.85)"/>')
    plain = [number for number in range(track.length) if number not in symbols]
    place = curve.spaces[plain[len(plain) // 2] if plain and not mark.label else track.length // 2]
    label = escape(mark.label or LETTERS[track.color])
    ink = f' style="fill:{escape(mark.ink)}"' if mark.ink else ""
    parts.append(f'<text class="mark" transform="{_placed(place)}" dy=".36em"{ink}>{label}</text></g>')
    return "".join(parts)


def _bed(kind: str, curve: Curve) -> str:
    """What lies below the spaces, below all other tracks too: water of a ferry, teeth of a tunnel."""
    return f'<path class="bed {kind}" d="{_path(curve)}"/>'


def _middle_of(length: int, count: int) -> set[int]:
    """Which spaces bear the locomotive symbols: those in the middle."""
    first = (length - count) // 2
    return set(range(first, first + count))


def _space(space: Space, kind: str, fill: str) -> str:
    round_ = TRACK_WIDTH / 2 if kind == "ferry" else 2
    return (
        f'<rect class="space" x="{-space.length / 2:.1f}" y="{-TRACK_WIDTH / 2}" width="{space.length:.1f}" '
        f'height="{TRACK_WIDTH}" rx="{round_}" transform="{_placed(space)}"{fill}/>'
    )


def _placed(space: Space) -> str:
    return f"translate({space.x:.1f} {space.y:.1f}) rotate({space.angle:.0f})"


def _city(board: Board, index: int, layout: Layout, mark: Mark, prefix: str) -> str:
    x, y = layout.cities[index]
    name = layout.names[index]
    text = escape(board.cities[index].name)
    fill = f' style="fill:{escape(mark.fill)}"' if mark.fill else ""
    label = f'<text class="mark" y=".36em">{escape(mark.label)}</text>' if mark.label else ""
    return (
        f'<g class="city" id="{prefix}city-{index}" data-city="{index}"{_data(mark)} '
        f'transform="translate({x:.1f} {y:.1f})"><title>{text}{_more(mark)}</title>'
        f'<circle class="dot" r="{CITY_RADIUS * mark.size:.1f}"{fill}/>{label}'
        f'<path class="station" d="{_HOUSE}"/><text class="station-mark" y=".3em"></text>'
        f'<text class="name" x="{name.x - x:.1f}" y="{name.y - y:.1f}" text-anchor="{name.anchor}" '
        f'textLength="{name.width:.1f}" lengthAdjust="spacingAndGlyphs">{text}</text></g>'
    )


def track_text(board: Board, index: int) -> str:
    """Say what a track is: "Amsterdam–London, gray ferry, length 2, 2 locomotives"."""
    track = board.tracks[index]
    kind = "track" if track.kind == "normal" else track.kind
    symbols = f", {track.locomotives} locomotive{'s' * (track.locomotives != 1)}" if track.locomotives else ""
    name = track_name(board, index) if track.parallel else f"{track_name(board, index)} {track.color}"
    return f"{name} {kind}, length {track.length}{symbols}"


def _more(mark: Mark) -> str:
    return f"\n{escape(mark.tooltip)}" if mark.tooltip else ""


def _data(mark: Mark) -> str:
    return "".join(f' data-{name}="{escape(value)}"' for name, value in mark.data.items())


def legend() -> str:
    """Return the key of the map as HTML: colours with their letters, ferry, tunnel, locomotive."""
    chips = "".join(
        f'<li><span class="chip {color}" aria-hidden="true">{LETTERS[color]}</span>{color}</li>'
        for color in (*COLORS, GRAY)
    )
    return (
        f'<ul class="map-legend">{chips}'
        '<li><svg class="key" viewBox="-24 -9 48 18" aria-hidden="true"><g class="track gray">'
        '<path class="bed tunnel" d="M-22 0H22"/><rect class="space" x="-18" y="-5" width="36" height="10" rx="2"/></g>'
        "</svg>tunnel</li>"
        '<li><svg class="key" viewBox="-24 -9 48 18" aria-hidden="true"><g class="track gray">'
        '<path class="bed ferry" d="M-22 0H22"/><rect class="space" x="-18" y="-5" width="36" height="10" rx="5"/>'
        f'<path class="loco" d="{LOCOMOTIVE}" transform="scale(.85)"/></g></svg>ferry, with locomotive</li></ul>'
    )
