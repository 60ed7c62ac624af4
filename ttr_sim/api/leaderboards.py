"""Leaderboards of runs; a Leaderboard shows as a table in a notebook."""

from collections.abc import Sequence
from pathlib import Path

from ttr_sim.api.pictures import paragraph, table
from ttr_sim.api.runs import Run
from ttr_sim.results.leaderboard import Leaderboard, Standing, make_leaderboard
from ttr_sim.results.leaderboard_text import HEADER, as_rows, notes

__all__ = ["Leaderboard", "Standing", "leaderboard"]


def leaderboard(runs: Sequence[Run | str | Path], anchor: str | None = None) -> Leaderboard:
    """Return the leaderboard of several runs together; bots of equal label are the same bot.

    anchor: the bot whose Elo is 0 (default: the mean is). Raises TtrError: no games, unknown anchor.
    """
    opened = [run if isinstance(run, Run) else Run(run) for run in runs]
    return make_leaderboard([run.opened for run in opened], anchor)


def leaderboard_html(board: Leaderboard) -> str:
    """Return a leaderboard as HTML."""
    return table(HEADER, as_rows(board), left=(1,)) + "".join(map(paragraph, notes(board)))


# Here and not in the class, which knows nothing of pages.
Leaderboard._repr_html_ = leaderboard_html  # type: ignore[attr-defined]
