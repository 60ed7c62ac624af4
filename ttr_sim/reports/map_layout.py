"""Where everything of a drawn board stands: curves of tracks that keep apart, names of cities that keep clear."""

import math
import unicodedata
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttr_sim.board import Board

# Lengths are in units of the drawing; a space of a track is about SPACE long, whatever the board's own scale.
SPACE = 40.0
CITY_RADIUS = 7.0
TRACK_WIDTH = 10.0
PARALLEL = 7.5  # half the distance between the middles of parallel tracks
FONT = 12.0
LINE = 14.0  # height of a name
_GAP = 3.0  # between spaces
_END = CITY_RADIUS + 3.0  # between the middle of a city and the first space
_FARTHEST_END = 26.0  # the same where tracks leave a city side by side
_LONGEST_SPACE = 42.0
_NEAREST = 34.0  # two cities nearer than this make the drawing larger
_MARGIN = 14.0
_BENDS = (0.0, 0.05, -0.05, 0.1, -0.1, 0.16, -0.16, 0.24, -0.24, 0.34, -0.34)  # of the distance of the cities
_SAMPLES = 17  # points of a curve
_ROUNDS = 4  # of improving the names' places, each in turn


@dataclass(frozen=True, slots=True)
class Space:
    """One space of a track: its middle, its angle in degrees (-90 to 90) and its length along the track."""

    x: float
    y: float
    angle: float
    length: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A drawn track: the points of its middle line, shape (n, 2), and its spaces from city a to city b."""

    points: Any
    spaces: tuple[Space, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """Where a city's name stands: x and y of its baseline, which end is at x ("start", "middle", "end"), its width."""

    x: float
    y: float
    anchor: str
    width: float


@dataclass(frozen=True, slots=True)
class Layout:
    """A board's drawing: `box` is (left, top, width, height), cities shape (n, 2), the rest by index."""

    box: tuple[float, float, float, float]
    cities: Any
    tracks: tuple[Curve, ...]
    names: tuple[Name, ...]


def lay_out(board: Board) -> Layout:
    """Place cities, tracks and names of a board; the same board always gives the same drawing."""
    cities = _scaled(board)
    curves = _curves(board, cities)
    names, boxes = _names(board, cities, curves)
    points = np.concatenate([cities, *(curve.points for curve in curves)])
    low = np.minimum(points.min(axis=0) - CITY_RADIUS - 4, boxes[:, :2].min(axis=0)) - _MARGIN
    high = np.maximum(points.max(axis=0) + CITY_RADIUS + 4, boxes[:, 2:].max(axis=0)) + _MARGIN
    width, height = high - low
    return Layout((float(low[0]), float(low[1]), float(width), float(height)), cities, curves, names)


def _scaled(board: Board) -> Any:
    """Return the cities' places, scaled so that a space of the median track is SPACE long."""
    places = np.array([(city.x, city.y) for city in board.cities])
    places -= places.min(axis=0)
    spans = [math.dist(places[t.a], places[t.b]) / t.length for t in board.tracks]
    scale = SPACE / max(float(np.median(spans)), 1e-6)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    nearest = float(apart[np.triu_indices(len(places), 1)].min())
    if 0 < nearest * scale < _NEAREST:
        scale *= min(_NEAREST / (nearest * scale), 1.5)
    return places * scale


def _curves(board: Board, cities: Any) -> tuple[Curve, ...]:
    """Bend every connection, so that it keeps clear of cities and of other tracks, and lay spaces along it."""
    pairs: dict[tuple[int, int], list[int]] = {}
    for index, track in enumerate(board.tracks):
        pairs.setdefault((min(track.a, track.b), max(track.a, track.b)), []).append(index)
    lines = {pair: _bent(cities[pair[0]], cities[pair[1]], 0.0) for pair in pairs}
    for _ in range(2):
        for pair in pairs:
            lines[pair] = _best_bend(pair, cities, lines)
    ends = _ends(lines, {pair: len(tracks) for pair, tracks in pairs.items()})
    curves: dict[int, Curve] = {}
    for pair, tracks in pairs.items():
        for side, index in enumerate(tracks):
            track = board.tracks[index]
            shift = 0.0 if len(tracks) == 1 else PARALLEL * (1 - 2 * side)
            line = _beside(lines[pair], shift)
            near = ends[pair, track.a], ends[pair, track.b]
            curves[index] = _curve(line if track.a == pair[0] else line[::-1], near, track.length)
    return tuple(curves[index] for index in range(len(board.tracks)))


def _ends(lines: dict[tuple[int, int], Any], tracks: dict[tuple[int, int], int]) -> dict[Any, float]:
    """How far from each of its cities a connection begins, so that its first space is clear of its neighbours'."""
    leaving: dict[int, list[tuple[tuple[int, int], float, float]]] = {}
    for pair, line in lines.items():
        half = TRACK_WIDTH / 2 + 1 + (PARALLEL if tracks[pair] > 1 else 0.0)
        for city, ahead in ((pair[0], line[3] - line[0]), (pair[1], line[-4] - line[-1])):
            leaving.setdefault(city, []).append((pair, math.atan2(ahead[1], ahead[0]), half))
    ends = {}
    for city, ways in leaving.items():
        for pair, angle, half in ways:
            needed = _END
            for other, other_angle, other_half in ways:
                if other != pair:
                    between = abs((other_angle - angle + math.pi) % (2 * math.pi) - math.pi)
                    room = (half + other_half) / (2 * math.sin(max(between, 0.05) / 2))
                    needed = max(needed, min(room, _FARTHEST_END) if between < math.pi / 2 else 0.0)
            ends[pair, city] = needed
    return ends


def _bent(a: Any, b: Any, bend: float) -> Any:
    """Points of a curve from a to b that leaves the straight line by about `bend` of its length."""
    t = np.linspace(0, 1, _SAMPLES)[:, None]
    across = np.array([a[1] - b[1], b[0] - a[0]])
    control = (a + b) / 2 + 2 * bend * across
    return (1 - t) ** 2 * a + 2 * t * (1 - t) * control + t**2 * b


def _best_bend(pair: tuple[int, int], cities: Any, lines: dict[tuple[int, int], Any]) -> Any:
    a, b = cities[pair[0]], cities[pair[1]]
    span = max(float(np.linalg.norm(b - a)), 1.0)
    others = np.delete(cities, pair, axis=0)
    near = [line for other, line in lines.items() if other != pair and _boxes_meet(line, a, b, span)]
    points = np.concatenate(near) if near else np.zeros((0, 2))
    # Where tracks meet in a city they are near each other by nature.
    for end in (a, b):
        points = points[np.linalg.norm(points - end, axis=1) > 2.2 * _END]

    def cost(bend: float) -> float:
        line = _bent(a, b, bend)
        inner = line[np.minimum(*(np.linalg.norm(line - end, axis=1) for end in (a, b))) > 1.5 * _END]
        return bend * bend * 60 + _crowding(inner, others, 26.0) * 3 + _crowding(inner, points, 15.0)

    return _bent(a, b, min(_BENDS, key=cost))


def _boxes_meet(line: Any, a: Any, b: Any, span: float) -> bool:
    room = 0.4 * span + 20
    low, high = np.minimum(a, b) - room, np.maximum(a, b) + room
    return bool((line.min(axis=0) < high).all() and (line.max(axis=0) > low).all())


def _crowding(line: Any, points: Any, distance: float) -> float:
    """Say how much a line is nearer to points than `distance`: the mean shortfall over the line, in parts of it."""
    if not len(line) or not len(points):
        return 0.0
    apart = line[:, None] - points[None]
    nearest = np.sqrt(np.einsum("ijk,ijk->ij", apart, apart).min(axis=1))
    return float(np.clip(1 - nearest / distance, 0, None).mean())


def _beside(line: Any, shift: float) -> Any:
    along = np.gradient(line, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-9)
    return line + shift * np.stack([-along[:, 1], along[:, 0]], axis=1)


def _curve(line: Any, ends: tuple[float, float], length: int) -> Curve:
    """Lay the spaces of a track along a line, which the first and the last keep `ends` away from its cities."""
    steps = np.linalg.norm(np.diff(line, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(steps)])
    most = max(
        min(_END, float(at[-1]) / 4), (float(at[-1]) - 22.0 * length) / 2
    )  # a space is to be 22 long or more
    first, last = (min(end, most) for end in ends)
    slot = (float(at[-1]) - first - last) / length
    spaces = []
    for number in range(length):
        middle = first + (number + 0.5) * slot
        x, y = (float(np.interp(middle, at, line[:, axis])) for axis in (0, 1))
        ahead, behind = (
            [float(np.interp(middle + side, at, line[:, axis])) for axis in (0, 1)]
            for side in (slot / 3, -slot / 3)
        )
        angle = math.degrees(math.atan2(ahead[1] - behind[1], ahead[0] - behind[0]))
        angle = (angle + 90) % 180 - 90
        spaces.append(Space(x, y, angle, max(min(slot - _GAP, _LONGEST_SPACE), 3.0)))
    return Curve(line, tuple(spaces))


def text_width(text: str, font: float = FONT) -> float:
    """Estimate the width of a text in a usual sans-serif font."""
    return font * sum(_em(c) for c in text)


def _em(char: str) -> float:
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    if unicodedata.combining(char):
        return 0.0
    base = unicodedata.normalize("NFD", char)[0]
    if base in "iljtfrI.,:;'!|()[]- ":
        return 0.37
    if base in "mwMW@%":
        return 0.95
    return 0.74 if base.isupper() else 0.63


def _names(board: Board, cities: Any, curves: tuple[Curve, ...]) -> tuple[tuple[Name, ...], Any]:
    """Choose a place for every name: the candidate around its city that covers least; returns names and boxes."""
    spaces = np.array([(s.x, s.y, s.angle, s.length) for curve in curves for s in curve.spaces])
    marks = _marks(spaces)
    options = [_candidates(city.name, at) for city, at in zip(board.cities, cities, strict=True)]
    fixed = []
    for own, (boxes, _, liking) in enumerate(options):
        covered = _covered(boxes, marks, TRACK_WIDTH / 2) * 3.0
        others = np.delete(cities, own, axis=0)
        beside = (
            _covered(boxes, others, CITY_RADIUS + 2) * 30.0 + _covered(boxes, others, CITY_RADIUS + 9) * 4.0
        )
        fixed.append(liking + covered + beside)
    chosen = [int(cost.argmin()) for cost in fixed]
    for _ in range(_ROUNDS):
        for own, (boxes, _, _) in enumerate(options):
            others = np.array([options[i][0][chosen[i]] for i in range(len(options)) if i != own])
            chosen[own] = int((fixed[own] + _overlap(boxes, others) * 2.0).argmin())
    names = tuple(option[1][at] for option, at in zip(options, chosen, strict=True))
    return names, np.array([option[0][at] for option, at in zip(options, chosen, strict=True)])


def _marks(spaces: Any) -> Any:
    """Points along the middle of all spaces, about 4 apart."""
    steps = np.linspace(-0.5, 0.5, 9)
    radians = np.radians(spaces[:, 2])
    x = spaces[:, :1] + np.cos(radians)[:, None] * spaces[:, 3:] * steps
    y = spaces[:, 1:2] + np.sin(radians)[:, None] * spaces[:, 3:] * steps
    return np.stack([x.ravel(), y.ravel()], axis=1)


def _candidates(name: str, at: Any) -> tuple[Any, list[Name], Any]:
    """Boxes (left, top, right, bottom), places and costs of where a name may stand around its city."""
    width = text_width(name)
    boxes, names, liking = [], [], []

    def add(dx: float, dy: float, gap: float, slide: float, cost: float) -> None:
        x = at[0] + dx * (CITY_RADIUS + gap) + slide * width
        y = at[1] + dy * (CITY_RADIUS + gap + LINE / 2 * abs(dy))
        anchor = "start" if dx > 0.3 else "end" if dx < -0.3 else "middle"
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        boxes.append((left, y - LINE / 2, left + width, y + LINE / 2))
        names.append(Name(float(x), float(y + FONT * 0.35), anchor, width))
        liking.append(gap * 0.6 + cost)

    for gap in (2.0, 7.0, 14.0, 22.0):
        for turn in range(16):
            angle = 2 * math.pi * turn / 16
            cost = 0.0 if turn in (0, 8) else 0.8 if turn in (4, 12) else 1.2
            add(math.cos(angle), math.sin(angle), gap, 0.0, cost)
        for slide in (-0.4, -0.2, 0.2, 0.4):
            add(0.0, -1.0, gap, slide, 1.4)
            add(0.0, 1.0, gap, slide, 1.4)
    return np.array(boxes), names, np.array(liking)


def _covered(boxes: Any, points: Any, room: float) -> Any:
    """Count for each box the points in it or nearer than `room`."""
    inside = (points[None] > boxes[:, None, :2] - room) & (points[None] < boxes[:, None, 2:] + room)
    return inside.all(axis=2).sum(axis=1).astype(float)


def _overlap(boxes: Any, others: Any) -> Any:
    """Return for each box the area it shares with the others."""
    if not len(others):
        return np.zeros(len(boxes))
    low = np.maximum(boxes[:, None, :2], others[None, :, :2] - 2)
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:] + 2)
    return np.clip(high - low, 0, None).prod(axis=2).sum(axis=1)
