"""What tracks cost, and which cards pay for them.

A track of length n is paid with p coloured cards, k locomotives and m substitute sets, p + k + m = n.
"""

from __future__ import annotations

from dataclasses import dataclass

from .board import GRAY, Options, Track
from .codes import LOCO, NO_COLOR


@dataclass(frozen=True)
class Price:
    """The price of a track under some rules."""

    length: int
    color: int
    symbols: int
    tunnel: bool
    locos_allowed: bool  # locomotives may stand for coloured cards
    mixed: bool  # the coloured cards need not be of one colour
    set_size: int  # cards in a substitute set, 0: no sets
    most_sets: int


def price_of(track: Track, options: Options) -> Price:
    """The price of the track under these options."""
    ferry = track.kind == "ferry"
    set_size = 0
    if ferry:
        set_size = options["ferry_substitute"]
    elif track.marked and track.kind != "tunnel":
        set_size = options["long_route_substitute"]
    most_sets = track.length if set_size else 0
    if ferry and set_size and options["ferry_substitute_scope"] == "symbols_only":
        most_sets = track.symbols
    return Price(
        length=track.length,
        color=track.color,
        symbols=track.symbols,
        tunnel=track.kind == "tunnel",
        locos_allowed=options["locomotive_use"] == "any_route" or track.kind in ("ferry", "tunnel"),
        mixed=ferry and options["ferry_filler"] == "any_colors",
        set_size=set_size,
        most_sets=most_sets,
    )


def is_payment(price: Price, hand: list[int], color: int, locos: int, sets: int) -> bool:
    """Whether this hand can pay the price with this colour and these numbers of locomotives and sets."""
    coloured = price.length - locos - sets
    if coloured < 0 or sets > price.most_sets or locos > hand[LOCO]:
        return False
    if locos > 0 and not price.locos_allowed:
        return False
    if locos + sets < price.symbols:
        return False
    if color == NO_COLOR:
        if coloured > 0 and not (price.mixed and coloured <= sum(hand[:LOCO])):
            return False
    else:
        if coloured == 0 or price.mixed or price.color not in (GRAY, color):
            return False
        if coloured > hand[color]:
            return False
    return sets * price.set_size <= sum(hand) - coloured - locos


def set_numbers(price: Price, hand: list[int], color: int, locos: int) -> list[int]:
    """The numbers of sets that complete a payment with this colour and these locomotives."""
    return [sets for sets in range(price.most_sets + 1) if is_payment(price, hand, color, locos, sets)]


def can_pay(price: Price, hand: list[int]) -> bool:
    """Whether the hand has any payment."""
    if sum(hand) < price.length:
        return False
    if price.mixed or price.most_sets:
        named = [color for color in range(8) if hand[color] and price.color in (GRAY, color)]
        return any(
            is_payment(price, hand, color, locos, sets)
            for color in [*named, NO_COLOR]
            for locos in range(min(hand[LOCO], price.length) + 1)
            for sets in range(price.most_sets + 1)
        )
    # One colour and locomotives: as many locomotives as possible leave the least to the colour.
    locos = min(hand[LOCO], price.length) if price.locos_allowed else 0
    best_color = max(hand[:LOCO]) if price.color == GRAY else hand[price.color]
    return locos >= price.symbols and best_color >= price.length - locos
