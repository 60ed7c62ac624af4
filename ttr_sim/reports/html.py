"""A report as one HTML file that needs nothing else: no other file, no network."""

from html import escape
from importlib.resources import files
from typing import Any

from ttr_sim.reports.document import (
    Cell,
    Column,
    Document,
    Figure,
    Group,
    Section,
    Table,
    Text,
    interval,
    written,
)
from ttr_sim.reports.map import map_css


def as_html(document: Document) -> str:
    """Return the page."""
    style = f"{map_css()}\n{_file('report.css')}"
    navigation = "".join(f'<a href="#{s.name}">{escape(s.title)}</a>' for s in document.sections)
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in document.facts)
    body = "\n".join(_section(section) for section in document.sections)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; img-src data:\">\n"
        '<link rel="icon" href="data:,">\n'
        f"<title>{escape(document.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f'<header><h1>{escape(document.title)}</h1><dl>{facts}</dl></header>\n<nav aria-label="Sections">{navigation}'
        f"</nav>\n<main>\n{body}\n</main>\n<footer>Made by ttr-sim. Intervals hold 95 % and rest on blocks: one deal, "
        "played in every rotation of the seats.</footer>\n"
        f'<div id="tip" hidden></div>\n<script>\n{_file("report.js")}</script>\n</body>\n</html>\n'
    )


def _file(name: str) -> str:
    return files("ttr_sim.reports").joinpath(name).read_text(encoding="utf-8")


def _section(section: Section) -> str:
    groups = "\n".join(_group(group) for group in section.groups if group.items)
    return (
        f'<section id="{section.name}">\n<h2>{escape(section.title)}</h2>\n'
        f'<p class="question">{escape(section.question)}</p>\n{groups}\n</section>'
    )


def _group(group: Group) -> str:
    heading = f"<h3>{escape(group.heading)}</h3>\n" if group.heading else ""
    return heading + '<div class="group">\n' + "\n".join(_item(item) for item in group.items) + "\n</div>"


def _item(item: Text | Table | Figure) -> str:
    if isinstance(item, Text):
        kind = ' class="finding"' if item.strong else ""
        return f"<p{kind}>{escape(item.text)}</p>"
    if isinstance(item, Table):
        wide = " wide" if len(item.columns) > 5 else ""
        return f'<figure class="table{wide}"><figcaption>{escape(item.title)}</figcaption>{_table(item)}</figure>'
    wide = ' class="wide"' if item.wide else ""
    return (
        f"<figure{wide}><figcaption>{escape(item.title)}</figcaption>{item.draw()}{item.legend}"
        f"<details><summary>Table: {escape(item.table.title)}</summary>{_table(item.table)}</details></figure>"
    )


def _table(table: Table) -> str:
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    if not table.rows:
        return note
    head = "".join(f'<th scope="col"{_side(column)}>{escape(column.title)}</th>' for column in table.columns)
    rows = "".join(
        "<tr>" + "".join(_cell(c, k) for c, k in zip(row, table.columns, strict=True)) + "</tr>\n"
        for row in table.rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table><thead><tr>{head}'
        f"</tr></thead><tbody>\n{rows}</tbody></table></div>{note}"
    )


def _side(column: Column) -> str:
    return "" if column.kind == "text" else ' class="n"'


def _cell(cell: Cell, column: Column) -> str:
    around = interval(cell, column)
    small = f"<small>{escape(around)}</small>" if around else ""
    number: Any = _side(column) or (' class="n"' if small else "")
    return f"<td{number}>{escape(written(cell, column))}{small}</td>"
