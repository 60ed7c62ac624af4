"""A small reader of board folders, of the reference model's own."""

from __future__ import annotations

import csv
import json
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

COLORS = ["purple", "white", "blue", "yellow", "orange", "black", "red", "green"]
GRAY = -1
HERE = Path(__file__).parent
BOARDS = HERE.parents[1] / "configs" / "boards"

Options = dict[str, Any]


@dataclass
class Track:
    """One row of spaces between the cities with numbers a and b; `color` is -1 for gray."""

    id: str
    a: int
    b: int
    length: int
    color: int
    kind: str = "normal"
    symbols: int = 0
    partner: int = -1
    marked: bool = False


@dataclass
class Ticket:
    """A destination ticket between the cities with numbers a and b."""

    id: str
    a: int
    b: int
    points: int
    long: bool = False


@dataclass
class Board:
    """The facts of a board that the rules need; tracks in the order of the action codes."""

    cities: list[str]
    tracks: list[Track]
    tickets: list[Ticket]
    tracks_of: list[list[int]] = field(init=False)
    doubles: list[tuple[int, int]] = field(init=False)  # each track of a pair with the other

    def __post_init__(self) -> None:
        self.tracks_of = [
            [t for t, track in enumerate(self.tracks) if city in (track.a, track.b)]
            for city in range(len(self.cities))
        ]
        self.doubles = [(t, track.partner) for t, track in enumerate(self.tracks) if track.partner != -1]


def make_board(
    tracks: list[Track], cities: list[str], tickets: list[Ticket], parallels: dict[str, str] | None = None
) -> Board:
    """A board with its tracks sorted by length; `parallels` gives tracks of one pair the same label."""
    tracks = sorted(tracks, key=lambda track: track.length)
    labels = parallels or {}
    for i, track in enumerate(tracks):
        for j, other in enumerate(tracks):
            if i != j and labels.get(track.id) and labels.get(track.id) == labels.get(other.id):
                track.partner = j
    return Board(cities, tracks, tickets)


def read_board(folder: str | Path) -> Board:
    """The board of this folder, or of this name among the configurations of the project."""
    path = Path(folder) if Path(folder).is_dir() else BOARDS / folder
    cities = [row["id"] for row in _rows(path / "cities.csv")]
    number = {city: i for i, city in enumerate(cities)}
    facts = tomllib.loads((path / "board.toml").read_text(encoding="utf-8"))
    marked = set(facts.get("substitute_tracks", []))
    tracks = []
    parallels = {}
    for row in _rows(path / "routes.csv"):
        color = GRAY if row["color"] == "gray" else COLORS.index(row["color"])
        track = Track(
            row["id"],
            number[row["city_a"]],
            number[row["city_b"]],
            int(row["length"]),
            color,
            row["kind"],
            int(row["locomotives"]),
            marked=row["id"] in marked,
        )
        tracks.append(track)
        parallels[track.id] = row["parallel"]
    tickets = [
        Ticket(
            row["id"], number[row["city_a"]], number[row["city_b"]], int(row["points"]), row["deck"] == "long"
        )
        for row in _rows(path / "tickets.csv")
    ]
    return make_board(tracks, cities, tickets, parallels)


def read_presets() -> dict[str, Options]:
    """The options of the seven presets, with the board each belongs to under "board"."""
    presets: dict[str, Options] = json.loads((HERE / "presets.json").read_text(encoding="utf-8"))
    return presets


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
