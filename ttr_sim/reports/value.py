"""Which tracks are undervalued and which overvalued."""

from statistics import NormalDist

import numpy as np

from ttr_sim.board import Board
from ttr_sim.engine.actions import track_name
from ttr_sim.reports.board_sums import BoardSums
from ttr_sim.reports.document import Column, Table
from ttr_sim.stats import RatioSums
from ttr_sim.stats.arrays import Floats
from ttr_sim.stats.distributions import Z95

LEAST_BLOCKS = 20  # what fewer blocks say of a track or ticket is not worth a place in a list
_LISTED = 8
_SHARE, _GAIN = (0.0, 1.0), (-1.0, 1.0)


def sure_of(sums: RatioSums, index: int) -> bool:
    """Tell whether the interval of a difference leaves out zero, on enough blocks."""
    enough = bool(sums.blocks[index] >= LEAST_BLOCKS and sums.error[index] > 0)
    return enough and abs(float(sums.mean[index])) > Z95 * float(sums.error[index])


def beyond_chance(differences: Floats, sums: RatioSums, index: int) -> bool:
    """Tell whether a difference would be found even as the greatest of all (Bonferroni, 5 %); `sums` has its errors."""
    many = max(1, int((sums.blocks >= LEAST_BLOCKS).sum()))
    return abs(float(differences[index])) > NormalDist().inv_cdf(1 - 0.025 / many) * float(sums.error[index])


def under_and_over(board: Board, sums: BoardSums) -> list[Table]:
    """Return the tables of the most undervalued and the most overvalued tracks."""
    claim, lift = sums.claim.mean, sums.lift
    middle = float(np.median(claim))
    ready = [t for t in range(len(board.tracks)) if sure_of(lift, t)]
    worth = np.nan_to_num(np.abs(lift.mean) - Z95 * lift.error)
    under = sorted((t for t in ready if lift.mean[t] > 0 and claim[t] <= middle), key=lambda t: -worth[t])
    over = sorted((t for t in ready if lift.mean[t] < 0 and claim[t] >= middle), key=lambda t: -worth[t])
    columns = [
        Column("track", "track"),
        Column("length", "length", "count"),
        Column("claimed", "claimed", "share"),
        Column("lift", "wins above expected", "gain"),
        Column("certain", "certain"),
    ]

    def table(name: str, title: str, tracks: list[int], note: str) -> Table:
        rows = [
            (track_name(board, t), board.tracks[t].length, sums.claim.at(t, _SHARE), lift.at(t, _GAIN),
             "yes" if beyond_chance(lift.mean, lift, t) else "perhaps")
            for t in tracks[:_LISTED]
        ]  # fmt: skip
        return Table(name, title, columns, rows, key=True, note=note if rows else "None stands out.")

    rest = (
        f" Ordered by what is sure of it. Of {len(board.tracks)} tracks some differ by chance alone; certain are those "
        "that would stand out even so."
    )
    return [
        table("undervalued", "Undervalued tracks", under,
              "Claimed no more often than the middle track, yet their owners win more than expected." + rest),
        table("overvalued", "Overvalued tracks", over,
              "Claimed no less often than the middle track, yet their owners win less than expected."),
    ]  # fmt: skip
