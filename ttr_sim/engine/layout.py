"""The records of the engine: Tables (what is fixed), State (one game; a View is one with the hidden part blank), Work.

Track sets are two uint64 words, city and ticket sets one. Colours are 0..7, locomotive 8, a gray track has colour -1.
"""

from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from ttr_sim import board, rules
from ttr_sim.engine.jit import COMPILED

MAX_CITIES, MAX_TRACKS, MAX_TICKETS = board.MAX_CITIES, board.MAX_TRACKS, board.MAX_TICKETS
MAX_LENGTH = board.MAX_LENGTH
MAX_PLAYERS, MAX_STATIONS = rules.MAX_PLAYERS, rules.MAX_STATIONS
MAX_OFFER = 6
MAX_TIE_BREAKS = 5
MAX_ASKED = 90  # cards that the longest track asks for at most: nine sets of nine and one space
COLORS = 8
LOCO = 8
KINDS = 9  # kinds of train card: the colours and the locomotive
PER_COLOR = 12
LOCOMOTIVES = 14
CARDS = COLORS * PER_COLOR + LOCOMOTIVES
GRAY = -1
NO_COLOR = 8  # a payment that names no colour: locomotives only, or freely mixed

# What the seat to move is asked.
KEEP_SETUP, TURN, DRAW, PAY, SETS, FILLER, SETCARDS, TUNNEL, KEEP, OVER = range(10)
PHASES = ("KEEP_SETUP", "TURN", "DRAW", "PAY", "SETS", "FILLER", "SETCARDS", "TUNNEL", "KEEP", "OVER")

# Why a game ended. 0: not ended (in result tables: forfeit).
RUNNING, FINAL_ROUND, EXHAUSTED, ALL_PASSED, TURN_LIMIT = range(5)
REASONS = ("forfeit", "final_round", "exhausted", "all_passed", "turn_limit")

NORMAL, FERRY, TUNNEL_KIND = range(3)

# Codes of the options with named values: the place of the name among those that are allowed.
OPTION_CODES: dict[str, tuple[str, ...]] = {
    name: get_args(kind) for name, kind in get_type_hints(rules.Rules).items() if get_origin(kind) is Literal
}


def _code(option: str, name: str) -> int:
    return OPTION_CODES[option].index(name)


# The values that kernels ask for.
REFRESH_AT_THREE = _code("market_locomotives", "refresh_at_three")
BLOCK_AT_THREE = _code("market_locomotives", "block_market_at_three")
SECOND_LOCO_AFTER_BLIND = _code("second_draw_face_up_locomotive", "allowed_after_blind")
SECOND_LOCO_ALLOWED = _code("second_draw_face_up_locomotive", "allowed")
LOCO_ENDS_DRAW = _code("face_up_locomotive", "ends_draw")
SINGLE_CARD_STATIONS = _code("station_cost", "single_card")
UNBORROWED_BONUS = _code("station_bonus", "unborrowed")
MATCH_LOCOS_TOO = _code("tunnel_match", "color_or_loco")
DECLINE_FREELY = _code("tunnel_decline", "free")
TO_BOTTOM = _code("returned_tickets", "bottom")
SETUP_TO_BOTTOM = _code("setup_returned_tickets", "bottom")
OTHERS_ONLY = _code("final_round", "others_only")
COMPLETE_ROUND = _code("final_round", "complete_round")
ENDS_EXHAUSTED = _code("end_when_exhausted", "complete_round")

TIE_BREAKS: tuple[str, ...] = get_args(rules.TieBreak)
TIE_MOST_COMPLETED, TIE_FEWEST_STATIONS, TIE_HOLDER, TIE_LONGEST, TIE_FEWEST_TRAINS = map(
    TIE_BREAKS.index,
    (
        "most_completed_tickets",
        "fewest_stations_used",
        "longest_path_holder",
        "longest_path_length",
        "fewest_trains_left",
    ),
)

PLAIN_OPTIONS = (
    "trains_per_player",
    "stations_per_player",
    "initial_hand",
    "market_size",
    "cards_per_draw",
    "double_routes_min_players",
    "ferry_substitute",
    "long_route_substitute",
    "tunnel_reveal",
    "station_points",
    "end_trigger_trains",
    "turn_limit",
    "longest_path_bonus",
    "globetrotter_bonus",
    "all_trains_bonus",
)
TABLES = np.dtype(
    [
        ("players", "i8"),
        ("n_tracks", "i8"),
        ("n_cities", "i8"),
        ("n_tickets", "i8"),
        ("colors", "i8"),  # COLORS, as a number that LLVM does not know
        *[(name, "i8") for name in (*PLAIN_OPTIONS, *OPTION_CODES)],
        ("deal_long", "i8"),
        ("deal", "i8"),
        ("setup_keep_min", "i8"),
        ("draw_tickets", "i8"),
        ("draw_keep_min", "i8"),
        ("n_tie_breaks", "i8"),
        ("tie_breaks", "i8", (MAX_TIE_BREAKS,)),
        ("points", "i8", (MAX_LENGTH + 1,)),  # by track length
        ("length", "i8", (MAX_TRACKS,)),
        ("color", "i8", (MAX_TRACKS,)),  # -1 gray
        ("kind", "i8", (MAX_TRACKS,)),
        ("symbols", "i8", (MAX_TRACKS,)),  # locomotive symbols
        ("city_a", "i8", (MAX_TRACKS,)),
        ("city_b", "i8", (MAX_TRACKS,)),
        ("partner", "i8", (MAX_TRACKS,)),  # the parallel track or -1
        ("wild", "i8", (MAX_TRACKS,)),  # 1: a locomotive may stand for a coloured card here
        ("set_size", "i8", (MAX_TRACKS,)),  # cards of a substitute set here, 0 = none
        ("sets_max", "i8", (MAX_TRACKS,)),  # most sets a payment may hold
        ("mixed", "i8", (MAX_TRACKS,)),  # 1: coloured cards of any colours (ferry_filler any_colors)
        ("all_tracks", "u8", (2,)),
        ("city_tracks", "u8", (MAX_CITIES, 2)),
        ("all_cities", "u8"),
        # Affordability: tracks of length <= n, by the colour paid (a gray track is in gray_*), apart by whether
        # locomotives are wild there; `exact` tracks (sets, mixed colours) are asked one by one.
        ("wild_le", "u8", (COLORS, MAX_LENGTH + 1, 2)),
        ("gray_wild_le", "u8", (MAX_LENGTH + 1, 2)),
        ("plain_le", "u8", (COLORS, MAX_LENGTH + 1, 2)),
        ("gray_plain_le", "u8", (MAX_LENGTH + 1, 2)),
        ("any_plain", "i8"),  # 1: some track is without wild locomotives and not exact
        ("length_le", "u8", (MAX_LENGTH + 1, 2)),
        ("symbols_le", "u8", (MAX_LENGTH + 1, 2)),
        ("exact", "u8", (2,)),
        # The exact tracks in groups with the same demands, and in each group apart by colour.
        ("n_groups", "i8"),
        (
            "group_first",
            "i8",
            (MAX_TRACKS + 1,),
        ),  # its first class; the last class is before that of the next group
        ("group_need", "i1", (MAX_TRACKS, MAX_ASKED + 1)),  # by cards in hand: spaces not to be paid by sets
        ("group_most", "i8", (MAX_TRACKS,)),  # most coloured cards a payment may hold
        ("group_wild", "i8", (MAX_TRACKS,)),
        ("class_color", "i8", (MAX_TRACKS,)),  # a colour, GRAY, or NO_COLOR for freely mixed cards
        ("class_tracks", "u8", (MAX_TRACKS, 2)),
        ("ticket_a", "i8", (MAX_TICKETS,)),
        ("ticket_b", "i8", (MAX_TICKETS,)),
        ("ticket_points", "i8", (MAX_TICKETS,)),
        ("long_tickets", "u8"),  # the tickets of the long pile (split pool); 0 with a single pool
        ("all_tickets", "u8"),
    ],
    align=True,
)


def _filled(fields: list[Any]) -> np.dtype[Any]:
    """An aligned record without unnamed bytes at its end: NumPy does not copy those, and states are compared as bytes."""
    gap = np.dtype(fields, align=True).itemsize - np.dtype(fields).itemsize
    return np.dtype([*fields, *([("spare", "u1", (gap,))] if gap else [])], align=True)


STATE = _filled(
    [
        ("seed", "u8"),
        ("open", "u8", (2,)),  # tracks that nobody owns and that are not closed for everybody
        ("own", "u8", (MAX_PLAYERS, 2)),
        ("blocked", "u8", (MAX_PLAYERS, 2)),  # open tracks closed to one seat: it owns the parallel one
        ("tickets", "u8", (MAX_PLAYERS,)),
        ("refused", "u8", (MAX_PLAYERS,)),  # tickets this seat has seen and refused
        ("boxed", "u8", (MAX_PLAYERS,)),  # tickets this seat has refused that left the game
        ("box", "u8"),  # all tickets out of the game (in a View: those its seat put there)
        ("station_mask", "u8"),
        ("seat", "i4"),  # who decides
        ("phase", "i4"),
        ("viewer", "i4"),  # -1: the whole truth; else the seat whose View this is
        ("drawn", "i4"),  # cards taken so far in this draw
        ("first_blind", "i4"),  # 1: the first card of this draw came from the deck
        ("passes", "i4"),  # passes in a row
        ("trigger", "i4"),  # seat that triggered the end, -1 none
        ("remaining", "i4"),  # turns left once the end is near, -1 not yet
        ("reason", "i4"),  # why it ends or ended
        ("turns", "i4"),  # finished turns of all seats
        ("deck_n", "i4"),
        ("market_n", "i4"),
        ("reshuffles", "i4"),
        ("ticket_deck_n", "i4"),
        ("ticket_head", "i4"),
        ("pend_track", "i4"),  # -1 none
        ("pend_city", "i4"),  # -1 none
        ("pend_color", "i4"),
        ("pend_locos", "i4"),
        ("pend_sets", "i4"),
        ("pend_left", "i4"),  # free-choice cards still to choose in this phase
        ("pend_min", "i4"),  # lowest colour that may still be chosen
        ("pend_extra", "i4"),  # cards due for a tunnel
        ("points", "i2", (MAX_PLAYERS,)),  # route points so far
        ("turns_done", "i2", (MAX_PLAYERS,)),
        ("hands", "i1", (MAX_PLAYERS, KINDS)),
        ("shown", "i1", (MAX_PLAYERS, KINDS)),  # cards everybody knows to be in a hand
        ("hand_n", "i1", (MAX_PLAYERS,)),
        ("ticket_n", "i1", (MAX_PLAYERS,)),
        ("setup_kept", "i1", (MAX_PLAYERS,)),
        ("trains", "i1", (MAX_PLAYERS,)),
        ("stations", "i1", (MAX_PLAYERS,)),  # not yet placed
        ("station_city", "i1", (MAX_PLAYERS, MAX_STATIONS)),  # -1 none
        ("offer_n", "i1", (MAX_PLAYERS,)),
        ("offer", "i1", (MAX_PLAYERS, MAX_OFFER)),
        ("market", "i1", (KINDS,)),
        ("discards", "i1", (KINDS,)),
        ("pend_paid", "i1", (KINDS,)),  # cards committed to the pending payment
        ("pend_revealed", "i1", (KINDS,)),  # cards turned up for the pending tunnel
        ("ticket_deck", "i1", (MAX_TICKETS,)),  # ring; -1 unknown or empty
        ("deck", "u1", (CARDS,)),  # bottom first; the top is deck[deck_n - 1]
    ]
)

MAX_LEGAL = 256
MAX_TRACE = 4096

WORK = np.dtype(
    [
        ("rng", "u8"),  # the bot's own random stream
        ("n", "i8"),  # number of legal actions
        ("acts", "i2", (MAX_LEGAL,)),  # legal actions, ascending
        ("trace_n", "i8"),
        ("trace_seat", "i1", (MAX_TRACE,)),  # actions taken since the last decision, the forced ones too
        ("trace_act", "i2", (MAX_TRACE,)),
        # Scratch of the scoring.
        ("component", "i8", (MAX_CITIES,)),
        ("merged", "i8", (MAX_CITIES,)),
        ("edge_a", "i8", (64,)),
        ("edge_b", "i8", (64,)),
        ("edge_length", "i8", (64,)),
        ("at_city", "u8", (MAX_CITIES,)),  # edges at a city
        ("root_path", "u8", (MAX_CITIES,)),
        ("queue", "i8", (MAX_CITIES,)),
        ("odd", "i8", (MAX_CITIES,)),
        ("odd_cost", "i8", (MAX_CITIES,)),
        ("cycles", "u8", (64,)),
        ("pair_top", "i2", (MAX_CITIES, MAX_CITIES)),  # by two ends: no trail between them is longer
        ("cut_city", "i8", (65,)),
        ("cut_edges", "u8", (65,)),
        ("cut_free", "u8", (65,)),
        ("cut_need", "u8", (65,)),
        ("cut_next", "u8", (65,)),
        ("choices", "i8", (MAX_STATIONS, MAX_CITIES)),  # components a station may reach
        ("choice_n", "i8", (MAX_STATIONS,)),
        ("pick", "i8", (MAX_STATIONS,)),
    ],
    align=True,
)


def new_record(dtype: np.dtype[Any], n: int = 1) -> Any:
    """Array of `n` zeroed records; kernels take such arrays and use their first record."""
    # Ten times as fast as np.zeros, which for records goes field by field.
    array = np.ndarray(n, dtype, bytearray(n * dtype.itemsize))
    # Interpreted kernels reach fields as attributes, which only a record array offers.
    return array if COMPILED else array.view(np.recarray)
