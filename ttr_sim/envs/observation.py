"""What a seat may know, as one int8 array of fixed size: the same for every board, preset and number of players.

The size follows the limits of the engine (128 tracks, 64 cities, 64 tickets, 5 seats), as the action numbers do, so that one
policy network fits all boards; places that a board does not have are 0. All values are whole numbers from 0 to 127.

`LAYOUT` names the parts. Seats are counted from the one that looks on: 0 is itself, 1 the next at the table, and so on;
seats that are not at the table are 0. Tracks, cities and tickets are in the order of the board, card counts by colour, the
locomotive last.

Nothing else of a View is in it, and all of it is (a test reads every View back from its array).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ttr_sim.engine import actions
from ttr_sim.engine.bits import ONE, ZERO, ctz
from ttr_sim.engine.jit import inlined, kernel
from ttr_sim.engine.layout import (
    FILLER,
    KINDS,
    MAX_CITIES,
    MAX_OFFER,
    MAX_PLAYERS,
    MAX_STATIONS,
    MAX_TICKETS,
    MAX_TRACKS,
    PHASES,
    REASONS,
    SETCARDS,
    SETS,
    TUNNEL,
)
from ttr_sim.engine.tables import make_tables
from ttr_sim.engine.view import View
from ttr_sim.envs.compiled import VIEW_TO_ROW, env_entry
from ttr_sim.envs.parts import lay_out, size_of, take

N_ACTIONS = actions.N_ACTIONS

LAYOUT = lay_out(
    (
        ("open", (MAX_TRACKS,), "1: a track I may still claim, given cards and trains"),
        ("owned", (MAX_PLAYERS, MAX_TRACKS), "1: a track of the seat"),
        ("pending_track", (MAX_TRACKS,), "1: the track being paid for"),
        ("stations", (MAX_PLAYERS, MAX_CITIES), "1: a city with a station of the seat"),
        ("pending_city", (MAX_CITIES,), "1: the city whose station is being paid for"),
        ("tickets", (MAX_TICKETS,), "1: a ticket of mine"),
        ("offer", (MAX_OFFER, MAX_TICKETS), "1: the ticket at a place of my offer, bit i of a keep action"),
        ("refused", (MAX_TICKETS,), "1: a ticket I have seen and refused"),
        ("boxed", (MAX_TICKETS,), "1: a ticket I have refused that left the game"),
        ("hand", (KINDS,), "my train cards"),
        ("market", (KINDS,), "face-up cards"),
        ("discards", (KINDS,), "discarded cards"),
        ("paid", (KINDS,), "cards put into the pending payment"),
        ("revealed", (KINDS,), "cards turned up for the pending tunnel"),
        ("shown", (MAX_PLAYERS, KINDS), "cards everybody knows to be in the seat's hand"),
        ("cards", (MAX_PLAYERS,), "train cards of the seat"),
        ("ticket_count", (MAX_PLAYERS,), "tickets of the seat"),
        ("setup_kept", (MAX_PLAYERS,), "tickets the seat kept of those dealt; 0 before it chose"),
        ("offered", (MAX_PLAYERS,), "tickets the seat is choosing from"),
        ("trains", (MAX_PLAYERS,), "trains left"),
        ("stations_left", (MAX_PLAYERS,), "stations not yet placed"),
        ("points", (MAX_PLAYERS, 2), "route points: hundreds, rest"),
        ("turns", (MAX_PLAYERS, 2), "finished turns: hundreds, rest"),
        ("phase", (len(PHASES),), "1: what is asked, as in ttr_sim.engine.layout.PHASES"),
        ("to_move", (MAX_PLAYERS,), "1: the seat that decides"),
        ("seat", (MAX_PLAYERS,), "1: which seat I am, counted from the first"),
        ("present", (MAX_PLAYERS,), "1: the seat is at the table"),
        ("trigger", (MAX_PLAYERS,), "1: the seat that triggered the end"),
        ("reason", (len(REASONS),), "1: why the game ends or ended, as in layout.REASONS"),
        ("draw", (2,), "cards taken so far in this draw; 1: the first was a blind one"),
        ("decks", (3,), "cards in the deck, tickets in the deck, reshuffles so far (at most 127)"),
        ("payment_color", (KINDS,), "1: the colour named for the pending payment, the last: none"),
        ("payment", (5,), "locomotives, sets, cards to choose, their lowest colour, extra cards due"),
        ("passes", (1,), "passes in a row"),
        ("last_turns", (1,), "0 before the end is near, then the turns of all seats left + 1"),
    )
)
SIZE = size_of(LAYOUT)


def part(observation: Any, name: str) -> Any:
    """A part of an observation, or of a batch of them (..., SIZE), in its own shape; a view, not a copy.

    Raises:
        KeyError: `LAYOUT` has no such part.
    """
    return take(LAYOUT, observation, name)


def observe(view: View) -> dict[str, Any]:
    """What the environments show of a View: `observation` int8 (SIZE,), `action_mask` int8 (N_ACTIONS,), 1 where legal.

    With it a policy trained in an environment can play as a bot.
    """
    observation, mask = np.zeros(SIZE, np.int8), np.zeros(N_ACTIONS, np.int8)
    _encode_view(make_tables(view.board, view.rules, view.players), view.array, observation)
    mask[view.legal] = 1
    return {"observation": observation, "action_mask": mask}


_SIZE, _N_ACTIONS = SIZE, N_ACTIONS
_START = {name: found.at.start for name, found in LAYOUT.items()}
_OPEN, _OWNED, _PENDING_TRACK = _START["open"], _START["owned"], _START["pending_track"]
_STATIONS, _PENDING_CITY = _START["stations"], _START["pending_city"]
_TICKETS, _OFFER, _REFUSED, _BOXED = (_START[name] for name in ("tickets", "offer", "refused", "boxed"))
_HAND, _MARKET, _DISCARDS = _START["hand"], _START["market"], _START["discards"]
_PAID, _REVEALED, _SHOWN = _START["paid"], _START["revealed"], _START["shown"]
_CARDS, _TICKET_COUNT, _SETUP_KEPT = _START["cards"], _START["ticket_count"], _START["setup_kept"]
_OFFERED, _TRAINS, _STATIONS_LEFT = _START["offered"], _START["trains"], _START["stations_left"]
_POINTS, _TURNS, _PHASE, _TO_MOVE = (_START[name] for name in ("points", "turns", "phase", "to_move"))
_SEAT, _PRESENT, _TRIGGER, _REASON = (_START[name] for name in ("seat", "present", "trigger", "reason"))
_DRAW, _DECKS, _COLOR, _PAYMENT = (_START[name] for name in ("draw", "decks", "payment_color", "payment"))
_PASSES, _LAST_TURNS = _START["passes"], _START["last_turns"]


@inlined
def _mark(row, start, word):
    """Put 1 at the members of a bit set."""
    while word != ZERO:
        row[start + ctz(word)] = 1
        word &= word - ONE


@kernel
def _encode_seat(V, row, r, p):
    """What everybody may know of seat p, which is the r-th from the viewer."""
    for w in range(2):
        _mark(row, _OWNED + r * MAX_TRACKS + 64 * w, V.own[p, w])
    for i in range(MAX_STATIONS):
        if V.station_city[p, i] >= 0:
            row[_STATIONS + r * MAX_CITIES + int(V.station_city[p, i])] = 1
    for c in range(KINDS):
        row[_SHOWN + r * KINDS + c] = V.shown[p, c]
    row[_CARDS + r] = V.hand_n[p]
    row[_TICKET_COUNT + r] = V.ticket_n[p]
    row[_SETUP_KEPT + r] = V.setup_kept[p]
    row[_OFFERED + r] = V.offer_n[p]
    row[_TRAINS + r] = V.trains[p]
    row[_STATIONS_LEFT + r] = V.stations[p]
    row[_POINTS + 2 * r] = int(V.points[p]) // 100
    row[_POINTS + 2 * r + 1] = int(V.points[p]) % 100
    row[_TURNS + 2 * r] = int(V.turns_done[p]) // 100
    row[_TURNS + 2 * r + 1] = int(V.turns_done[p]) % 100
    row[_PRESENT + r] = 1


@kernel
def _encode_table(T, V, row, me):
    """What is in the middle of the table, and what is being asked."""
    for c in range(KINDS):
        row[_MARKET + c] = V.market[c]
        row[_DISCARDS + c] = V.discards[c]
        row[_PAID + c] = V.pend_paid[c]
        row[_REVEALED + c] = V.pend_revealed[c]
    row[_PHASE + V.phase] = 1
    row[_TO_MOVE + (int(V.seat) - me) % T.players] = 1
    if V.trigger >= 0:
        row[_TRIGGER + (int(V.trigger) - me) % T.players] = 1
    row[_REASON + V.reason] = 1
    row[_DRAW] = V.drawn
    row[_DRAW + 1] = V.first_blind
    row[_DECKS] = V.deck_n
    row[_DECKS + 1] = V.ticket_deck_n
    row[_DECKS + 2] = min(int(V.reshuffles), 127)
    row[_PASSES] = V.passes
    row[_LAST_TURNS] = V.remaining + 1
    if V.pend_track >= 0:
        row[_PENDING_TRACK + V.pend_track] = 1
    if V.pend_city >= 0:
        row[_PENDING_CITY + V.pend_city] = 1
    if V.phase in (SETS, FILLER, SETCARDS, TUNNEL):
        row[_COLOR + V.pend_color] = 1
    row[_PAYMENT] = V.pend_locos
    row[_PAYMENT + 1] = V.pend_sets
    row[_PAYMENT + 2] = V.pend_left
    row[_PAYMENT + 3] = V.pend_min
    row[_PAYMENT + 4] = V.pend_extra


@kernel
def encode(T, V, row):
    """Write the observation of a View to row (int8, SIZE)."""
    me = int(V.viewer)
    for i in range(_SIZE):
        row[i] = 0
    for w in range(2):
        _mark(row, _OPEN + 64 * w, V.open[w] & ~V.blocked[me, w])
    _mark(row, _TICKETS, V.tickets[me])
    _mark(row, _REFUSED, V.refused[me])
    _mark(row, _BOXED, V.boxed[me])
    for i in range(int(V.offer_n[me])):
        row[_OFFER + i * MAX_TICKETS + int(V.offer[me, i])] = 1
    for c in range(KINDS):
        row[_HAND + c] = V.hands[me, c]
    row[_SEAT + me] = 1
    for r in range(T.players):
        _encode_seat(V, row, r, (me + r) % T.players)
    _encode_table(T, V, row, me)


@kernel
def mark_legal(W, n, mask):
    """Write 1 to mask (int8, N_ACTIONS) at the n legal actions in W, 0 elsewhere."""
    for i in range(_N_ACTIONS):
        mask[i] = 0
    for i in range(n):
        mask[W.acts[i]] = 1


def _to_row(tables, views, row):
    encode(tables[0], views[0], row)


_encode_view = env_entry(_to_row, VIEW_TO_ROW)
