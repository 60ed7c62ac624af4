"""A report as one HTML file that needs nothing else: no other file, no network."""

import base64
import hashlib
from html import escape
from importlib.resources import files

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

_Anchors = dict[int, str]  # where on the page a table stands, by its identity


def as_html(document: Document) -> str:
    """Return the page."""
    style, script = f"{map_css()}\n{_file('report.css')}", _file("report.js")
    # Even if a text were not escaped somewhere, a browser would not run it as a script.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    anchors: _Anchors = {}
    body = "\n".join(_section(section, anchors) for section in document.sections)
    navigation = "".join(f'<a href="#{s.name}">{escape(s.title)}</a>' for s in document.sections)
    facts = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in document.facts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<link rel="icon" href="data:,">\n'
        f"<title>{escape(document.title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"<header><h1>{escape(document.title)}</h1><dl>{facts}</dl></header>\n"
        f'<nav aria-label="Sections">{navigation}</nav>\n<main>\n{body}\n</main>\n'
        "<footer>Made by ttr-sim. Intervals hold 95 % and rest on blocks: one deal, played in every rotation of the "
        "seats. pp: percentage points.</footer>\n"
        f'<div id="tip" hidden></div>\n<script>{script}</script>\n</body>\n</html>\n'
    )


def _file(name: str) -> str:
    return files("ttr_sim.reports").joinpath(name).read_text(encoding="utf-8")


def _section(section: Section, anchors: _Anchors) -> str:
    groups = "\n".join(_group(group, anchors) for group in section.groups)
    return (
        f'<section id="{section.name}">\n<h2>{escape(section.title)}</h2>\n'
        f'<p class="question">{escape(section.question)}</p>\n{groups}\n</section>'
    )


def _group(group: Group, anchors: _Anchors) -> str:
    heading = f"<h3>{escape(group.heading)}</h3>\n" if group.heading else ""
    items = "\n".join(_item(item, anchors) for item in group.items)
    return f'{heading}<div class="group">\n{items}\n</div>'


def _item(item: Text | Table | Figure, anchors: _Anchors) -> str:
    if isinstance(item, Text):
        kind = ' class="finding"' if item.strong else ""
        return f"<p{kind}>{escape(item.text)}</p>"
    if isinstance(item, Table):
        width = "wide" if len(item.columns) > 5 else "double" if len(item.columns) > 3 else "single"
        anchors[id(item)] = anchor = f"table-{len(anchors) + 1}"
        title = escape(item.title)
        return (
            f'<figure class="{width}" id="{anchor}"><figcaption>{title}</figcaption>{_table(item)}</figure>'
        )
    return (
        f'<figure class="{item.shape}"><figcaption>{escape(item.title)}</figcaption>{_drawn(item)}{item.legend}'
        f"{_behind(item.table, anchors)}</figure>"
    )


def _drawn(figure: Figure) -> str:
    """The picture; a large one can be pushed aside on a narrow screen."""
    if figure.shape == "single":
        return figure.draw()
    return f'<div class="pan" tabindex="0" role="region" aria-label="{escape(figure.title)}">{figure.draw()}</div>'


def _behind(table: Table, anchors: _Anchors) -> str:
    """The table behind a chart; where it stands on the page already, the way to it."""
    title = escape(table.title)
    if id(table) in anchors:
        return f'<p class="more"><a href="#{anchors[id(table)]}">Table: {title}</a></p>'
    anchors[id(table)] = anchor = f"table-{len(anchors) + 1}"
    return f'<details id="{anchor}"><summary>Table: {title}</summary>{_table(table)}</details>'


def _table(table: Table) -> str:
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    if not table.rows:
        return note
    head = "".join(f'<th scope="col"{_side(column)}>{escape(column.title)}</th>' for column in table.columns)
    rows = "".join(
        f"<tr>{''.join(_cell(c, k) for c, k in zip(row, table.columns, strict=True))}</tr>\n"
        for row in table.rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(table.title)}"><table><thead>'
        f"<tr>{head}</tr></thead><tbody>\n{rows}</tbody></table></div>{note}"
    )


def _side(column: Column) -> str:
    return "" if column.kind == "text" else ' class="n"'


def _cell(cell: Cell, column: Column) -> str:
    around = interval(cell, column)
    small = f"<small>{escape(around)}</small>" if around else ""
    side = ' class="n"' if small else _side(column)
    return f"<td{side}>{escape(written(cell, column))}{small}</td>"
