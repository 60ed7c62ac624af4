"""A board: its cities, tracks and tickets, read from a folder of CSV files and validated.

A board folder holds `cities.csv`, `routes.csv`, `tickets.csv` and `board.toml`; its name is the board's name.
Every mistake in them is a TtrError of one line that names file, row, column and what would be right.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ttr_sim import paths
from ttr_sim.errors import TtrError, unknown
from ttr_sim.files import Row, is_one_line, read_rows, read_toml

COLORS = ("purple", "white", "blue", "yellow", "orange", "black", "red", "green")
GRAY = "gray"
KINDS = ("normal", "ferry", "tunnel")

# Limits of the engine's record.
MAX_CITIES = 64
MAX_TRACKS = 128
MAX_TICKETS = 64
MAX_LENGTH = 9
MAX_TICKET_POINTS = 100

_CITY_COLUMNS = ("id", "name", "x", "y")
_TRACK_COLUMNS = ("id", "city_a", "city_b", "length", "color", "kind", "locomotives", "parallel")
_TICKET_COLUMNS = ("id", "city_a", "city_b", "points", "deck")
_TOML_KEYS = {"title": str, "year": int, "source": str, "substitute_tracks": list}
_TOML_WORDS = {str: "a text", int: "a whole number", list: "a list of track ids"}


@dataclass(frozen=True, slots=True)
class City:
    """A city. `x` and `y` are its place on the drawn board, y pointing down; only drawings use them."""

    id: str
    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Track:
    """One row of spaces between two cities; a double route has two tracks.

    `a` and `b` are city indices, `length` counts spaces (1 to 9), `color` is one of COLORS or "gray", `kind`
    one of KINDS, `locomotives` counts the locomotive symbols among the spaces, `parallel` is the id shared by
    the two tracks of a double route or "".
    """

    id: str
    a: int
    b: int
    length: int
    color: str
    kind: str
    locomotives: int
    parallel: str


@dataclass(frozen=True, slots=True)
class Ticket:
    """A ticket between the cities with indices `a` and `b`; `long` ones may form a pile of their own."""

    id: str
    a: int
    b: int
    points: int
    long: bool


@dataclass(frozen=True, slots=True)
class Board:
    """A validated board; the index of a city, track or ticket is its position.

    Cities and tickets stand in the order of their rows, tracks by ascending length and then by row: the
    engine's order, in which the tracks up to a length are the low bits of a mask. `substitute_tracks` holds
    the indices of the tracks on which the rule option `long_route_substitute` applies.
    """

    name: str
    title: str
    cities: tuple[City, ...]
    tracks: tuple[Track, ...]
    tickets: tuple[Ticket, ...]
    substitute_tracks: frozenset[int]
    folder: Path = field(compare=False)
    year: int | None = None
    source: str = ""

    def partner(self, track: int) -> int:
        """Return the index of the parallel track, or -1."""
        group = self.tracks[track].parallel
        for index, other in enumerate(self.tracks):
            if group and index != track and other.parallel == group:
                return index
        return -1

    @property
    def sha256(self) -> str:
        """Hash of everything on the board, whatever its folder is called (64 hexadecimal digits)."""
        content = {
            "title": self.title,
            "cities": [asdict(city) for city in self.cities],
            "tracks": [asdict(track) for track in self.tracks],
            "tickets": [asdict(ticket) for ticket in self.tickets],
            "substitute_tracks": sorted(self.substitute_tracks),
        }
        return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def load_board(name_or_path: str | Path) -> Board:
    """Read and validate the board of that name (see `ttr_sim.paths`) or in that folder."""
    folder = paths.find(paths.BOARD, name_or_path)
    cities = _read_cities(folder / "cities.csv")
    rows = _read_tracks(folder / "routes.csv", cities)
    _check_connected(folder, cities, [track for _, track in rows])
    tickets = _read_tickets(folder / "tickets.csv", cities)
    tracks = tuple(sorted((track for _, track in rows), key=lambda track: track.length))
    facts = _read_facts(folder / "board.toml")
    return Board(
        name=folder.resolve().name,
        title=facts["title"],
        cities=tuple(cities.values()),
        tracks=tracks,
        tickets=tickets,
        substitute_tracks=_substitute_tracks(
            folder / "board.toml", facts.get("substitute_tracks", []), tracks
        ),
        folder=folder,
        year=facts.get("year"),
        source=facts.get("source", ""),
    )


def _read_cities(path: Path) -> dict[str, City]:
    cities: dict[str, City] = {}
    for row in read_rows(path, _CITY_COLUMNS, MAX_CITIES):
        city = City(row.new_id(cities), row.text("name"), row.number("x"), row.number("y"))
        cities[city.id] = city
    if len(cities) < 2:
        raise TtrError(f"{paths.shown(path)}: has {len(cities)} cities, must have at least 2")
    return cities


def _two_cities(row: Row, cities: dict[str, City]) -> tuple[int, int]:
    order = list(cities)
    for column in ("city_a", "city_b"):
        if row.cells[column] not in cities:
            raise unknown("city", row.cells[column], cities, row.where(column))
    a, b = row.cells["city_a"], row.cells["city_b"]
    if a == b:
        raise row.error("city_b", f"must be another city than city_a, not {b!r} again")
    return order.index(a), order.index(b)


def _read_tracks(path: Path, cities: dict[str, City]) -> list[tuple[Row, Track]]:
    rows: dict[str, tuple[Row, Track]] = {}
    for row in read_rows(path, _TRACK_COLUMNS, MAX_TRACKS):
        a, b = _two_cities(row, cities)
        length = row.whole("length", 1, MAX_LENGTH)
        kind = row.choice("kind", KINDS)
        track = Track(
            id=row.new_id(rows),
            a=a,
            b=b,
            length=length,
            color=row.choice("color", (*COLORS, GRAY)),
            kind=kind,
            locomotives=_locomotives(row, kind, length),
            parallel=row.slug("parallel") if row.cells["parallel"] else "",
        )
        rows[track.id] = (row, track)
    if not rows:
        raise TtrError(f"{paths.shown(path)}: has no tracks, must have at least 1")
    _check_parallel(list(rows.values()), list(cities))
    return list(rows.values())


def _locomotives(row: Row, kind: str, length: int) -> int:
    count = row.whole("locomotives", 0, MAX_LENGTH)
    if kind != "ferry" and count:
        raise row.error(
            "locomotives", f"must be 0 on a {kind} track (only ferries have symbols), not {count}"
        )
    if kind == "ferry" and not 1 <= count <= length:
        raise row.error(
            "locomotives", f"must be from 1 to {length} on a ferry of length {length}, not {count}"
        )
    return count


def _check_parallel(rows: list[tuple[Row, Track]], city_ids: list[str]) -> None:
    """Check that two tracks share their cities exactly when they share their `parallel` id."""
    by_pair: dict[frozenset[int], list[Track]] = {}
    by_group: dict[str, list[Track]] = {}
    for row, track in rows:
        pair = frozenset((track.a, track.b))
        between = f"{city_ids[track.a]} and {city_ids[track.b]}"
        group = by_group.setdefault(track.parallel, []) if track.parallel else []
        if group and frozenset((group[0].a, group[0].b)) != pair:
            other = f"{city_ids[group[0].a]} and {city_ids[group[0].b]}"
            raise row.error("parallel", f"{track.parallel!r} joins {other} in another row, not {between}")
        twins = by_pair.setdefault(pair, [])
        if len(twins) == 2:
            raise row.error("city_b", f"{between} have two tracks already; at most two may be parallel")
        if twins and (not track.parallel or twins[0].parallel != track.parallel):
            raise row.error(
                "parallel",
                f"must be the id on {twins[0].id!r} too, which joins the same cities, not {track.parallel!r}",
            )
        twins.append(track)
        group.append(track)
    for row, track in rows:
        if track.parallel and len(by_group[track.parallel]) < 2:
            raise row.error("parallel", f"{track.parallel!r} is on this track only; must be on two, or empty")


def _check_connected(folder: Path, cities: dict[str, City], tracks: list[Track]) -> None:
    reached, grown = {0}, True
    while grown:
        new = {c for t in tracks if (t.a in reached) != (t.b in reached) for c in (t.a, t.b)}
        grown = not new <= reached
        reached |= new
    order = list(cities)
    for index, city in enumerate(order):
        if index not in reached:
            raise TtrError(
                f"{paths.shown(folder / 'routes.csv')}: the map is not connected: no way leads from "
                f"{order[0]!r} to {city!r}; add a track"
            )


def _read_tickets(path: Path, cities: dict[str, City]) -> tuple[Ticket, ...]:
    tickets: dict[str, Ticket] = {}
    for row in read_rows(path, _TICKET_COLUMNS, MAX_TICKETS):
        a, b = _two_cities(row, cities)
        long = row.choice("deck", ("regular", "long")) == "long"
        ticket = Ticket(row.new_id(tickets), a, b, row.whole("points", 1, MAX_TICKET_POINTS), long)
        tickets[ticket.id] = ticket
    return tuple(tickets.values())


def _read_facts(path: Path) -> dict[str, Any]:
    facts = read_toml(path)
    where = paths.shown(path)
    for key, value in facts.items():
        if key not in _TOML_KEYS:
            raise unknown("key", key, _TOML_KEYS, f"{where}: ")
        if type(value) is not _TOML_KEYS[key]:
            raise TtrError(f"{where}: {key} must be {_TOML_WORDS[_TOML_KEYS[key]]}, not {value!r}")
        if isinstance(value, str) and not is_one_line(value):
            raise TtrError(f"{where}: {key} must be one line without control characters, not {value!r}")
    if not facts.get("title"):
        raise TtrError(f'{where}: title is missing, must be a text such as title = "My board"')
    return facts


def _substitute_tracks(path: Path, ids: list[Any], tracks: tuple[Track, ...]) -> frozenset[int]:
    index_of = {track.id: index for index, track in enumerate(tracks)}
    where = f"{paths.shown(path)}: substitute_tracks: "
    for track_id in ids:
        if not isinstance(track_id, str) or track_id not in index_of:
            raise unknown("track", str(track_id), index_of, where)
        if tracks[index_of[track_id]].kind != "normal":
            kind = tracks[index_of[track_id]].kind
            raise TtrError(f"{where}{track_id!r} must be a normal track, not a {kind}")
    return frozenset(index_of[track_id] for track_id in ids)
