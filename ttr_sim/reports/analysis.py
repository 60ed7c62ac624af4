"""Everything that is counted for a report: the leaderboard, and sums for every scene."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ttr_sim.reports.board_sums import BoardSums
from ttr_sim.reports.expectation import Expectation
from ttr_sim.reports.field_sums import FieldSums
from ttr_sim.reports.measures import MeasureSums
from ttr_sim.reports.pieces import Piece, Pieces, Scene
from ttr_sim.reports.tempo_sums import TempoSums
from ttr_sim.reports.ticket_sums import TicketSums
from ttr_sim.results.leaderboard import Leaderboard, bot_names, make_leaderboard
from ttr_sim.results.reader import Run
from ttr_sim.results.together import distinct_runs

Progress = Callable[[int], None]


class SceneSums:
    """The sums of one scene; played: games that came to their end, which alone tell about the board."""

    def __init__(self, scene: Scene, bots: int) -> None:
        self.scene = scene
        self.games = self.blocks = self.played = 0
        self.field = FieldSums(scene, bots)
        self.board = BoardSums(scene, bots)
        self.tickets = TicketSums(scene)
        self.tempo = TempoSums(scene, bots)
        self.measures = MeasureSums()

    def add(self, piece: Piece, expectation: Expectation) -> None:
        """Add games."""
        self.games += len(piece)
        self.blocks += len(piece.starts)
        self.field.add(piece)
        played = piece.played()
        if not len(played):
            return
        self.played += len(played)
        above = expectation.above(played)
        self.field.add_played(played)
        self.board.add(played, above)
        self.tickets.add(played, above)
        self.tempo.add(played)
        self.measures.add(played)


@dataclass(frozen=True)
class Analysis:
    """What a report is written from. bots: their names, by number; order: their numbers, the best first."""

    runs: Sequence[Run]
    leaderboard: Leaderboard
    bots: tuple[str, ...]
    order: tuple[int, ...]
    scenes: Sequence[SceneSums]


def analyse(runs: Sequence[Run], progress: Progress = lambda games: None) -> Analysis:
    """Count everything; progress is told the games done.

    Raises TtrError: no games, games that would count twice, damaged files, a wrong log.
    """
    runs = distinct_runs(runs)
    leaderboard = make_leaderboard(runs)
    pieces = Pieces(runs, bot_names(runs))
    # Sums of no games at all have NaN in them, which is what is meant.
    with np.errstate(invalid="ignore"):
        expectation = Expectation(pieces)
        sums = {scene: SceneSums(scene, len(pieces.bots)) for scene in pieces.scenes}
        for piece in pieces:
            sums[piece.scene].add(piece, expectation)
            progress(len(piece))
    order = [pieces.bots.index(standing.bot) for standing in leaderboard.standings]
    order += [bot for bot in range(len(pieces.bots)) if bot not in order]
    return Analysis(runs, leaderboard, pieces.bots, tuple(order), list(sums.values()))
