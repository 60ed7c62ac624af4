"""mcts: information-set Monte Carlo tree search with planned playouts.

Idea: the choice of `planner` is the one to beat. The hidden cards and tickets are dealt anew again and again, consistent
with all the seat has seen, tickets as the others likely chose them (`ttr_sim.bot.beliefs`). In each such world every
action still in question is tried and the rest of the game played: by a fast planning policy, or with 10 milliseconds and
more nearly as planner plays, or at random. What is very likely not the best is dropped (`ttr_sim.bot.racing`), in rounds
also the worse half (sequential halving), and another action than planner's is taken only if it is better by more than
chance. With planner's playouts claims are also tried that cross what the others likely plan (`ttr_sim.bot.blocking`). In the
last three turns one tree below the first action is shared by all worlds (`ttr_sim.bot.tree`): children by upper confidence
bounds with availability counts, ordered by a plan, let in by progressive widening. Actions are abstract: a claim or a
station with its payment is one step. Choosing tickets gets 20 times the playouts of a turn: it shapes a whole game. Several
threads search by themselves and add up what they found.

Measured against planner, share of wins in blocks of all seats, 95 % (games), one core of about 2,200 rounds/s of
`ttr-sim bench --only calibration` to itself:

- milliseconds=25 (13 to 19 on average, for what is decided early ends early): Europe 0.730 ± 0.025 (1,000),
  Nordic 0.757 ± 0.043 (300), USA 0.679 ± 0.028 (1,000).
- the same, 4 players, Europe, against three planners: 0.390 ± 0.047 (400).
- default, 0.4 to 0.7 ms: Europe 0.562 ± 0.028, Nordic 0.551 ± 0.031, USA 0.607 ± 0.030 (800).
- iterations, playout=planner, Europe (400 each): 20 0.551, 40 0.647, 80 0.647, 160 0.695 ± 0.042.

What each part brings, Europe, playout=planner:iterations=160:

- tickets believed as chosen, not only by what is built: 0.713 ± 0.050 for 0.662 ± 0.054 (240).
- then claims that cross others' plans: 0.682 ± 0.037 for 0.630 ± 0.039 (480); on other deals 0.654 ± 0.040. With beliefs by
  what is built alone they lost games.
- then `trust` 0.05: 0.669 ± 0.037 for 0.654 ± 0.040 (480), 4 players 0.388 ± 0.062 for 0.385 ± 0.059 (200): no better.
- a fifth of the worth for winning, not half, without those claims: 0.652 ± 0.038 for 0.630 ± 0.039 (480).
- default, sets of tickets compared: 3 0.563, 8 0.562, 16 0.536 ± 0.031 (800). playout=planner with 16 iterations takes as
  long or longer: Europe 0.595 for 0.592 ± 0.033, Nordic 0.568 for 0.551, USA 0.587 for 0.607 (600).

Against earlier planners, which this one beats, and with beliefs by what is built alone:

- the tree in all turns, three steps, default (800 each): Europe 0.564 ± 0.031, Nordic 0.618 ± 0.030, USA 0.550 ± 0.030;
  without any 0.601 ± 0.031, 0.667 ± 0.031, 0.636 ± 0.027. Europe, playout=planner, 180 iterations: 0.630 ± 0.043 with it
  (400), 0.675 ± 0.056 without (200). So few visits choose worse than the plan does. In the last three turns it finds what
  playouts miss (see `tests/positions`). There is none to keep from decision to decision.
- racing: with it 160 iterations (800 each) give USA 0.626 ± 0.031 in 1.8 ms, Nordic 0.649 ± 0.030 in 3.4 ms, without it
  0.617 ± 0.030 in 3.1 ms and 0.655 ± 0.030 in 4.8 ms.
- `trust` 0.01, 0.02 and 0.03, Europe, 120 iterations (1,000 each): 0.555, 0.574 and 0.596 ± 0.027.
- begun with the playouts' own choice and plan, not planner's: Europe 0.53 ± 0.06, Nordic 0.52 ± 0.06 (300), USA 0.59 ± 0.07
  (200).
- playouts at random, Europe: 0.43 ± 0.05 (400).

Sources: Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE Transactions on Computational
Intelligence and AI in Games 4(2), 2012; progressive widening after Chaslot et al. 2008 and Coulom
2007; sequential halving after Karnin, Koren, Somekh 2013; threads after Chaslot, Winands, van den Herik 2008.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ttr_sim.bot import Param, policy
from ttr_sim.bot.beliefs import HUNCH, believe, hunch
from ttr_sim.bot.blocking import offer_blocks
from ttr_sim.bot.explain import Weighed, explains
from ttr_sim.bot.network import MIND, PARAMS
from ttr_sim.bot.network_choices import MEMORY, decide
from ttr_sim.bot.network_playout import KEPT, network_playout, plan_world
from ttr_sim.bot.planning import PLAN
from ttr_sim.bot.racing import advantage_of, judge, race
from ttr_sim.bot.rollout import apply_abstract, policy_step, turns_left
from ttr_sim.bot.threads import merges
from ttr_sim.bot.tree import LOOKAHEAD, NEAR_END, NODE, PATH, WIDTH, back_up, children, descend, grow, offer
from ttr_sim.engine import actions as A
from ttr_sim.engine.bits import ONE, ZERO, ctz, mix
from ttr_sim.engine.clock import now_ns
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import (
    KEEP,
    KEEP_SETUP,
    MAX_LEGAL,
    MAX_PLAYERS,
    OVER,
    STATE,
    TURN,
    WORK,
)
from ttr_sim.engine.legal import can_build, claimable
from ttr_sim.engine.observe import redeal
from ttr_sim.engine.playout import playout
from ttr_sim.engine.scoring import SCORES, quick_score

_CLAIM, _STATION, _KEEP = A.CLAIM, A.STATION, A.KEEP
# The parameters, in the order declared below.
(
    _ITERATIONS,
    _EXPLORATION,
    _WIDENING,
    _PRIOR_WEIGHT,
    _PLAYOUT,
    _TRUST,
    _DEPTH,
    _MILLISECONDS,
    _BELIEF,
) = range(9)
_WORLDS = 24  # playouts that make it worth to look at one more action
_TICKET_FACTOR = 20  # playouts to choose tickets, in those of a turn
_WAYS = ("auto", "plan", "planner", "random")
_AUTO, _BY_PLAN, _BY_PLANNER = 0, 1, 2
_MUCH_TIME = 10.0  # milliseconds
_PLAN_TURN, _PLANNER_TURN = 250.0, 2000.0  # nanoseconds of a playout for each turn left, roughly
_NODES = 100_000  # most nodes of a tree
_END_FACTOR = 6.0  # playouts then, in those of an earlier turn
_ENDLESS = 1_000_000_000
_SETS, _FEW_SETS = 16, 4  # sets of tickets compared for each other seat, with planner's playouts and others
_FEW = 8  # worlds before anything is dropped as hopeless
_FINE = 1_000_000  # parts of a unit in which memory holds fractions
_PLANNER = tuple(float(param.default) for param in PARAMS.values())
# The integers in which memory holds what was found out about an action, see `_remember`.
_ACTION, _VISITS, _WORTH, _SCORE, _ADVANTAGE, _GAIN, _SQUARE, _PRIOR, _TOLD = range(9)
_KEPT = 1 + _TOLD * WIDTH  # where in memory the planner keeps its plan; what the search found stands before


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
def _play_on(T, S, B, Q, M, kept, how, planner):
    """The rest of the game by one of the ways."""
    if how == _BY_PLANNER:
        network_playout(T, S, B, Q, M, kept, planner)
    steps = 0
    while how == _BY_PLAN and S.phase != OVER and steps < 2000:
        policy_step(T, S, B, Q)
        steps += 1
    playout(T, S, B)


@kernel
def _depth(T, V, params):
    """Tree steps below the first action: some in the last turns, where a tree finds what playouts miss; else none."""
    return int(params[_DEPTH]) if turns_left(T, V) < NEAR_END else 0


@kernel
def _try(
    T, W, i, how, depth, params, planner, worlds, roots, nodes, used, works, minds, kept, scores, path, worth
):
    """Play child i of the root in the world worlds[1] to the end: what that is worth to each seat goes to `worth`.

    Returns how many nodes are used.
    """
    S, Q, B, root = worlds[0], roots[1], works[0], nodes[0]
    worlds[0] = worlds[1]
    roots[1] = roots[0]
    B.rng = mix(W.rng)  # not the stream that deals the next world
    apply_abstract(T, S, B, Q, int(root.action[i]))
    used = grow(nodes, used, root, i)
    below = int(root.child[i])
    explore, widen, prior = params[_EXPLORATION], params[_WIDENING], params[_PRIOR_WEIGHT]
    used = descend(T, S, B, Q, nodes, used, below, explore, widen, prior, depth, path)
    if how == _BY_PLANNER:
        for p in range(T.players):
            kept[1, p] = kept[0, p]
    _play_on(T, S, B, Q, minds[0], kept[1], how, planner)
    quick_score(T, S, B, scores[0])
    _utilities(T, scores[0], worth, 30.0)
    back_up(nodes, path, worth)
    return used


@kernel
def _search(T, V, W, H, budget, time, how, params, minds, worlds, roots, nodes, works, scores, memory):
    """Compare the root's children on common worlds, dropping the worse half in rounds; returns the best child.

    nodes[0] is the root. The first child is the plan's own choice: the others must be better by more than chance.
    budget: playouts. time: nanoseconds to spend instead, if above 0; the budget is a guess then. how: the playouts, one of
    _WAYS. What was found out stands in `memory` then.
    """
    trust, belief = params[_TRUST], params[_BELIEF]
    depth = _depth(T, V, params)
    planner = np.array(_PLANNER)
    kept = np.zeros((2, MAX_PLAYERS), KEPT)
    paths = np.zeros(1, PATH)
    begun = now_ns() if time > 0 else 0
    Q, R, S, root = roots[1], scores[0], worlds[0], nodes[0]
    me = int(V.viewer)
    counts = np.zeros(16, np.int64)
    worth = np.zeros(MAX_PLAYERS)
    gain = np.zeros(WIDTH)
    square = np.zeros(WIDTH)
    score = np.zeros(WIDTH)
    points = np.zeros(WIDTH)
    alive = np.ones(WIDTH, np.int64)
    sets = _SETS if how == _BY_PLANNER else _FEW_SETS
    n = min(int(root.n), 1 + budget // _WORLDS)  # few playouts say nothing about many actions
    used = 1
    seen = 0
    active = n
    left = budget
    while active > 1 and (left >= active or time > 0):
        rounds = 1
        while (1 << rounds) < active:
            rounds += 1
        worlds_left = max(1, left // (rounds * active))
        until = begun
        if time > 0:
            worlds_left = _ENDLESS
            until = now_ns()
            until += (begun + time - until) // rounds
        while worlds_left > 0:
            worlds_left -= 1
            if time > 0 and now_ns() >= until:
                worlds_left = 0  # and this is the last one
            W.rng = redeal(T, V, worlds, counts, W.rng)
            if belief > 0.0:
                W.rng = believe(T, V, S, Q, H, sets, W.rng)
            worlds[1] = worlds[0]
            base = 0.0
            if how == _BY_PLANNER:
                plan_world(T, S, Q, minds[0], kept[0], me, roots[0], planner)
            for i in range(n):
                if alive[i] == 0:
                    continue
                used = _try(
                    T,
                    W,
                    i,
                    how,
                    depth,
                    params,
                    planner,
                    worlds,
                    roots,
                    nodes,
                    used,
                    works,
                    minds,
                    kept,
                    scores,
                    paths[0],
                    worth,
                )
                root.visits += 1
                root.count[i] += 1
                root.total[i] += worth[me]
                points[i] += float(R.score[me])
                left -= 1
                if i == 0:
                    base = worth[me]
                else:
                    gain[i] += worth[me] - base
                    square[i] += (worth[me] - base) ** 2
            seen += 1
            if seen >= _FEW:
                active = race(n, root.count, root.prior, gain, square, trust, alive, score)
                if active < 2:
                    worlds_left = 0
        judge(n, root.count, root.prior, gain, square, trust, score)
        if active <= 2 or (time > 0 and now_ns() >= begun + time):
            break
        # Drop the worse half; the plan's own choice stays as what the others are measured by.
        keep = (active + 2) // 2
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
    _remember(root, n, points, score, gain, square, memory)
    return best


@kernel
def _remember(root, n, points, score, gain, square, memory):
    """Leave in memory what `explain` tells: one more than the number of actions, for 0 stands for a new game, then of each
    visits, worth, points, advantage, and what that comes from.
    """
    memory[0] = 1 + n
    for i in range(n):
        visits = max(1.0, float(root.count[i]))
        told = memory[1 + _TOLD * i :]
        told[_ACTION] = int(root.action[i])
        told[_VISITS] = int(root.count[i])
        told[_WORTH] = int(_FINE * root.total[i] / visits)
        told[_SCORE] = int(_FINE * points[i] / visits)
        told[_ADVANTAGE] = int(_FINE * score[i])
        told[_GAIN] = int(_FINE * gain[i])
        told[_SQUARE] = int(_FINE * square[i])
        told[_PRIOR] = int(_FINE * root.prior[i])


@kernel
def _points_after(T, roots, worlds, works, scores, seat, action):
    """Points of a seat right after an abstract action in the world worlds[1]."""
    worlds[0] = worlds[1]
    roots[1] = roots[0]
    apply_abstract(T, worlds[0], works[0], roots[1], action)
    quick_score(T, worlds[0], works[0], scores[0])
    return int(scores[0].score[seat])


@kernel
def _last_turn(T, V, W, roots, worlds, works, scores, seat, N):
    """Offer, on a seat's last turn, the claims and stations that bring most points at once."""
    W.rng = redeal(T, V, worlds, np.zeros(16, np.int64), W.rng)
    worlds[1] = worlds[0]
    works[0].rng = W.rng
    w0, w1 = claimable(T, V, seat)
    cities = T.all_cities & ~V.station_mask if can_build(T, V, seat) else ZERO
    points = np.full(MAX_LEGAL, -100_000)
    n = 0
    for word, first in ((w0, _CLAIM), (w1, _CLAIM + 64), (cities, _STATION)):
        while word != ZERO:
            action = first + ctz(word)
            word &= word - ONE
            points[n] = _points_after(T, roots, worlds, works, scores, seat, action) * 1000 + action
            n += 1
    for _ in range(min(n, WIDTH // 2)):
        best = int(np.argmax(points))
        offer(N, ZERO, int(points[best]) % 1000, 0.9)
        points[best] = -100_000


@kernel
def _root_children(T, V, W, roots, worlds, works, scores, seat, first, N):
    """Offer what there is to decide between, the planner's choice first."""
    P = roots[0]
    N.n = 0
    N.visits = 0
    offer(N, ZERO, first, 1.0)
    if V.phase == TURN and V.remaining >= 0 and turns_left(T, V) < 2.0:
        _last_turn(T, V, W, roots, worlds, works, scores, seat, N)
    if V.phase in (KEEP, KEEP_SETUP):
        for i in range(W.n):
            offer(N, ZERO, int(W.acts[i]), 0.3)
    else:
        children(T, V, W, P, N)


@kernel
def _search_decision(T, V, W, first, params, minds, hunches, roots, worlds, nodes, works, scores, memory):
    """Compare the planner's choice, whose plan stands in roots[0], with the others."""
    seat = int(V.viewer)
    how, left = int(params[_PLAYOUT]), turns_left(T, V)
    if how == _AUTO:
        how = _BY_PLANNER if params[_MILLISECONDS] >= _MUCH_TIME else _BY_PLAN
    time = np.int64(1e6 * params[_MILLISECONDS])
    choosing = V.phase in (KEEP, KEEP_SETUP)
    if choosing:
        factor = float(_TICKET_FACTOR)  # one such choice shapes a whole game
        roots[0].planned[seat] = 0
    else:
        # Playouts get cheaper towards the end, and what they say more certain.
        factor = min(_END_FACTOR, max(1.0, _END_FACTOR * NEAR_END / left))
    budget = int(params[_ITERATIONS] * factor)
    if time > 0:
        time *= _TICKET_FACTOR if choosing else 1
        cost = _PLANNER_TURN if how == _BY_PLANNER else _PLAN_TURN
        budget = int(time / (cost * T.players * left))
    H = hunches[0]
    if params[_BELIEF] > 0.0:
        hunch(T, V, roots[1], H, params[_BELIEF])
    w0, w1 = roots[0].want[seat, 0], roots[0].want[seat, 1]
    _root_children(T, V, W, roots, worlds, works, scores, seat, first, nodes[0])
    if V.phase == TURN and how == _BY_PLANNER and params[_BELIEF] > 0.0:
        offer_blocks(T, V, W, roots[1], minds[0], H, worlds, _SETS, np.array(_PLANNER), w0, w1, nodes[0])
    best = _search(T, V, W, H, budget, time, how, params, minds, worlds, roots, nodes, works, scores, memory)
    return int(nodes[0].action[best])


@kernel
def _decide(T, V, W, params, roots, minds, hunches, worlds, works, scores, memory):
    kept = memory[_KEPT:]
    if memory[0] == 0:
        kept[0] = 0
    memory[0] = 1
    first = decide(T, V, W, roots[0], minds[0], worlds, scores, np.array(_PLANNER), kept)
    if V.phase not in (TURN, KEEP, KEEP_SETUP):
        return first
    nodes = 1 + WIDTH
    if _depth(T, V, params) > 0:
        nodes += (
            _NODES if params[_MILLISECONDS] > 0.0 else min(int(params[_ITERATIONS]) * _TICKET_FACTOR, _NODES)
        )
    return _search_decision(
        T, V, W, first, params, minds, hunches, roots, worlds, np.empty(nodes, NODE), works, scores, memory
    )


@policy(
    params={
        "iterations": Param(40, 1, 1_000_000, "playouts a turn; 20 times as many to choose tickets"),
        "exploration": Param(0.35, 0.0, 10.0, "weight of the confidence bound in the tree"),
        "widening": Param(0.5, 0.0, 100.0, "children let in at a node: 1 + widening * sqrt(visits)"),
        "prior": Param(0.3, 0.0, 100.0, "weight of the plan's order of the actions in the tree"),
        "playout": Param(
            "auto",
            choices=_WAYS,
            about="how the rest of the game is played; auto: as planner from 10 milliseconds on, else by a fast plan",
        ),
        "trust": Param(
            0.03, 0.0, 1.0, "by how much other choices may be better than the plan's, as win chance"
        ),
        "depth": Param(3, 0, LOOKAHEAD, "tree steps below the first action in the last three turns"),
        "milliseconds": Param(
            0.0, 0.0, 1e6, "time for a turn instead of iterations; games do not repeat then"
        ),
        "belief": Param(
            1.0,
            0.0,
            3.0,
            "how far others are believed to hold the tickets that fit them; 0: not at all",
        ),
        "threads": Param(1, 1, 64, "threads that search a decision, each with all its playouts or its time"),
    },
    memory=_KEPT + MEMORY,
)
def mcts(T, V, W, params, memory):
    """Information-set Monte Carlo tree search."""
    return _decide(
        T,
        V,
        W,
        params,
        np.zeros(2, PLAN),
        np.zeros(1, MIND),
        np.empty(1, HUNCH),
        np.zeros(2, STATE),
        np.zeros(1, WORK),
        np.zeros(1, SCORES),
        memory,
    )


def _told(memory: Any) -> Any:
    """What `_remember` left, one row for each action."""
    return memory[1 : 1 + _TOLD * max(0, memory[0] - 1)].reshape(-1, _TOLD)


def _add_told(mine: Any, more: Any) -> None:
    """Add to a row of `_told` what another thread found about the same action."""
    visits = max(1, mine[_VISITS] + more[_VISITS])
    for mean in (_WORTH, _SCORE):
        mine[mean] = (mine[mean] * mine[_VISITS] + more[mean] * more[_VISITS]) // visits
    for total in (_VISITS, _GAIN, _SQUARE):
        mine[total] += more[total]


@merges(mcts)
def merge(memory: Any, params: Mapping[str, Any]) -> int | None:
    """Add up what the threads found about each action; the best by all of it."""
    told = _told(memory[0])
    if len(told) == 0:
        return None
    for row in memory[1:]:
        for more in _told(row):
            for i in np.flatnonzero(told[:, _ACTION] == more[_ACTION]):
                _add_told(told[i], more)
    variance = told[1:, _SQUARE].sum() / _FINE / (1.0 + told[1:, _VISITS].sum())
    for row in told[1:]:
        gain, visits, prior = row[_GAIN] / _FINE, float(row[_VISITS]), row[_PRIOR] / _FINE
        row[_ADVANTAGE] = int(_FINE * advantage_of(gain, variance, visits, params["trust"], prior))
    return int(told[np.argmax(told[:, _ADVANTAGE]), _ACTION])


@explains(mcts)
def explain(memory: Any) -> Weighed:
    """Tell how often each action was tried, what came of it, and how much better than the plan's own it is held to be."""
    told = []
    for action, visits, worth, points, advantage in _told(memory)[:, : _ADVANTAGE + 1].tolist():
        numbers = {"visits": visits, "worth": worth / _FINE, "expected score": points / _FINE}
        told.append((action, numbers | {"advantage": advantage / _FINE}))
    return told
