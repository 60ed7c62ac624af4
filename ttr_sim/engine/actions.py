"""The action codes: the only place that knows their numbers. Encode, decode, describe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ttr_sim.engine.layout import (
    FILLER,
    KINDS,
    LOCO,
    MAX_CITIES,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_TRACKS,
    NO_COLOR,
    SETCARDS,
    TUNNEL_KIND,
)

if TYPE_CHECKING:
    from ttr_sim.board import Board
    from ttr_sim.rules import Rules

COLOR_NAMES = ("purple", "white", "blue", "yellow", "orange", "black", "red", "green", "locomotive")

TAKE = 0  # + colour: take a face-up card
BLIND = TAKE + KINDS
TICKETS = BLIND + 1
PASS = TICKETS + 1
CLAIM = PASS + 1  # + track
STATION = CLAIM + MAX_TRACKS  # + city
PAY = STATION + MAX_CITIES  # + 10 * colour + locomotives
PAY_STEP = MAX_LENGTH + 1
SETS = PAY + KINDS * PAY_STEP  # + number of substitute sets
CARD = SETS + PAY_STEP  # + colour: one free-choice card
EXTRA = CARD + KINDS  # + locomotives: pay a tunnel's extra cards
TAKE_BACK = EXTRA + PAY_STEP
KEEP = TAKE_BACK + 1  # + bit mask of the tickets kept
N_ACTIONS = KEEP + (1 << MAX_OFFER)


def decode(action: int) -> tuple[str, int, int]:
    """Kind of an action and its up to two numbers (0 where there is none).

    Kinds: take (colour), blind, tickets, pass, claim (track), station (city), pay (colour, locomotives), sets (number),
    card (colour), extra (locomotives), take_back, keep (mask). Raises ValueError for a number that is no action.
    """
    bounds = (
        (BLIND, "take", TAKE),
        (TICKETS, "blind", BLIND),
        (PASS, "tickets", TICKETS),
        (CLAIM, "pass", PASS),
        (STATION, "claim", CLAIM),
        (PAY, "station", STATION),
        (SETS, "pay", PAY),
        (CARD, "sets", SETS),
        (EXTRA, "card", CARD),
        (TAKE_BACK, "extra", EXTRA),
        (KEEP, "take_back", TAKE_BACK),
        (N_ACTIONS, "keep", KEEP),
    )
    if 0 <= action < N_ACTIONS:
        for end, kind, start in bounds:
            if action < end:
                offset = action - start
                return (kind, *divmod(offset, PAY_STEP)) if kind == "pay" else (kind, offset, 0)
    raise ValueError(f"{action} is not an action (0..{N_ACTIONS - 1})")


def take(color: int) -> int:
    """Take a face-up card of a colour (8: locomotive)."""
    return TAKE + color


def claim(track: int) -> int:
    """Claim a track, by its number on the board."""
    return CLAIM + track


def station(city: int) -> int:
    """Place a station in a city, by its number on the board."""
    return STATION + city


def pay(color: int, locomotives: int) -> int:
    """Pay with a colour (8: none named) and so many locomotives."""
    return PAY + PAY_STEP * color + locomotives


def sets(number: int) -> int:
    """Use so many substitute sets."""
    return SETS + number


def card(color: int) -> int:
    """Put one card of a colour into the payment."""
    return CARD + color


def extra(locomotives: int) -> int:
    """Pay the extra cards of a tunnel, so many of them locomotives."""
    return EXTRA + locomotives


def keep(mask: int) -> int:
    """Keep the offered tickets whose bit is set."""
    return KEEP + mask


def public(action: int) -> int:
    """What the other seats see of an action: of kept tickets only how many."""
    if action < KEEP:
        return action
    return KEEP + (1 << (action - KEEP).bit_count()) - 1


def track_name(board: Board, track: int) -> str:
    """ "Paris–Zürich", with the colour where a parallel track shares the name, and "2" if that has the same colour."""
    row = board.tracks[track]
    name = f"{board.cities[row.a].name}–{board.cities[row.b].name}"
    if not row.parallel:
        return name
    partner = board.partner(track)
    second = partner < track and board.tracks[partner].color == row.color
    return f"{name} {row.color} 2" if second else f"{name} {row.color}"


def ticket_name(board: Board, ticket: int) -> str:
    """ "Berlin–Roma 9"."""
    row = board.tickets[ticket]
    return f"{board.cities[row.a].name}–{board.cities[row.b].name} {row.points}"


def cards_text(counts: list[int]) -> str:
    """ "2 red + 1 locomotive" from card counts by colour."""
    parts = [_cards(n, c) for c, n in enumerate(counts) if n]
    return " + ".join(parts) if parts else "nothing"


def _cards(number: int, color: int) -> str:
    return f"{number} {COLOR_NAMES[color]}{'s' * (color == LOCO and number != 1)}"


def describe(board: Board, action: int, state: Any = None, rules: Rules | None = None) -> str:
    """Readable text of an action.

    Args:
        board: the board played on.
        action: the code.
        state: the STATE record (or a View's) before the action; with it payments and tickets are named in full.
        rules: the rules played by; without them a payment is read as the official Europe rules ask it.
    """
    kind, x, y = decode(action)
    texts = {
        "blind": "draw blind",
        "tickets": "draw tickets",
        "pass": "pass",
        "take_back": "take the payment back",
    }
    if kind in texts:
        return texts[kind]
    if kind == "take":
        return f"take {COLOR_NAMES[x]}"
    if kind == "claim":
        row = board.tracks[x]
        what = str(row.length) if row.kind == "normal" else f"{row.kind}, {row.length}"
        return f"claim {track_name(board, x)} ({what})"
    if kind == "station":
        return f"station in {board.cities[x].name}"
    if kind == "sets":
        return f"use {x} substitute set{'s' * (x != 1)}"
    if kind == "card":
        return f"add 1 {COLOR_NAMES[x]}"
    if kind == "pay":
        return f"pay {_payment(board, x, y, state, rules)}"
    if kind == "extra":
        return f"pay extra {_extra(x, state)}"
    return f"keep {_kept(board, x, state)}"


def _payment(board: Board, color: int, locomotives: int, state: Any, rules: Rules | None) -> str:
    spaces, price = (0, 0) if state is None else _price(board, state, rules)
    parts = []
    if color != NO_COLOR:
        parts.append(_cards(price - locomotives, color) if price else COLOR_NAMES[color])
    elif locomotives < spaces:
        parts.append("other cards")
    if locomotives:
        parts.append(_cards(locomotives, LOCO))
    return " + ".join(parts) if parts else "no locomotive"


def _price(board: Board, state: Any, rules: Rules | None) -> tuple[int, int]:
    """Spaces (or cards of a station) of the pending payment, and the cards it takes; 0 while that is still open."""
    track = int(state["pend_track"])
    if track < 0:
        placed = sum(1 for city in state["station_city"][int(state["seat"])] if city >= 0)
        cards = 1 if rules is not None and rules.station_cost == "single_card" else placed + 1
        return cards, cards
    length = board.tracks[track].length
    if rules is None:
        return length, length
    ferry = board.tracks[track].kind == "ferry"
    marked = track in board.substitute_tracks
    sets = rules.ferry_substitute if ferry else rules.long_route_substitute if marked else 0
    return length, 0 if sets else length


def _extra(locomotives: int, state: Any) -> str:
    if state is None:
        return f"with {_cards(locomotives, LOCO)}"
    counts = [0] * KINDS
    counts[LOCO] = locomotives
    if int(state["pend_color"]) != NO_COLOR:
        counts[int(state["pend_color"])] = int(state["pend_extra"]) - locomotives
    return cards_text(counts)


def _kept(board: Board, mask: int, state: Any) -> str:
    places = [i for i in range(MAX_OFFER) if mask >> i & 1]
    if state is None:
        return "tickets " + ", ".join(str(i + 1) for i in places)
    offer = state["offer"][int(state["seat"])]
    if any(int(offer[i]) < 0 for i in places):
        return f"{len(places)} ticket{'s' * (len(places) != 1)}"
    return ", ".join(ticket_name(board, int(offer[i])) for i in places)


__all__ = [
    "COLOR_NAMES",
    "FILLER",
    "N_ACTIONS",
    "SETCARDS",
    "TUNNEL_KIND",
    "card",
    "claim",
    "decode",
    "describe",
    "extra",
    "keep",
    "pay",
    "public",
    "sets",
    "station",
    "take",
]
