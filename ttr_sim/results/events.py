"""What happened when in logged games: who claimed which track in which round, what became of each ticket, …"""

from typing import Any

import numpy as np

from ttr_sim.board import Board
from ttr_sim.bot.driver import is_legal
from ttr_sim.engine import actions as A
from ttr_sim.engine.apply import apply
from ttr_sim.engine.bits import ONE, ZERO, bit, ctz, has
from ttr_sim.engine.deal import deal
from ttr_sim.engine.jit import entry, kernel
from ttr_sim.engine.layout import (
    KEEP_SETUP,
    LOCO,
    MAX_CITIES,
    MAX_OFFER,
    MAX_PLAYERS,
    MAX_TICKETS,
    MAX_TRACKS,
    OVER,
    STATE,
    TUNNEL,
    TUNNEL_KIND,
    TURN,
    WORK,
    new_record,
)
from ttr_sim.engine.legal import legal
from ttr_sim.engine.scoring import best_tickets, components, find, list_choices, merge_picks, ticket_points
from ttr_sim.engine.tables import make_tables
from ttr_sim.rules import Rules

ROUNDS = 128  # later rounds are in the sums by game, not in the columns by round

# What a turn was spent on. A claim of a tunnel whose payment was taken back is a `lost` turn.
NO_TURN, DRAW, CLAIM, STATION, TICKETS, PASS, LOST = range(7)
TURN_KINDS = (
    "none",
    "draw cards",
    "claim a track",
    "build a station",
    "draw tickets",
    "pass",
    "give up a tunnel",
)

_P = MAX_PLAYERS
# One record per game. Rounds count the turns of a seat from 1; 0 is the deal; seats are -1 where there is none.
EVENTS = np.dtype(
    [
        ("whole", "?"),  # the log leads to the end of the game; nothing else counts where it does not
        ("trigger_seat", "i1"),  # who brought the end about
        ("trigger_points", "i2", (_P,)),  # route points of the seats at that time
        ("closed", "i2"),  # tracks that nobody could claim any more, because of a parallel one
        ("reshuffles", "i2"),
        ("three_locos", "i4"),  # turns that began before three face-up locomotives
        # tracks
        ("owner", "i1", (MAX_TRACKS,)),
        ("claim_round", "i2", (MAX_TRACKS,)),
        ("paid", "i1", (MAX_TRACKS,)),  # cards, those of a tunnel's extra price too
        ("paid_locos", "i1", (MAX_TRACKS,)),
        # cities
        ("station_seat", "i1", (MAX_CITIES,)),
        ("station_round", "i2", (MAX_CITIES,)),
        # tickets
        ("offered", "i1", (MAX_TICKETS,)),  # how often somebody was offered it
        ("holder", "i1", (MAX_TICKETS,)),
        ("kept_round", "i2", (MAX_TICKETS,)),
        ("done", "i1", (MAX_TICKETS,)),  # 1: completed by its holder
        (
            "cut_off",
            "i1",
            (MAX_TICKETS,),
        ),  # 1: not completed, and its cities parted for good by tracks of others
        # seats
        ("spent", "i2", (_P, 7)),  # by kind
        ("face_up", "i2", (_P,)),  # cards taken from the market, locomotives among them
        ("face_up_locos", "i2", (_P,)),
        ("blind", "i2", (_P,)),
        ("tunnels", "i2", (_P,)),  # claimed or given up
        ("tunnel_extra", "i2", (_P,)),  # cards asked for on top of their price
        # rounds: at the start of a seat's turn; 0 where it had none
        ("kind", "i1", (_P, ROUNDS)),
        ("trains", "i1", (_P, ROUNDS)),
        ("cards", "i1", (_P, ROUNDS)),
        ("deck", "i1", (_P, ROUNDS)),
    ],
    align=True,
)

_BLIND, _TICKETS, _PASS, _CLAIM, _STATION, _PAY = A.BLIND, A.TICKETS, A.PASS, A.CLAIM, A.STATION, A.PAY
_TAKE_BACK, _KEEP = A.TAKE_BACK, A.KEEP


@entry
def _record(tables, states, work, seeds, actions, offsets, events):
    T, S, W = tables[0], states[0], work[0]
    for g in range(len(seeds)):
        E = events[g]
        _clear(E)
        deal(T, S, seeds[g])
        at = offsets[g]
        cards = locos = 0
        while S.phase != OVER:
            n = legal(T, S, W)
            seat = int(S.seat)
            if n == 1:
                action = int(W.acts[0])
            elif at < offsets[g + 1] and is_legal(W, int(actions[at])):
                action = int(actions[at])
                at += 1
            else:
                break
            if _CLAIM <= action < _STATION:
                cards, locos = int(S.hand_n[seat]), int(S.hands[seat, LOCO])
            _before(S, E, seat, action)
            track, city, trigger = int(S.pend_track), int(S.pend_city), int(S.trigger)
            apply(T, S, action)
            if track >= 0 and has(S.own[seat], track):
                E.owner[track] = seat
                E.claim_round[track] = S.turns_done[seat]
                E.paid[track] = cards - S.hand_n[seat]
                E.paid_locos[track] = locos - S.hands[seat, LOCO]
                E.tunnels[seat] += T.kind[track] == TUNNEL_KIND
            if city >= 0 and S.pend_city < 0:
                E.station_seat[city] = seat
                E.station_round[city] = S.turns_done[seat]
            if trigger < 0 and S.trigger >= 0:
                E.trigger_seat = S.trigger
                for p in range(T.players):
                    E.trigger_points[p] = S.points[p]
        E.whole = S.phase == OVER and at == offsets[g + 1]
        _finish(T, S, W, E)


@kernel
def _clear(E):
    """Say that there is nobody yet, in a record of zeros."""
    E.trigger_seat = -1
    for t in range(MAX_TRACKS):
        E.owner[t] = -1
    for c in range(MAX_CITIES):
        E.station_seat[c] = -1
    for t in range(MAX_TICKETS):
        E.holder[t] = -1


@kernel
def _before(S, E, seat, action):
    """Note an action that is about to be taken."""
    turn = int(S.turns_done[seat])
    if S.phase == TURN:
        kind = _kind(action)
        E.spent[seat, kind] += 1
        E.three_locos += S.market[LOCO] >= 3
        if turn < ROUNDS:
            E.kind[seat, turn] = kind
            E.trains[seat, turn] = S.trains[seat]
            E.cards[seat, turn] = S.hand_n[seat]
            E.deck[seat, turn] = S.deck_n
    elif S.phase == TUNNEL:
        E.tunnel_extra[seat] += S.pend_extra
    if action < _BLIND:
        E.face_up[seat] += 1
        E.face_up_locos[seat] += action == LOCO
    elif action == _BLIND:
        E.blind[seat] += 1
    elif action == _TAKE_BACK:
        E.tunnels[seat] += 1
        E.spent[seat, CLAIM] -= 1
        E.spent[seat, LOST] += 1
        if turn < ROUNDS:
            E.kind[seat, turn] = LOST
    elif action >= _KEEP:
        for i in range(MAX_OFFER):
            ticket = int(S.offer[seat, i])
            if ticket >= 0:
                E.offered[ticket] += 1
                if (action - _KEEP) >> i & 1:
                    E.holder[ticket] = seat
                    E.kept_round[ticket] = 0 if S.phase == KEEP_SETUP else turn + 1


@kernel
def _kind(action):
    """What a turn that begins with this action is spent on."""
    if action < _TICKETS:
        return DRAW
    if action == _TICKETS:
        return TICKETS
    if action == _PASS:
        return PASS
    return CLAIM if action < _STATION else STATION


@kernel
def _finish(T, S, W, E):
    """Note what can be said only at the end."""
    E.reshuffles = S.reshuffles
    free = np.empty(2, np.uint64)
    for p in range(T.players):
        _completed(T, S, W, E, p)
        for w in range(2):
            free[w] = S.own[p, w] | (S.open[w] & ~S.blocked[p, w])
        components(T, W.merged, free)
        tickets = S.tickets[p]
        while tickets != ZERO:
            t = ctz(tickets)
            tickets &= tickets - ONE
            apart = find(W.merged, T.ticket_a[t]) != find(W.merged, T.ticket_b[t])
            E.cut_off[t] = apart and not E.done[t]
    for t in range(T.n_tracks):
        if E.owner[t] < 0 and not has(S.open, t):
            E.closed += 1


@kernel
def _completed(T, S, W, E, seat):
    """Mark the tickets of a seat that the scoring counts as completed, with its best use of stations."""
    points, done, borrowed = best_tickets(T, S, W, seat)
    if borrowed == 0:
        _mark(T, S, E, W.component, seat)
        return
    useful = list_choices(T, S, W, seat)
    for i in range(useful):
        W.pick[i] = 0
    while True:
        i = 0
        while W.pick[i] == W.choice_n[i]:
            W.pick[i] = 0
            i += 1
        W.pick[i] += 1
        if merge_picks(T, W, useful) == borrowed:
            gained, completed = ticket_points(T, W.merged, S.tickets[seat])
            if gained == points and completed == done:
                _mark(T, S, E, W.merged, seat)
                return


@kernel
def _mark(T, S, E, parents, seat):
    for t in range(T.n_tickets):
        if S.tickets[seat] & bit(t) != ZERO:
            E.done[t] = find(parents, T.ticket_a[t]) == find(parents, T.ticket_b[t])


class Recorder:
    """Replays logged games of one board, rules and number of players, and notes what happened."""

    def __init__(self, board: Board, rules: Rules, players: int) -> None:
        self._tables = make_tables(board, rules, players)
        self._state, self._work = new_record(STATE), new_record(WORK)

    def record(self, seeds: Any, logs: Any, offsets: Any) -> Any:
        """Return the EVENTS records of games; game i has the actions logs[offsets[i] : offsets[i + 1]]."""
        seeds, logs = np.array(seeds, np.uint64), np.array(logs, np.int16)
        events = new_record(EVENTS, len(seeds))
        _record(self._tables, self._state, self._work, seeds, logs, np.array(offsets, np.int64), events)
        return events
