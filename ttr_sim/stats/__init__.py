"""Statistics of tournaments: pure functions on counts and numpy arrays. All error bars are over blocks.

From finished games to answers:
seat rows -> `pair_table` -> `rate` (Elo, intervals, superiority), `head_to_head`, `pair_scores`;
block scores -> `BlockScores` -> `summarise` (Elo of one bot against another), `sprt` (sequential test);
seat rows -> `seat_effect`, `mean_over_blocks`, `game_scores`;
sums by block, in pieces -> `RatioSums`.
"""

from ttr_sim.stats.blocks import BlockScores, block_means, game_scores, paired_scores
from ttr_sim.stats.distributions import chi_square_sf, normal_cdf
from ttr_sim.stats.elo import (
    MAX_ELO,
    EloSummary,
    elo_to_score,
    normalised_elo,
    score_to_elo,
    summarise,
)
from ttr_sim.stats.estimate import Estimate, estimate_of, mean_over_blocks, ratio_over_blocks, share_of_blocks
from ttr_sim.stats.head_to_head import HeadToHead, head_to_head
from ttr_sim.stats.pairs import PairTable, pair_scores, pair_table
from ttr_sim.stats.ratings import Ratings, rate
from ttr_sim.stats.ratio_sums import RatioSums
from ttr_sim.stats.seat_effect import SeatEffect, equal_seats, seat_effect
from ttr_sim.stats.sprt import Sprt, SprtState, llr, sprt
from ttr_sim.stats.verdict import Verdict, verdict

__all__ = [
    "MAX_ELO",
    "BlockScores",
    "EloSummary",
    "Estimate",
    "HeadToHead",
    "PairTable",
    "Ratings",
    "RatioSums",
    "SeatEffect",
    "Sprt",
    "SprtState",
    "Verdict",
    "block_means",
    "chi_square_sf",
    "elo_to_score",
    "equal_seats",
    "estimate_of",
    "game_scores",
    "head_to_head",
    "llr",
    "mean_over_blocks",
    "normal_cdf",
    "normalised_elo",
    "pair_scores",
    "pair_table",
    "paired_scores",
    "rate",
    "ratio_over_blocks",
    "score_to_elo",
    "seat_effect",
    "share_of_blocks",
    "sprt",
    "summarise",
    "verdict",
]
