"""A report as Markdown, as CSV files, and as plain data."""

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from ttr_sim.reports.document import Cell, Column, Document, Own, Table, Text, interval, written
from ttr_sim.stats import Estimate


def as_markdown(document: Document) -> str:
    """Return findings and key tables, short enough for a pull request."""
    lines = [f"## {_escaped(document.title)}", ""]
    lines += [f"- {name}: {_escaped(text)}" for name, text in document.facts]
    for section in document.sections:
        body = [line for group in section.groups for line in _group(group.heading, group.items)]
        if body:
            lines += ["", f"### {section.title}", "", section.question, *body]
    return "\n".join(lines) + "\n"


def _group(heading: str, items: Any) -> Iterator[str]:
    shown = [item if isinstance(item, (Table, Text)) else item.table for item in items]
    wanted = [item for item in shown if (item.strong if isinstance(item, Text) else item.key)]
    if heading and wanted:
        yield from ("", f"#### {_escaped(heading)}")
    for item in wanted:
        yield ""
        if isinstance(item, Text):
            yield f"**{_escaped(item.text)}**"
        else:
            yield from _table(item)


def _table(table: Table) -> Iterator[str]:
    yield f"**{_escaped(table.title)}**"
    if table.rows:
        yield ""
        yield "| " + " | ".join(_escaped(column.title) for column in table.columns) + " |"
        yield "|" + "|".join("---" if column.kind == "text" else "---:" for column in table.columns) + "|"
        for row in table.rows:
            cells = (_cell(cell, column) for cell, column in zip(row, table.columns, strict=True))
            yield "| " + " | ".join(cells) + " |"
    if table.note:
        yield from ("", _escaped(table.note))


def _cell(cell: Cell, column: Column) -> str:
    around = interval(cell, column)
    return _escaped(written(cell, column)) + (f" ({around})" if around else "")


def _escaped(text: str) -> str:
    """Return a text that Markdown, with or without HTML, shows as it is."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&@-])", _entity, text)


def _entity(match: re.Match[str]) -> str:
    # A hyphen, bracket or plus sign within a line means nothing; the others as entities, also in table cells.
    return match[0] if match[0] in "-+()!#{}" else f"&#{ord(match[0])};"


def csv_files(document: Document) -> dict[str, str]:
    """Return the content of a CSV file for every table, by name; an estimate has columns for its interval."""
    pieces: dict[str, list[list[str]]] = {}
    for _, group, table in document.tables():
        header, rows = _plain_table(table)
        lines = pieces.setdefault(table.name, [["scene", *header]])
        if lines[0][1:] != header:  # bots by name differ between scenes
            lines = pieces.setdefault(f"{table.name}_{len(pieces)}", [["scene", *header]])
        lines += [[group.heading, *("" if v is None else str(v) for v in row)] for row in rows]
    return {name: _csv(lines) for name, lines in pieces.items()}


def _csv(lines: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue()


def _plain_table(table: Table) -> tuple[list[str], list[list[Any]]]:
    ranged = [
        any(isinstance(_value(row[i]), Estimate) for row in table.rows) for i in range(len(table.columns))
    ]
    header = []
    for column, wide in zip(table.columns, ranged, strict=True):
        header += [column.name, f"{column.name}_low", f"{column.name}_high"] if wide else [column.name]
    rows = []
    for row in table.rows:
        cells: list[Any] = []
        for cell, wide in zip(row, ranged, strict=True):
            value = _value(cell)
            numbers = (
                (value.mean, value.low, value.high) if isinstance(value, Estimate) else (value, None, None)
            )
            cells += [_plain(number) for number in (numbers if wide else numbers[:1])]
        rows.append(cells)
    return header, rows


def _value(cell: Cell) -> Any:
    return cell.value if isinstance(cell, Own) else cell


def _plain(value: Any) -> Any:
    if not isinstance(value, float):
        return value
    return round(value, 6) if abs(value) < float("inf") else None


def as_plain(document: Document) -> dict[str, Any]:
    """Return a report as JSON can hold it."""
    tables = []
    for section, group, table in document.tables():
        header, rows = _plain_table(table)
        tables.append(
            {
                "section": section.name,
                "scene": group.heading,
                "name": table.name,
                "title": table.title,
                "columns": header,
                "titles": [column.title for column in table.columns],
                "rows": rows,
            }
        )
    findings = [
        {"section": section.name, "scene": group.heading, "text": item.text}
        for section in document.sections
        for group in section.groups
        for item in group.items
        if isinstance(item, Text) and item.strong
    ]
    return {"title": document.title, "facts": dict(document.facts), "findings": findings, "tables": tables}
