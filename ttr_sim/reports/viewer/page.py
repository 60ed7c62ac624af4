"""Pages in one file: style, script and data inside, no request to anywhere."""

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from ttr_sim.board import Board
from ttr_sim.reports.map import draw_map, legend, map_css

_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' "
    "rx='7' fill='%230b5f7d'/%3E%3Cpath d='M5 21h22M8 26l2-14M24 26l-2-14' stroke='%23fff' stroke-width='3'/%3E%3C/svg%3E"
)
_GAME_SCRIPTS = ("dom", "game", "board", "panels", "chart", "controls")


def game_page(board: Board, data: dict[str, Any], title: str, about: str, ending: str) -> str:
    """Return the viewer of a game as HTML.

    Args:
        board: the board it was played on.
        data: what `game_data` returns.
        title: the heading. about: a line on what was played. ending: a line on how it ended.
    """
    body = Template(_static("game.html")).substitute(map=draw_map(board), legend=legend())
    content = {**data, "title": title, "about": about, "ending": ending}
    return make_page(title, body, content, styles=("page.css", "game.css"), scripts=_GAME_SCRIPTS)


def list_page(data: dict[str, Any]) -> str:
    """Return the page that lists the games of a run; it asks its server for them."""
    title = f"Games of {data['run']}"
    styles, scripts = ("page.css", "list.css"), ("dom", "list")
    return make_page(title, _static("list.html"), data, styles=styles, scripts=scripts, connect=True)


def make_page(
    title: str,
    body: str,
    data: dict[str, Any],
    *,
    styles: Sequence[str],
    scripts: Sequence[str],
    connect: bool = False,
) -> str:
    """Put a page together; only its own script may run, and only with `connect` may it ask its own server."""
    script = "\n".join(_static(f"{name}.js") for name in scripts)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'"
    return Template(_static("page.html")).substitute(
        policy=policy + ("; connect-src 'self'" if connect else ""),
        title=escape(title),
        icon=_ICON,
        style="\n".join([map_css(), *(_static(name) for name in styles)]),
        body=body,
        data=json_in_html(data),
        script=script,
    )


def json_in_html(data: Any) -> str:
    """Return JSON that nothing in it can end the element or begin a comment around it."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


@cache
def _static(name: str) -> str:
    return files("ttr_sim.reports.viewer").joinpath("static", name).read_text(encoding="utf-8")
