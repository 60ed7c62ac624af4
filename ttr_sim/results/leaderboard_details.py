"""What a leaderboard can say beyond its table, as lines of text and as plain data."""

from collections.abc import Callable, Collection
from typing import Any

from ttr_sim.results.leaderboard import Leaderboard
from ttr_sim.results.leaderboard_text import aligned, as_lines, plain_estimate, plain_table
from ttr_sim.stats import SeatEffect


def superiority_lines(board: Leaderboard) -> list[str]:
    """Return the matrix of likelihoods of superiority."""
    labels = [standing.bot for standing in board.standings]
    rows = [
        (label, *("-" if i == j else _chance(float(board.los[i, j])) for j in range(len(labels))))
        for i, label in enumerate(labels)
    ]
    title = "likelihood that the bot of the row is stronger than that of the column"
    return [title, *aligned([("", *labels), *rows], left=(0,))]


def meeting_lines(board: Leaderboard) -> list[str]:
    """Return the results of every two bots that met, once, seen from the one that stands higher."""
    labels = [standing.bot for standing in board.standings]
    rows = [
        (
            labels[m.bot],
            labels[m.opponent],
            str(m.games),
            str(m.wins),
            str(m.ties),
            str(m.losses),
            f"{m.score.mean:.1%}",
            f"{m.score.low:.1%} to {m.score.high:.1%}",
        )
        for m in board.meetings
        if m.bot < m.opponent
    ]
    header = ("bot", "against", "games", "wins", "ties", "losses", "score", "95 %")
    return ["head to head", *aligned([header, *rows], left=(0, 1))]


def seat_lines(board: Leaderboard) -> list[str]:
    """Return the share of wins of every seat, and whether the seats are equal."""
    lines = []
    for effect in board.seats:
        players = len(effect.shares)
        lines.append(
            f"wins by seat, {effect.games} games of {players} players: chi-square {effect.chi_square:.2f} with "
            f"{players - 1} degree{'s' if players > 2 else ''} of freedom, p {_p(effect.p)}"
        )
        rows = [
            (f"seat {seat}", f"{share.mean:.1%}", f"{share.low:.1%} to {share.high:.1%}")
            for seat, share in enumerate(effect.shares)
        ]
        lines += aligned([("", "wins", "95 %"), *rows], left=(0,))
    return lines


def setting_lines(board: Leaderboard) -> list[str]:
    """Return the leaderboard of each board and rules, where there are several."""
    lines: list[str] = []
    for name, rules, own in board.settings:
        where = name if name == rules else f"{name} with rules {rules}"
        lines += ([""] if lines else []) + [f"on {where}", *as_lines(own)]
    return lines or ["all games were played on one board with one set of rules"]


SECTIONS: dict[str, Callable[[Leaderboard], list[str]]] = {
    "superiority": superiority_lines,
    "head_to_head": meeting_lines,
    "seats": seat_lines,
    "per_board": setting_lines,
}


def with_sections(board: Leaderboard, sections: Collection[str]) -> list[str]:
    """Return a leaderboard with some of SECTIONS behind it."""
    lines = as_lines(board)
    for name, section in SECTIONS.items():
        if name in sections:
            lines += ["", *section(board)]
    return lines


def as_plain(board: Leaderboard) -> dict[str, Any]:
    """Return a leaderboard with all its details as JSON can hold it."""
    return {
        **plain_table(board),
        "warnings": list(board.warnings),
        **_details(board),
        "per_board": [
            {"board": name, "rules": rules, **plain_table(own), **_details(own)}
            for name, rules, own in board.settings
        ],
    }


def _details(board: Leaderboard) -> dict[str, Any]:
    labels = [standing.bot for standing in board.standings]
    return {
        "head_to_head": [
            {
                "bot": labels[m.bot],
                "opponent": labels[m.opponent],
                "games": m.games,
                "wins": m.wins,
                "ties": m.ties,
                "losses": m.losses,
                "score": plain_estimate(m.score),
            }
            for m in board.meetings
        ],
        "seats": [_plain_seats(effect) for effect in board.seats],
    }


def _plain_seats(effect: SeatEffect) -> dict[str, Any]:
    return {
        "players": len(effect.shares),
        "games": effect.games,
        "chi_square": round(effect.chi_square, 4),
        "p": effect.p,
        "wins": [plain_estimate(share) for share in effect.shares],
    }


def _chance(p: float) -> str:
    return "<0.1%" if p < 0.001 else ">99.9%" if p > 0.999 else f"{p:.1%}"


def _p(p: float) -> str:
    return "< 0.0001" if p < 0.0001 else f"= {p:.4f}"
