"""The columns of the result tables: types, units and meanings, kept in the files themselves too."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

SCHEMA_VERSION = 2
_VERSION_KEY = b"ttr_sim_schema_version"

I1, I2, I4, I8, U8, F8 = pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint64(), pa.float64()
TEXT = pa.string()


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its Arrow type, what it holds, in what unit ("" for a plain number or a text)."""

    name: str
    type: Any
    doc: str
    unit: str = ""
    missing: str = ""  # when a value is missing; "" for never


@dataclass(frozen=True, slots=True)
class Table:
    """A result table; `key` orders its rows."""

    name: str
    doc: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]

    @property
    def arrow(self) -> Any:
        """The Arrow schema, with the documentation in its metadata."""
        return _arrow_schema(self)


@cache
def _arrow_schema(table: Table) -> Any:
    fields = [pa.field(c.name, c.type, nullable=bool(c.missing), metadata=_about(c)) for c in table.columns]
    return pa.schema(fields, {_VERSION_KEY: str(SCHEMA_VERSION).encode(), b"table": table.name.encode()})


def _about(column: Column) -> dict[str, str]:
    about = {"doc": column.doc, "unit": column.unit, "missing": column.missing}
    return {key: text for key, text in about.items() if text}


_UNPLAYED = "in a game that was not played to its end"
_UNKNOWN = "in a game of which there is no log"

GAMES = Table(
    "games",
    "One row per game, ascending by number.",
    ("game",),
    (
        Column("game", I8, "Number of the game in the run, from 0."),
        Column("block", I8, "Number of the block: one deal played by one line-up in every rotation."),
        Column("match", I4, "Number of the line-up on its board and rules, in the list in run.json."),
        Column("rotation", I1, "Seat s is played by bot (s + rotation) % players of the line-up."),
        Column("players", I1, "Number of seats."),
        Column("board", TEXT, "Name of the board."),
        Column("rules", TEXT, "Name of the rules."),
        Column("seed", U8, "Seed of the deal."),
        Column("bot_seed", U8, "Seed from which the bots' own random numbers come."),
        Column("winners", pa.list_(pa.field("seat", I1, nullable=False)), "Seats with rank 1."),
        Column("turns", I4, "Turns of all players together.", "turns", _UNKNOWN),
        Column("decisions", I4, "Actions that bots were asked for.", "decisions", _UNKNOWN),
        Column(
            "end",
            TEXT,
            "Why it ended: final_round, exhausted, all_passed or turn_limit of the rules; forfeit; not_played (a bot "
            "had been withdrawn); worker_died (each time it was played, and no seat could be blamed). There is no log "
            "of the last two, nor of a forfeit that could not be repeated.",
        ),
        Column(
            "decided_by",
            I1,
            "What decided: 0 points, i the i-th tie-break of the rules, -1 shared victory.",
            missing=_UNPLAYED,
        ),
        Column("forfeit_seat", I1, "The seat that forfeited.", missing="without a forfeit"),
        Column("forfeit_reason", TEXT, "What the bot did.", missing="without a forfeit"),
        Column(
            "actions",
            pa.list_(pa.field("action", I2, nullable=False)),
            "The actions the bots were asked for, in order, as the codes of ttr_sim.engine.actions.",
        ),
    ),
)

SEATS = Table(
    "seats",
    "One row per seat of each game, ascending by game and seat.",
    ("game", "seat"),
    (
        Column("game", I8, "Number of the game in the run."),
        Column("block", I8, "Number of the game's block."),
        Column("seat", I1, "Number of the seat, from 0; seat 0 begins."),
        Column("bot", TEXT, "The bot's spec as given; #2, #3 ... behind specs given again."),
        Column(
            "rank",
            I1,
            "Place: tied seats share the better one (1, 1, 3). Who forfeits is last, the others share place 1.",
            missing="in a game without result: not_played, worker_died",
        ),
        Column("score", I2, "Final score.", "points", _UNPLAYED),
        Column("route_points", I2, "Points for claimed routes.", "points", _UNPLAYED),
        Column("ticket_points_won", I2, "Points for completed tickets.", "points", _UNPLAYED),
        Column("ticket_points_lost", I2, "Points lost with tickets not completed.", "points", _UNPLAYED),
        Column("longest_path_points", I2, "Bonus for the longest path.", "points", _UNPLAYED),
        Column("globetrotter_points", I2, "Bonus for the most completed tickets.", "points", _UNPLAYED),
        Column("all_trains_points", I2, "Bonus for having no train left.", "points", _UNPLAYED),
        Column("station_points", I2, "Points for stations.", "points", _UNPLAYED),
        Column("tickets_completed", I1, "Tickets completed.", "tickets", _UNPLAYED),
        Column("tickets_failed", I1, "Tickets not completed.", "tickets", _UNPLAYED),
        Column("longest_path", I2, "Length of the longest path.", "spaces", _UNPLAYED),
        Column("tickets_kept", I1, "Tickets in hand at the end.", "tickets", _UNKNOWN),
        Column("routes", I2, "Tracks claimed.", "tracks", _UNKNOWN),
        Column("trains_left", I1, "Trains left at the end.", "trains", _UNKNOWN),
        Column("stations_placed", I1, "Stations placed.", "stations", _UNKNOWN),
        Column("decisions", I4, "Actions that the bot was asked for.", "decisions", _UNKNOWN),
        Column("cards_drawn", I4, "Train cards taken by draw actions.", "cards", _UNKNOWN),
    ),
)

TIMING = Table(
    "timing",
    "One row per seat of each game: what depends on the clock, so that the other tables are the same in every run.",
    ("game", "seat"),
    (
        Column("game", I8, "Number of the game in the run."),
        Column("seat", I1, "Number of the seat."),
        Column("think_ns", I8, "Time the bot took for all its decisions.", "ns", _UNKNOWN),
        Column("slowest_ns", I8, "Time of its slowest decision.", "ns", _UNKNOWN),
        Column("game_ns", I8, "Time of the whole game; the same on all its rows.", "ns", _UNKNOWN),
        Column("worker", I2, "Number of the worker process, from 0."),
    ),
)

EXPLAIN = Table(
    "explain",
    "What bots said of their decisions, with `run --explain`: one row per number of an alternative, ascending by game and "
    "decision.",
    ("game", "decision"),
    (
        Column("game", I8, "Number of the game in the run."),
        Column("decision", I4, "Index of the decision in `actions` of the game."),
        Column("action", I2, "The alternative weighed, as a code of ttr_sim.engine.actions."),
        Column("measure", TEXT, "What the number is, in the bot's words."),
        Column("value", F8, "The number."),
    ),
)

# In the order in which the files of a part are written: a game counts as kept when its row in `games` is.
TABLES = (TIMING, SEATS, GAMES)


def to_arrow(table: Table, columns: Mapping[str, Any]) -> Any:
    """Return an Arrow table from a column for each name.

    A column is an array; a masked array where values are missing; for texts (codes, texts), code -1 where missing;
    for lists (offsets, values). Raises ValueError when names or lengths do not match.
    """
    given, known = set(columns), {column.name for column in table.columns}
    if given != known:
        raise ValueError(f"{table.name}: columns {sorted(given ^ known)} are given or expected only")
    arrays = [_array(column, columns[column.name]) for column in table.columns]
    return pa.Table.from_arrays(arrays, schema=table.arrow)


def _array(column: Column, values: Any) -> Any:
    if column.type == TEXT:
        codes, texts = values
        index = pa.array(np.asarray(codes, np.int32), mask=np.asarray(codes) < 0)
        return pa.DictionaryArray.from_arrays(index, pa.array(texts, TEXT)).cast(TEXT)
    if pa.types.is_list(column.type):
        offsets, items = values
        items = pa.array(np.asarray(items, np.dtype(str(column.type.value_type))))
        return pa.ListArray.from_arrays(pa.array(np.asarray(offsets, np.int32)), items, type=column.type)
    kind = np.dtype(str(column.type))  # its own way to say so needs pandas in older versions
    if isinstance(values, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(values)
        return pa.array(values.data.astype(kind), column.type, mask=mask)
    return pa.array(np.asarray(values).astype(kind, copy=False), column.type)


def version_of(schema: Any) -> int | None:
    """Return the schema version a file was written with; None when it is not one of ours."""
    text = (schema.metadata or {}).get(_VERSION_KEY, b"")
    return int(text) if text.isdigit() else None


def reference(tables: Iterable[Table] = (GAMES, SEATS, TIMING, EXPLAIN)) -> str:
    """Return the documentation of the tables as Markdown."""
    lines = [f"Schema version {SCHEMA_VERSION}."]
    for table in tables:
        lines += [
            "",
            f"## {table.name}",
            "",
            table.doc,
            "",
            "| column | type | unit | meaning |",
            "|---|---|---|---|",
        ]
        for c in table.columns:
            meaning = f"{c.doc} Missing {c.missing}." if c.missing else c.doc
            lines.append(f"| `{c.name}` | {c.type} | {c.unit} | {meaning} |")
    return "\n".join(lines) + "\n"
