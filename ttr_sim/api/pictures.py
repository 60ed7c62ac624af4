"""Pieces of HTML for notebooks: maps as pictures, tables; all texts are escaped."""

from base64 import b64encode
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from ttr_sim.board import Board

if TYPE_CHECKING:
    from ttr_sim.engine import Game

_WIDTH = 900  # pixels a map takes at most


def board_svg(board: Board) -> str:
    """Return the map of a board as an SVG document that needs nothing else."""
    from ttr_sim.reports.map import draw_map

    return _with_style(draw_map(board))


def game_svg(game: "Game") -> str:
    """Return the map with the tracks and stations of a position in the colours of the seats."""
    from ttr_sim.engine.view import track_list
    from ttr_sim.reports.map import Mark, draw_map

    state = game.state[0]
    tracks: dict[int, Mark] = {}
    cities: dict[int, Mark] = {}
    for seat in range(game.players):
        owner = Mark(tooltip=f"seat {seat}", label=str(seat), data={"owner": str(seat)})
        tracks |= dict.fromkeys(track_list(state["own"][seat]), owner)
        stations = (int(city) for city in state["station_city"][seat] if city >= 0)
        cities |= dict.fromkeys(stations, Mark(tooltip=f"station of seat {seat}", data={"owner": str(seat)}))
    text = f"{game.board.title}: " + ", ".join(
        f"seat {seat} {int(state['points'][seat])} points for routes" for seat in range(game.players)
    )
    return _with_style(draw_map(game.board, tracks=tracks, cities=cities, description=text))


def picture(svg: str, text: str) -> str:
    """Return an SVG document as an HTML image, apart from the styles of the page."""
    data = b64encode(svg.encode()).decode()
    style = f"width:100%;max-width:{_WIDTH}px"
    return f'<img alt="{escape(text)}" style="{style}" src="data:image/svg+xml;base64,{data}">'


def table(header: Sequence[str], rows: Iterable[Sequence[object]], left: Sequence[int] = (0,)) -> str:
    """Return an HTML table; columns are aligned to the right except those in `left`."""

    def row(cells: Sequence[object], tag: str) -> str:
        parts = (
            f'<{tag} style="text-align:{"left" if c in left else "right"}">{escape(str(cell))}</{tag}>'
            for c, cell in enumerate(cells)
        )
        return f"<tr>{''.join(parts)}</tr>"

    body = "".join(row(cells, "td") for cells in rows)
    return f"<table><thead>{row(header, 'th')}</thead><tbody>{body}</tbody></table>"


def paragraph(text: str) -> str:
    """Return a text as an HTML paragraph."""
    return f"<p>{escape(text)}</p>"


def _with_style(svg: str) -> str:
    from ttr_sim.reports.map import map_css

    at = svg.index(">") + 1
    return f"{svg[:at]}<style>{map_css()}</style>{svg[at:]}"
