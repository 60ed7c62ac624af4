"""mcts: information-set Monte Carlo tree search with planned playouts.

Idea: every iteration deals the hidden cards and tickets anew, consistent with all the seat has seen, walks one tree shared
by all these worlds, and plays the rest of the game with a fast planning policy (or at random). Children are chosen by
upper confidence bounds with availability counts; a plan orders them and progressive widening lets few in at first. Actions
in the tree are abstract: a claim or a station with its payment is one step.

Source: Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on Computational
Intelligence and AI in Games 4(2), 2012; progressive widening after Chaslot et al. 2008 and Coulom 2007.
"""

import numpy as np

from ttr_sim.bot import Param, policy
from ttr_sim.bot.planning import (
    FAR,
    PLAN,
    add_path,
    connect_by_cost,
    draw_choice,
    free_tracks,
    needs,
    open_tickets,
    payment_choice,
    reach,
    track_costs,
)
from ttr_sim.engine import actions as A
from ttr_sim.engine.apply import apply
from ttr_sim.engine.bits import GOLD, ONE, ZERO, bit, ctz, drop, has, mix, popcount, scale, top_bit
from ttr_sim.engine.clock import now_ns
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import (
    COLORS,
    DRAW,
    GRAY,
    KEEP,
    KEEP_SETUP,
    LOCO,
    MAX_PLAYERS,
    NO_COLOR,
    OVER,
    STATE,
    TURN,
    WORK,
)
from ttr_sim.engine.legal import can_build, claimable, legal
from ttr_sim.engine.moves import offer_tickets, pay
from ttr_sim.engine.observe import redeal
from ttr_sim.engine.playout import playout
from ttr_sim.engine.scoring import SCORES, quick_score

_TAKE, _BLIND, _TICKETS, _PASS, _CLAIM, _STATION, _KEEP = (
    A.TAKE,
    A.BLIND,
    A.TICKETS,
    A.PASS,
    A.CLAIM,
    A.STATION,
    A.KEEP,
)
_WIDTH = 16  # most children of a node
_LOOKAHEAD = 24  # most tree steps of an iteration

NODE = np.dtype(
    [
        ("n", "i8"),
        ("visits", "i8"),
        ("action", "i2", (_WIDTH,)),
        ("child", "i4", (_WIDTH,)),
        ("count", "i4", (_WIDTH,)),
        ("available", "i4", (_WIDTH,)),
        ("total", "f8", (_WIDTH,)),
        ("prior", "f8", (_WIDTH,)),
    ],
    align=True,
)


# ---------------------------------------------------------------- the planning policy of playouts


@kernel
def _finish(T, S, W, P, seat):
    """Decide the rest of a payment, tunnel included, by what the plan can spare."""
    while S.phase not in (TURN, DRAW, KEEP, KEEP_SETUP, OVER) and S.seat == seat:
        n = legal(T, S, W)
        apply(T, S, int(W.acts[0]) if n == 1 else payment_choice(T, S, W, P, seat))


@kernel
def _claim(T, S, W, P, seat, track):
    """Claim a track with a payment that spares locomotives and wanted colours."""
    drop(P.want[seat], track)
    if T.set_size[track] == 0 and T.mixed[track] == 0 and T.wild[track] == 1:
        length = T.length[track]
        color = T.color[track]
        if color == GRAY:
            best = -100
            for c in range(COLORS):
                n = int(S.hands[seat, c])
                value = min(n, length) * 4 - max(0, P.need[c])
                if n > 0 and n + int(S.hands[seat, LOCO]) >= length and value > best:
                    best, color = value, c
            if color == GRAY:
                color = NO_COLOR
        k = length
        if color != NO_COLOR:
            k = max(T.symbols[track], length - int(S.hands[seat, color]))
        S.passes = 0
        S.pend_track = track
        pay(T, S, NO_COLOR if k == length else color, k)
    else:
        apply(T, S, _CLAIM + track)
    _finish(T, S, W, P, seat)


@kernel
def _missing(T, S, seat, t):
    """Cards of its colour a seat lacks for a track, locomotives not counted."""
    have = 0
    if T.color[t] == GRAY:
        for c in range(COLORS):
            have = max(have, int(S.hands[seat, c]))
    else:
        have = int(S.hands[seat, T.color[t]])
    return max(0, T.length[t] - have)


@kernel
def _value_costs(T, S, P, seat):
    """Set P.cost: turns and trains a track takes, less the points it brings."""
    f0, f1 = free_tracks(T, S, seat)
    for t in range(T.n_tracks):
        word = f0 if t < 64 else f1
        if word & bit(t & 63) != ZERO:
            length = T.length[t]
            P.cost[t] = max(1, 6 + 3 * length + 2 * _missing(T, S, seat, t) - T.points[length])
        else:
            P.cost[t] = 0 if has(S.own[seat], t) else FAR


@kernel
def _plan(T, S, P, seat, tickets):
    """Plan the connection of tickets by `_value_costs`; returns the spaces it takes."""
    _value_costs(T, S, P, seat)
    return connect_by_cost(T, S, P, seat, tickets)


@kernel
def _replan(T, S, P, seat):
    _plan(T, S, P, seat, open_tickets(T, S, P, seat))


@kernel
def _keep_offer(T, S, P, seat):
    """Keep the offered tickets whose missing spaces cost less than their points, at least the best."""
    track_costs(T, S, P, seat, 0, 1)
    mask, best, best_value = 0, 0, -1000
    for i in range(int(S.offer_n[seat])):
        t = int(S.offer[seat, i])
        cost = reach(T, P, T.ticket_a[t], T.ticket_b[t])
        value = T.ticket_points[t] - cost
        if cost > int(S.trains[seat]) - 4:
            value = -T.ticket_points[t] - 30
        if value > 0:
            mask |= 1 << i
            add_path(T, P, seat, T.ticket_b[t])
        if value > best_value:
            best, best_value = i, value
    mask |= 1 << best
    least = min(int(S.offer_n[seat]), T.setup_keep_min if S.phase == KEEP_SETUP else T.draw_keep_min)
    i = 0
    while popcount(np.uint64(mask)) < least:
        mask |= 1 << i
        i += 1
    P.planned[seat] = 0
    return mask


@kernel
def _fewest_trains(T, S):
    fewest = 99
    for p in range(T.players):
        fewest = min(fewest, int(S.trains[p]))
    return fewest


@kernel
def _longest(w0, w1):
    return top_bit(w1) + 64 if w1 != ZERO else top_bit(w0)


@kernel
def _policy_turn(T, S, W, P, seat):
    """The turn a planning player takes: claim what it wants, more tickets when done, else draw. Returns an action."""
    f0, f1 = free_tracks(T, S, seat)
    if P.planned[seat] == 0 or (P.want[seat, 0] & ~f0) | (P.want[seat, 1] & ~f1) != ZERO:
        _replan(T, S, P, seat)
    w0, w1 = claimable(T, S, seat)
    g0, g1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    if g0 | g1 != ZERO:
        return _CLAIM + _longest(g0, g1)
    if P.want[seat, 0] | P.want[seat, 1] == ZERO:
        fewest = _fewest_trains(T, S)
        if S.ticket_deck_n > 0 and fewest > 17 and S.remaining < 0:
            return _TICKETS
        if w0 | w1 != ZERO and (T.length[_longest(w0, w1)] >= 4 or fewest < 8):
            return _CLAIM + _longest(w0, w1)
    needs(T, S, P, seat)
    return draw_choice(T, S, P, seat)


@kernel
def _apply_policy(T, S, W, P, action):
    """Apply an abstract action of the seat to move: claims and stations with their payment, tickets with the choice."""
    seat = int(S.seat)
    if action >= _CLAIM and action < _STATION:
        _claim(T, S, W, P, seat, action - _CLAIM)
    elif action >= _STATION and action < A_PAY:
        apply(T, S, action)
        _finish(T, S, W, P, seat)
    elif action == _BLIND and S.deck_n == 0 and _no_discards(S):
        n = legal(T, S, W)
        apply(T, S, int(W.acts[n - 1]))
        _finish(T, S, W, P, seat)
    else:
        apply(T, S, action)


A_PAY = A.PAY


@kernel
def _no_discards(S):
    for c in range(9):
        if int(S.discards[c]) > 0:
            return False
    return True


@kernel
def _policy_step(T, S, W, P):
    """One decision of the planning policy."""
    seat = int(S.seat)
    if S.phase == TURN:
        _apply_policy(T, S, W, P, _policy_turn(T, S, W, P, seat))
    elif S.phase == DRAW:
        needs(T, S, P, seat)
        apply(T, S, draw_choice(T, S, P, seat))
    elif S.phase in (KEEP, KEEP_SETUP):
        apply(T, S, _KEEP + _keep_offer(T, S, P, seat))
    else:
        _finish(T, S, W, P, seat)


# ---------------------------------------------------------------- the tree


@kernel
def _add_child(N, action, prior):
    """Add an action to a node unless it is there; returns its place, -1 when the node is full."""
    for i in range(N.n):
        if int(N.action[i]) == action:
            return i
    if N.n == _WIDTH:
        return -1
    i = N.n
    N.action[i] = action
    N.prior[i] = prior
    N.child[i] = -1
    N.count[i] = 0
    N.available[i] = 0
    N.total[i] = 0.0
    N.n += 1
    return i


@kernel
def _offer_action(N, open_children, action, prior):
    i = _add_child(N, action, prior)
    return open_children | (ONE << np.uint64(i)) if i >= 0 else open_children


@kernel
def _station_cities(T, S, P, seat, N, open_children):
    """Offer stations that would join the cities of a ticket the plan has given up, or that is worth more than the station."""
    if not can_build(T, S, seat):
        return open_children
    lost = open_tickets(T, S, P, seat) & ~P.goals[seat]
    while lost != ZERO:
        t = ctz(lost)
        lost &= lost - ONE
        if T.ticket_points[t] <= T.station_points:
            continue
        for side in range(2):
            city = T.ticket_a[t] if side == 0 else T.ticket_b[t]
            if S.station_mask & bit(city) == ZERO:
                open_children = _offer_action(N, open_children, _STATION + city, 0.2)
    return open_children


@kernel
def _turn_children(T, S, W, P, seat, N):
    """Offer the sensible turns of a seat at node N, the policy's own first. Returns the set of children open in this world."""
    first = _policy_turn(T, S, W, P, seat)
    needs(T, S, P, seat)
    if first == _BLIND or first < _BLIND:
        n = legal(T, S, W)
        ok = False
        for i in range(n):
            if int(W.acts[i]) == first:
                ok = True
        if not ok:
            first = int(W.acts[n - 1])
    opened = _offer_action(N, ZERO, first, 1.0)
    w0, w1 = claimable(T, S, seat)
    g0, g1 = w0 & P.want[seat, 0], w1 & P.want[seat, 1]
    while g0 | g1 != ZERO:  # wanted tracks, the longest first
        t = _longest(g0, g1)
        if t >= 64:
            g1 &= ~bit(t - 64)
        else:
            g0 &= ~bit(t)
        opened = _offer_action(N, opened, _CLAIM + t, 0.6)
    if first >= _TICKETS:
        opened = _offer_action(N, opened, draw_choice_legal(T, S, P, seat), 0.7)
    for c in range(COLORS + 1):
        if int(S.market[c]) > 0 and (P.need[c] > 0 or c == LOCO) and not (
            T.market_locomotives == 2 and int(S.market[LOCO]) >= 3
        ):
            opened = _offer_action(N, opened, c, 0.4)
    if S.deck_n > 0:
        opened = _offer_action(N, opened, _BLIND, 0.4)
    taken = 0
    w0 &= ~P.want[seat, 0]
    w1 &= ~P.want[seat, 1]
    while taken < 3 and w0 | w1 != ZERO:  # other long tracks
        t = _longest(w0, w1)
        if t >= 64:
            w1 &= ~bit(t - 64)
        else:
            w0 &= ~bit(t)
        opened = _offer_action(N, opened, _CLAIM + t, 0.3)
        taken += 1
    if S.ticket_deck_n > 0:
        opened = _offer_action(N, opened, _TICKETS, 0.3)
    return _station_cities(T, S, P, seat, N, opened)


@kernel
def draw_choice_legal(T, S, P, seat):
    """The policy's draw, or -1 when no card can be drawn."""
    action = draw_choice(T, S, P, seat)
    if action == _BLIND and S.deck_n == 0 and _no_discards(S):
        return -1
    return action


@kernel
def _children(T, S, W, P, N):
    """Offer the sensible actions of the seat to move at node N. Returns the set of children open in this world."""
    seat = int(S.seat)
    if S.phase == TURN:
        return _turn_children(T, S, W, P, seat, N)
    opened = ZERO
    if S.phase in (KEEP, KEEP_SETUP):
        opened = _offer_action(N, opened, _KEEP + _keep_offer(T, S, P, seat), 1.0)
        n = legal(T, S, W)
        for i in range(n):
            opened = _offer_action(N, opened, int(W.acts[i]), 0.3)
        return opened
    needs(T, S, P, seat)
    opened = _offer_action(N, opened, draw_choice(T, S, P, seat), 1.0)
    n = legal(T, S, W)
    for i in range(n):
        a = int(W.acts[i])
        if a == _BLIND or P.need[a] > 0:
            opened = _offer_action(N, opened, a, 0.4)
    return opened


@kernel
def _select(N, opened, explore, widen, prior_weight):
    """The child to walk to: upper confidence bound among the best few by prior; more of them as visits grow."""
    allowed = 1 + int(widen * np.sqrt(float(N.visits)))
    best, best_value = -1, -1e18
    seen = 0
    for i in range(N.n):
        if opened & (ONE << np.uint64(i)) == ZERO:
            continue
        N.available[i] += 1
        if seen >= allowed:
            continue
        seen += 1
        n = float(N.count[i])
        if n == 0.0:
            value = 1e6 + N.prior[i]
        else:
            value = (
                N.total[i] / n
                + explore * np.sqrt(np.log(float(N.available[i])) / n)
                + prior_weight * N.prior[i] / (n + 1.0)
            )
        if value > best_value:
            best, best_value = i, value
    return best


@kernel
def _utilities(T, R, out, spread):
    """What the final scores are worth to each seat, 0 to 1: half for winning, half for the margin."""
    for p in range(T.players):
        rival = -10000
        for q in range(T.players):
            if q != p:
                rival = max(rival, int(R.score[q]))
        margin = float(int(R.score[p]) - rival)
        win = 1.0 if margin > 0 else 0.5 if margin == 0 else 0.0
        out[p] = 0.5 * win + 0.5 / (1.0 + np.exp(-margin / spread))


@kernel
def _descend(T, S, B, Q, nodes, used, at, explore, widen, prior_weight, limit, path_node, path_child, path_seat):
    """Walk the tree from node `at` until a new node, the limit or the end. Returns the steps made and the nodes used."""
    depth = 0
    while S.phase != OVER and depth < limit and at >= 0:
        if S.phase not in (TURN, DRAW, KEEP, KEEP_SETUP):
            _finish(T, S, B, Q, int(S.seat))
            continue
        N = nodes[at]
        opened = _children(T, S, B, Q, N)
        i = _select(N, opened, explore, widen, prior_weight)
        path_node[depth], path_child[depth], path_seat[depth] = at, i, S.seat
        depth += 1
        _apply_policy(T, S, B, Q, int(N.action[i]))
        at = int(N.child[i])
        if at < 0 and used < len(nodes):
            nodes[used].n = 0
            nodes[used].visits = 0
            N.child[i] = used
            used += 1
    return depth, used


@kernel
def _play_on(T, S, B, Q, planned):
    """The rest of the game by the planning policy or at random."""
    steps = 0
    while planned and S.phase != OVER and steps < 2000:
        _policy_step(T, S, B, Q)
        steps += 1
    playout(T, S, B)


@kernel
def _search(T, V, W, budget, params, worlds, roots, nodes, works, scores):
    """Compare the root's children on common worlds, dropping the worse half in rounds; returns the best child.

    nodes[0] is the root. The first child is the plan's own choice: the others must be better by more than chance.
    """
    explore, widen, prior_weight, planned, trust, limit = (
        params[1],
        params[2],
        params[3],
        params[4] == 0.0,
        params[5],
        int(params[6]),
    )
    Q, R, S, B = roots[1], scores[0], worlds[0], works[0]
    me = int(V.viewer)
    counts = np.zeros(16, np.int64)
    path_node = np.zeros(_LOOKAHEAD, np.int64)
    path_child = np.zeros(_LOOKAHEAD, np.int64)
    path_seat = np.zeros(_LOOKAHEAD, np.int64)
    worth = np.zeros(MAX_PLAYERS)
    gain = np.zeros(_WIDTH)
    square = np.zeros(_WIDTH)
    score = np.zeros(_WIDTH)
    alive = np.ones(_WIDTH, np.int64)
    root = nodes[0]
    n = int(root.n)
    used = 1
    active = n
    left = budget
    while active > 1 and left >= active:
        rounds = 1
        while (1 << rounds) < active:
            rounds += 1
        for _ in range(max(1, left // (rounds * active))):
            W.rng = redeal(T, V, worlds, counts, W.rng)
            worlds[1] = worlds[0]
            roots[2] = roots[0]
            for p in range(T.players):
                if p != me:
                    roots[2].planned[p] = 0
            base = 0.0
            for i in range(n):
                if alive[i] == 0:
                    continue
                worlds[0] = worlds[1]
                roots[1] = roots[2]
                B.rng = W.rng
                action = int(root.action[i])
                _apply_policy(T, S, B, Q, action)
                if root.child[i] < 0 and used < len(nodes):
                    nodes[used].n = 0
                    nodes[used].visits = 0
                    root.child[i] = used
                    used += 1
                depth, used = _descend(
                    T, S, B, Q, nodes, used, int(root.child[i]), explore, widen, prior_weight, limit,
                    path_node, path_child, path_seat,
                )
                _play_on(T, S, B, Q, planned)
                quick_score(T, S, B, R)
                _utilities(T, R, worth, 30.0)
                for d in range(depth):
                    N = nodes[path_node[d]]
                    N.visits += 1
                    N.count[path_child[d]] += 1
                    N.total[path_child[d]] += worth[path_seat[d]]
                root.visits += 1
                root.count[i] += 1
                root.total[i] += worth[me]
                left -= 1
                if i == 0:
                    base = worth[me]
                else:
                    gain[i] += worth[me] - base
                    square[i] += (worth[me] - base) ** 2
        for i in range(1, n):
            score[i] = _advantage(gain[i], square[i], float(root.count[i]), trust)
        # Drop the worse half; the plan's own choice stays as what the others are measured by.
        keep = (active + 1) // 2
        while active > keep:
            worst = -1
            for i in range(1, n):
                if alive[i] == 1 and (worst < 0 or score[i] < score[worst]):
                    worst = i
            alive[worst] = 0
            active -= 1
    best = 0
    for i in range(1, n):
        if alive[i] == 1 and score[i] > score[best]:
            best = i
    return best


@kernel
def _advantage(gain, square, n, trust):
    """Expected advantage over the plan's choice: the mean gain shrunk towards -trust/4, the more the less certain it is.

    The posterior mean of a normal prior with deviation `trust` (in utility) and the paired sample.
    """
    if n < 2.0:
        return -trust
    mean = gain / n
    variance = max((square / n - mean * mean) / (n - 1.0), 1e-6) + 0.09 / (n * n)
    weight = trust * trust / (trust * trust + variance)
    return weight * mean - (1.0 - weight) * trust * 0.25


@kernel
def _choose_tickets(T, V, W, P, seat):
    """The legal choice of tickets with the most points for what its plan takes."""
    best, best_value = int(W.acts[0]), -1e9
    for i in range(W.n):
        mask = int(W.acts[i]) - _KEEP
        tickets = V.tickets[seat]
        for j in range(int(V.offer_n[seat])):
            if (mask >> j) & 1:
                tickets |= bit(V.offer[seat, j])
        spaces = _plan(T, V, P, seat, tickets)
        value = -0.9 * spaces
        rest = tickets
        while rest != ZERO:
            t = ctz(rest)
            rest &= rest - ONE
            value += T.ticket_points[t] if P.goals[seat] & bit(t) != ZERO else -T.ticket_points[t]
        if spaces > int(V.trains[seat]) - 11:
            value -= 20.0
        if value > best_value:
            best, best_value = _KEEP + mask, value
    return best


@kernel
def _root_children(T, V, W, P, seat, N):
    N.n = 0
    N.visits = 0
    if V.phase in (KEEP, KEEP_SETUP):
        _offer_action(N, ZERO, _choose_tickets(T, V, W, P, seat), 1.0)
        for i in range(W.n):
            _offer_action(N, ZERO, int(W.acts[i]), 0.3)
    else:
        _children(T, V, W, P, N)


@kernel
def _decide(T, V, W, params, roots, worlds, nodes, works, scores):
    P = roots[0]
    seat = int(V.viewer)
    if V.phase not in (TURN, DRAW, KEEP, KEEP_SETUP):
        _replan(T, V, P, seat)
        needs(T, V, P, seat)
        return payment_choice(T, V, W, P, seat)
    if V.phase in (TURN, DRAW):
        _replan(T, V, P, seat)
    if V.phase == DRAW:
        needs(T, V, P, seat)
        return draw_choice(T, V, P, seat)
    budget = int(params[0])
    if V.phase == KEEP_SETUP:
        budget *= 8
    elif V.phase == KEEP:
        budget *= 4
    _root_children(T, V, W, P, seat, nodes[0])
    P.planned[seat] = 0
    best = _search(T, V, W, budget, params, worlds, roots, nodes, works, scores)
    return int(nodes[0].action[best])


@policy(
    params={
        "iterations": Param(40, 1, 10_000_000, "playouts a turn; choosing tickets gets more"),
        "exploration": Param(0.35, 0.0, 10.0, "weight of the confidence bound"),
        "widening": Param(0.5, 0.0, 100.0, "children let in: 1 + widening * sqrt(visits)"),
        "prior": Param(0.3, 0.0, 100.0, "weight of the plan's order of the actions"),
        "playout": Param("plan", choices=("plan", "random"), about="how the rest of the game is played"),
        "trust": Param(0.03, 0.0, 1.0, "by how much other choices may be better than the plan's, as win chance"),
        "depth": Param(1, 0, _LOOKAHEAD, "tree steps below the root"),
    }
)
def mcts(T, V, W, params, memory):
    """Information-set Monte Carlo tree search."""
    size = int(params[0]) * 8 + 20
    return _decide(
        T,
        V,
        W,
        params,
        np.zeros(3, PLAN),
        np.zeros(2, STATE),
        np.zeros(min(size, 100_000), NODE),
        np.zeros(1, WORK),
        np.zeros(1, SCORES),
    )
