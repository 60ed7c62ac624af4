"""A leaderboard as lines of text and as plain data."""

from collections.abc import Sequence
from typing import Any

from ttr_sim.results.leaderboard import Leaderboard, Standing
from ttr_sim.stats import Estimate

MOST_FAULTS = 10
HEADER = (
    "",
    "bot",
    "Elo",
    "95 %",
    "games",
    "wins",
    "ties",
    "win rate",
    "score",
    "margin",
    "forfeits",
    "time/decision",
)


def as_lines(board: Leaderboard) -> list[str]:
    """Return a leaderboard as lines of text."""
    return [*aligned([HEADER, *as_rows(board)], left=(1,)), *notes(board)]


def as_rows(board: Leaderboard) -> list[tuple[str, ...]]:
    """Return the cells of each bot, in the order of HEADER."""
    return [_cells(place, standing) for place, standing in enumerate(board.standings, 1)]


def notes(board: Leaderboard) -> list[str]:
    """Return what is to be said of the games as a whole, line by line."""
    lines = [f"{board.games} games in {board.blocks} blocks"]
    lines += [f"note: {warning}" for warning in board.warnings]
    if not board.connected:
        lines.append("note: not all bots met, not even through others: their Elo cannot be compared")
    if board.uncounted:
        what = "games have no result: the worker process died while they were played"
        lines.append(f"note: {board.uncounted} {what}")
    if board.unplayed:
        what = "games were not played: a bot had been withdrawn for its forfeits"
        lines.append(f"note: {board.unplayed} {what}")
    lines += [f"forfeits: {bot}: {games} x {reason}" for bot, reason, games in board.forfeits[:MOST_FAULTS]]
    if len(board.forfeits) > MOST_FAULTS:
        more = len(board.forfeits) - MOST_FAULTS
        lines.append(f"forfeits: {more} other reasons, see forfeit_reason in the table games")
    return lines


def plain_table(board: Leaderboard) -> dict[str, Any]:
    """Return the table and what is to be said of the games as JSON can hold it."""
    return {
        "games": board.games,
        "blocks": board.blocks,
        "games_without_result": board.uncounted,
        "games_not_played": board.unplayed,
        "connected": board.connected,
        "leaderboard": [_plain(standing) for standing in board.standings],
        "superiority": [[round(float(p), 4) for p in row] for row in board.los],
        "forfeits": [{"bot": bot, "reason": reason, "games": games} for bot, reason, games in board.forfeits],
    }


def aligned(rows: Sequence[Sequence[str]], left: Sequence[int]) -> list[str]:
    """Return rows of cells as lines; columns are aligned to the right except those in `left`."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if c in left else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _cells(place: int, s: Standing) -> tuple[str, ...]:
    return (
        str(place),
        s.bot,
        f"{s.elo:+.0f}",
        f"{s.elo_low:+.0f} to {s.elo_high:+.0f}",
        str(s.games),
        str(s.wins),
        str(s.ties),
        f"{s.win_rate.mean:.1%}",
        f"{s.score.mean:.1f}" if s.score else "-",
        f"{s.margin.mean:+.1f}" if s.margin else "-",
        str(s.forfeits),
        _duration(s.decision_ms),
    )


def _duration(ms: float | None) -> str:
    """Return a time with the unit that suits it."""
    if ms is None:
        return "-"
    for unit, size in (("s", 1e3), ("ms", 1.0), ("µs", 1e-3)):
        if ms >= size:
            return f"{ms / size:.3g} {unit}"
    return f"{ms * 1e6:.3g} ns"


def _plain(s: Standing) -> dict[str, Any]:
    return {
        "bot": s.bot,
        "elo": s.elo,
        "elo_low": s.elo_low,
        "elo_high": s.elo_high,
        "games": s.games,
        "wins": s.wins,
        "ties": s.ties,
        "win_rate": plain_estimate(s.win_rate),
        "score": plain_estimate(s.score),
        "margin": plain_estimate(s.margin),
        "forfeits": s.forfeits,
        "decision_ms": None if s.decision_ms is None else round(s.decision_ms, 6),
    }


def plain_estimate(estimate: Estimate | None) -> dict[str, float | None] | None:
    """Return mean and interval; an interval without bounds has null."""
    if estimate is None:
        return None
    numbers = {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}
    return {name: round(value, 4) if abs(value) < float("inf") else None for name, value in numbers.items()}
