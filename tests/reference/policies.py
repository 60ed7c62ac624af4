"""Ways to play that lead games into rare corners of the rules.

A policy is a function of a random generator, the reference game and its legal codes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from . import codes
from .board import GRAY
from .codes import LOCO
from .model import ReferenceGame

Policy = Callable[[Random, ReferenceGame, list[int]], int]

DRAWS = range(codes.BLIND + 1)


def uniform(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Any legal action."""
    return rng.choice(legal)


def hoard(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Draw train cards as long as there are any; hardly ever spend them."""
    if rng.random() < 0.02:
        return rng.choice(legal)
    return one_of(rng, legal, DRAWS)


def drain_tickets(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Draw tickets as long as there are any, keeping few or all."""
    if codes.DRAW_TICKETS in legal and rng.random() < 0.8:
        return codes.DRAW_TICKETS
    if legal[0] >= codes.KEEP and rng.random() < 0.3:
        return legal[-1]
    return rng.choice(legal)


def block_market(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Leave locomotives lying until three are open, then draw blind; claim now and then."""
    if game.phase == "TURN" and rng.random() < 0.15:
        return rng.choice(legal)
    wanted = [codes.BLIND] if game.market[LOCO] >= 3 else [code for code in DRAWS if code != LOCO]
    return one_of(rng, legal, wanted)


def tunnels(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Try tunnels and take the payment back, for ever."""
    if codes.TAKE_BACK in legal and rng.random() < 0.9:
        return codes.TAKE_BACK
    if rng.random() < 0.02:
        return rng.choice(legal)
    tracks = game.board.tracks
    dig = [code for code in legal if codes.is_claim(code) and tracks[code - codes.CLAIM].kind == "tunnel"]
    return one_of(rng, legal, dig or DRAWS)


def spend_trains(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Claim the longest track there is, down to the last train; else draw cards."""
    claims = [code for code in legal if codes.is_claim(code)]
    if claims and rng.random() < 0.9:
        return claims[-1]
    return one_of(rng, legal, DRAWS)


def connect(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Claim short tracks that touch the own network: dense networks with many loops."""
    tracks = game.board.tracks
    cities = {
        city
        for t, owner in enumerate(game.owner)
        if owner == game.seat
        for city in (tracks[t].a, tracks[t].b)
    }
    claims = [code for code in legal if codes.is_claim(code)]
    touching = [
        code
        for code in claims
        if {tracks[code - codes.CLAIM].a, tracks[code - codes.CLAIM].b} & cities or not cities
    ]
    if touching:
        return touching[0]
    return one_of(rng, legal, claims if rng.random() < 0.05 else DRAWS)


def ferries_and_sets(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Collect for ferries, marked and gray tracks, and pay them with many sets and few locomotives."""
    if game.phase == "SETS":
        return legal[-1] if rng.random() < 0.7 else rng.choice(legal)
    if game.phase != "TURN":
        return rng.choice(legal)
    tracks = game.board.tracks
    special = [
        code
        for code in legal
        if codes.is_claim(code)
        and (
            tracks[code - codes.CLAIM].kind == "ferry"
            or tracks[code - codes.CLAIM].marked
            or tracks[code - codes.CLAIM].color == GRAY
        )
    ]
    if special and rng.random() < 0.5:
        return special[-1] if rng.random() < 0.5 else rng.choice(special)
    if rng.random() < 0.05:
        return rng.choice(legal)
    return one_of(rng, legal, DRAWS)


def stations(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Place stations early where others have built, and keep every ticket."""
    if legal[0] >= codes.KEEP:
        return legal[-1]
    tracks = game.board.tracks
    places = [
        code
        for code in legal
        if codes.is_station(code)
        and any(game.owner[t] not in (-1, game.seat) for t in game.board.tracks_of[code - codes.STATION])
    ]
    claims = [code for code in legal if codes.is_claim(code)]
    if places and rng.random() < 0.3:
        return rng.choice(places)
    if claims and rng.random() < 0.5:
        return max(claims, key=lambda code: (tracks[code - codes.CLAIM].length, code))
    return one_of(rng, legal, [*DRAWS, codes.DRAW_TICKETS] if rng.random() < 0.1 else DRAWS)


def towards_passing(rng: Random, game: ReferenceGame, legal: list[int]) -> int:
    """Use up tickets, cards and stations, then everything else: nobody is left with an action."""
    if legal[0] >= codes.KEEP or game.phase != "TURN":
        return rng.choice(legal)
    if game.ticket_deck:
        return codes.DRAW_TICKETS
    draws = [code for code in legal if code in DRAWS]
    if draws:
        return rng.choice(draws)
    short = [code for code in legal if not codes.is_station(code)]
    return short[0] if short and rng.random() < 0.7 else rng.choice(legal)


def one_of(rng: Random, legal: list[int], wanted: Iterable[int]) -> int:
    """One of the wanted codes that are legal, or any legal code if none is."""
    return rng.choice([code for code in wanted if code in legal] or legal)


POLICIES: dict[str, Policy] = {
    policy.__name__: policy
    for policy in (
        uniform,
        hoard,
        drain_tickets,
        block_market,
        tunnels,
        spend_trains,
        connect,
        ferries_and_sets,
        stations,
        towards_passing,
    )
}
