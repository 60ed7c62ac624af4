"""A game drawn for people: as text, or as a picture of the board (with Pillow)."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ttr_sim.engine import faces
from ttr_sim.engine.layout import STATE, new_record
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.view import View, track_list
from ttr_sim.errors import TtrError

if TYPE_CHECKING:
    from ttr_sim.board import Board
    from ttr_sim.rules import Rules

MODES = ("ansi", "human", "rgb_array")
_SEATS = ((31, 119, 180), (214, 39, 40), (44, 160, 44), (255, 127, 14), (148, 103, 189))
_COLORS = {
    "purple": (196, 140, 205),
    "white": (255, 255, 255),
    "blue": (120, 170, 220),
    "yellow": (235, 220, 110),
    "orange": (240, 175, 100),
    "black": (90, 90, 90),
    "red": (230, 120, 110),
    "green": (140, 190, 120),
    "gray": (200, 200, 200),
}
_LETTERS = str.maketrans({"ø": "o", "Ø": "O", "æ": "ae", "Æ": "Ae", "ł": "l", "Ł": "L", "ß": "ss"})
_PAPER, _INK = (246, 242, 232), (40, 40, 40)
_WIDTH, _EDGE, _LINE = 960, 40, 16  # pixels


def check_mode(mode: str | None) -> str | None:
    """The render mode, if there is such a one.

    Raises:
        TtrError: unknown, or Pillow is missing.
    """
    if mode is not None and mode not in MODES:
        raise TtrError(f"render_mode {mode!r}: must be one of {', '.join(MODES)}, or None")
    if mode == "rgb_array":
        try:
            import PIL  # noqa: F401
        except ImportError:
            raise TtrError(
                "render_mode 'rgb_array' needs Pillow: pip install 'ttr-sim[pettingzoo]'"
            ) from None
    return mode


def render(mode: str | None, board: Board, rules: Rules, players: int, states: Any, seat: int) -> Any:
    """What `mode` asks for: text of what a seat sees, a picture (height, width, 3) uint8 of the table, or nothing.

    "human" prints the text. states: STATE array of shape (1,).
    """
    if mode is None:
        return None
    if mode == "rgb_array":
        return picture(board, players, states[0])
    view = new_record(STATE)
    faces.observe_game(make_tables(board, rules, players), states, view, seat)
    text = View(board, rules, players, view, []).text()
    if mode == "ansi":
        return text
    print(text, end="\n\n")
    return None


def picture(board: Board, players: int, state: Any) -> Any:
    """The board with tracks in the colours of their owners, stations, and a line for each seat; what everybody may see."""
    from PIL import Image, ImageDraw

    places, height = _places(board)
    image = Image.new("RGB", (_WIDTH, height + _LINE * (players + 1)), _PAPER)
    pen = ImageDraw.Draw(image)
    owner = {track: p for p in range(players) for track in track_list(state["own"][p])}
    for number, track in enumerate(board.tracks):
        ends = _ends(board, number, places)
        pen.line(ends, fill=_INK, width=7 if number in owner else 5)
        pen.line(
            ends,
            fill=_SEATS[owner[number]] if number in owner else _COLORS[track.color],
            width=5 if number in owner else 3,
        )
    for city, (x, y) in enumerate(places):
        pen.ellipse((x - 4, y - 4, x + 4, y + 4), fill=_PAPER, outline=_INK)
        for p in range(players):
            if city in state["station_city"][p]:
                pen.rectangle((x - 6, y - 6, x + 6, y + 6), fill=_SEATS[p], outline=_INK)
        pen.text((x + 7, y - 6), _plain(board.cities[city].name), fill=_INK)
    for p in range(players):
        pen.text((_EDGE, height + _LINE * p), _seat_line(state, p), fill=_SEATS[p])
    return np.asarray(image)


def _plain(name: str) -> str:
    """A name without accents, which Pillow's own font does not have."""
    letters = unicodedata.normalize("NFKD", name).translate(_LETTERS)
    return letters.encode("ascii", "ignore").decode() or name


def _seat_line(state: Any, p: int) -> str:
    numbers = {name: int(state[field][p]) for name, field in _NUMBERS}
    turn = " <" if int(state["seat"]) == p else ""
    return f"seat {p}: " + ", ".join(f"{value} {name}" for name, value in numbers.items()) + turn


_NUMBERS = (("points", "points"), ("trains", "trains"), ("cards", "hand_n"), ("tickets", "ticket_n"))


@cache
def _places(board: Board) -> tuple[list[tuple[float, float]], int]:
    """Where the cities are on the picture, and the height of the map, in pixels."""
    xs, ys = [city.x for city in board.cities], [city.y for city in board.cities]
    scale = (_WIDTH - 3 * _EDGE) / (max(xs) - min(xs) or 1)  # room for the names on the right
    places = [
        (_EDGE + (x - min(xs)) * scale, _EDGE + (y - min(ys)) * scale) for x, y in zip(xs, ys, strict=True)
    ]
    return places, round(2 * _EDGE + (max(ys) - min(ys)) * scale)


def _ends(board: Board, number: int, places: list[tuple[float, float]]) -> tuple[float, float, float, float]:
    """The line of a track; the two of a double route lie side by side."""
    track = board.tracks[number]
    (ax, ay), (bx, by) = places[track.a], places[track.b]
    partner = board.partner(number)
    side = 0 if partner < 0 else 4 if partner < number else -4
    if board.cities[track.a].x > board.cities[track.b].x:
        side = -side  # the two may name their cities in different order
    length = float(np.hypot(bx - ax, by - ay)) or 1.0
    dx, dy = -(by - ay) / length * side, (bx - ax) / length * side
    return ax + dx, ay + dy, bx + dx, by + dy
