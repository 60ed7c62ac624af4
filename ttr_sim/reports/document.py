"""What a report consists of, whatever it is printed as: sections of texts, tables, charts and maps."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ttr_sim.stats import Estimate

Kind = Literal["text", "count", "number", "signed", "share", "gain", "time"]
Value = str | int | float | Estimate | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    name: for programs. title: for readers. kind: how its numbers are written: text, whole number, number, number
    with its sign, share (0.25 is 25 %), difference of shares with its sign, milliseconds. A cell may be an estimate,
    then its interval is shown too, or None where there is nothing to say.
    """

    name: str
    title: str
    kind: Kind = "text"
    digits: int = 1


@dataclass(frozen=True, slots=True)
class Own:
    """A cell that is written in another way than its column."""

    value: Value
    column: Column


Cell = Value | Own


@dataclass(frozen=True, slots=True)
class Table:
    """A table; `name` is that of its CSV file. key: it belongs into the short form of a report."""

    name: str
    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    key: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart or a map. draw: makes its SVG; alt: what it shows, for those who do not see it; table: its numbers.

    shape: a wide one takes all the width there is, tall ones stand in pairs. legend: HTML below it.
    """

    title: str
    alt: str
    draw: Callable[[], str]
    table: Table
    shape: Literal["single", "wide", "tall"] = "single"
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Several figures side by side under a heading ("" for none)."""

    heading: str
    items: "Sequence[Item]"


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph. strong: a finding, to be seen first."""

    text: str
    strong: bool = False


Item = Text | Table | Figure


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report. question: the sentence that says what it answers."""

    name: str
    title: str
    question: str
    groups: Sequence[Group] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report. facts: what it rests on, as (name, text)."""

    title: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]

    def tables(self) -> Iterable[tuple[Section, Group, Table]]:
        """Every table once, those behind charts too, with where it stands."""
        met: set[int] = set()
        for section in self.sections:
            for group in section.groups:
                for item in group.items:
                    table = item.table if isinstance(item, Figure) else item
                    if isinstance(table, Table) and id(table) not in met:
                        met.add(id(table))
                        yield section, group, table


def written(cell: Cell, column: Column) -> str:
    """Return the number of a cell as readers see it, without its interval."""
    if isinstance(cell, Own):
        return written(cell.value, cell.column)
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    value = cell.mean if isinstance(cell, Estimate) else cell
    return number(value, column)


def interval(cell: Cell, column: Column) -> str:
    """Return the interval of a cell ("" where it has none)."""
    if isinstance(cell, Own):
        return interval(cell.value, cell.column)
    if not isinstance(cell, Estimate):
        return ""
    if cell.low == -float("inf") or cell.high == float("inf"):
        return "interval unknown"
    return f"{number(cell.low, column)} to {number(cell.high, column)}"


def duration(ms: float) -> str:
    """Return a time with the unit that suits it."""
    for unit, size in (("s", 1e3), ("ms", 1.0), ("µs", 1e-3)):
        if ms >= size:
            return f"{ms / size:.3g} {unit}"
    return f"{ms * 1e6:.3g} ns"


def number(value: float, column: Column) -> str:
    """Return a number in the way of its column."""
    sign = "+" if column.kind in ("signed", "gain") else ""
    if column.kind in ("share", "gain"):
        value, unit = 100 * value, " %" if column.kind == "share" else " pp"
    else:
        unit = ""
    if column.kind == "time":
        return duration(value)
    if column.kind == "count":
        return f"{round(value):,}".replace(",", " ")
    text = f"{value:{sign}.{column.digits}f}"
    if float(text) == 0:
        text = text.lstrip("+-")  # no minus nought
    return text.replace("-", "−") + unit
