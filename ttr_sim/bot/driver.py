"""The compiled loop that plays whole games between compiled bots."""

from functools import cache
from typing import Any

import numba
import numpy as np
from numba import types

from ttr_sim.bot.borrow import row
from ttr_sim.bot.compiled import POLICY_T, STATE_T, TABLES_T, WORK_T
from ttr_sim.engine.apply import count_drawn, settle, traced
from ttr_sim.engine.bits import popcount, stream
from ttr_sim.engine.clock import now_ns, ticks
from ttr_sim.engine.deal import deal
from ttr_sim.engine.jit import kernel, signed
from ttr_sim.engine.layout import MAX_PLAYERS, OVER
from ttr_sim.engine.observe import observe
from ttr_sim.engine.scoring import SCORES, score

# What a played game leaves behind, apart from its action list.
PLAYED = np.dtype(
    [
        ("scores", SCORES),
        ("reason", "i4"),
        ("turns", "i4"),
        ("decisions", "i4"),  # asked ones
        ("forfeit_seat", "i4"),  # -1: none
        ("forfeit_action", "i8"),  # the illegal one
        ("wall_ns", "i8"),
        ("seat_decisions", "i4", (MAX_PLAYERS,)),
        ("cards_drawn", "i4", (MAX_PLAYERS,)),  # by draw actions
        ("tickets_kept", "i4", (MAX_PLAYERS,)),
        ("tracks", "i4", (MAX_PLAYERS,)),
        ("think_ns", "i8", (MAX_PLAYERS,)),
        ("slowest_ns", "i8", (MAX_PLAYERS,)),
    ],
    align=True,
)
# How far a batch has come, should a bot raise: game, first action of it, seat thinking.
PROGRESS = 3
BOT_STREAM = np.uint64(16)

_PLAYED_T = numba.from_dtype(PLAYED)

DRIVE_SIGNATURE = types.int64(
    types.Array(TABLES_T, 1, "C"),
    types.Array(TABLES_T, 1, "C"),
    types.Array(STATE_T, 1, "C"),
    types.Array(STATE_T, 1, "C"),
    types.Array(WORK_T, 1, "C"),
    types.Array(WORK_T, 1, "C"),
    types.UniTuple(POLICY_T, MAX_PLAYERS),
    types.float64[:, ::1],
    types.int64[:, ::1],
    types.uint64[::1],
    types.uint64[::1],
    types.int64[::1],
    types.int64,
    types.boolean,
    types.Array(_PLAYED_T, 1, "C"),
    types.int16[::1],
    types.int64[::1],
    types.int64[::1],
)


@kernel
def is_legal(W, action):
    """Is `action` among `W.acts[:W.n]`?"""
    found = False
    for i in range(W.n):  # looking at all of them at once beats halving: no branch depends on them
        found |= int(W.acts[i]) == action
    return found


@kernel
def summarise(T, S, W, G):
    """Fill what a finished game leaves behind."""
    score(T, S, W, G.scores)
    G.reason = S.reason
    G.turns = S.turns
    for p in range(T.players):
        G.tickets_kept[p] = int(S.ticket_n[p])
        G.tracks[p] = popcount(S.own[p, 0]) + popcount(S.own[p, 1])


@kernel
def clear_played(G):
    """An empty record of a game about to start."""
    G.reason = 0
    G.turns = 0
    G.decisions = 0
    G.forfeit_seat = -1
    G.forfeit_action = -1
    G.wall_ns = 0
    for p in range(MAX_PLAYERS):
        G.seat_decisions[p] = 0
        G.cards_drawn[p] = 0
        G.tickets_kept[p] = 0
        G.tracks[p] = 0
        G.think_ns[p] = 0
        G.slowest_ns[p] = 0


def _drive(
    tables,
    bot_tables,
    states,
    views,
    work,
    bot_work,
    bots,
    params,
    memory,
    seeds,
    bot_seeds,
    rotation,
    first,
    timed,
    played,
    log,
    offsets,
    progress,
):
    T, S, V, W = tables[0], states[0], views[0], work[0]
    own = params.copy()
    streams = np.zeros(MAX_PLAYERS, np.uint64)
    used = offsets[first]
    clock = now_ns() if timed else 0
    first_tick = ticks() if timed else 0
    for g in range(first, len(seeds)):
        G = played[g]
        clear_played(G)
        started = now_ns() if timed else 0
        for p in range(T.players):
            bot_tables[p] = tables[0]  # one for each, so that a bot that writes there harms only itself
            own[p] = params[p]
            memory[(p + rotation[g]) % T.players, 0] = 0
            streams[p] = stream(bot_seeds[g], BOT_STREAM + np.uint64(p))
        deal(T, S, seeds[g])
        W.trace_n = 0
        n = settle(T, S, W)
        count_drawn(W, G.cards_drawn)
        begun = 0
        while S.phase != OVER:
            if used >= len(log):
                return g  # no room for this game: the caller comes again with an empty log
            seat = int(S.seat)
            bot = (seat + rotation[g]) % T.players
            B = bot_work[bot]
            observe(T, S, views, seat)
            B.n = n
            for i in range(n):
                B.acts[i] = W.acts[i]
            B.rng = streams[seat]
            progress[0], progress[1], progress[2] = g, used, seat
            if timed:
                begun = ticks()
            action = bots[bot](bot_tables[bot], V, B, row(own, bot), row(memory, bot))
            if timed:
                spent = ticks() - begun
                G.think_ns[seat] += spent
                G.slowest_ns[seat] = max(G.slowest_ns[seat], spent)
            streams[seat] = B.rng
            if not is_legal(W, action):
                G.forfeit_seat = seat
                G.forfeit_action = action
                break
            log[used] = action
            used += 1
            G.decisions += 1
            G.seat_decisions[seat] += 1
            W.trace_n = 0
            traced(T, S, W, action)
            n = settle(T, S, W)
            count_drawn(W, G.cards_drawn)
        summarise(T, S, W, G)
        offsets[g + 1] = used
        if timed:
            G.wall_ns = now_ns() - started
            to_ns = (now_ns() - clock) / max(1, ticks() - first_tick)
            for p in range(T.players):
                G.think_ns[p] = np.int64(G.think_ns[p] * to_ns)
                G.slowest_ns[p] = np.int64(G.slowest_ns[p] * to_ns)
    return len(seeds)


@cache
def drive_kernel() -> Any:
    """The driver, compiled (or loaded from the cache) when first asked for: it holds most of the engine."""
    return signed(DRIVE_SIGNATURE, _drive)


ASK_SIGNATURE = types.int64(
    types.Array(TABLES_T, 1, "C"),
    types.Array(TABLES_T, 1, "C"),
    types.Array(STATE_T, 1, "C"),
    types.Array(WORK_T, 1, "C"),
    types.Array(WORK_T, 1, "C"),
    POLICY_T,
    types.float64[::1],
    types.int64[::1],
)


def _ask(tables, bot_tables, views, work, bot_work, bot, params, memory):
    """One decision of one bot on views[0]; the legal actions are in work[0], the bot's stream in bot_work[0].rng."""
    bot_tables[0] = tables[0]
    bot_work[0].n = work[0].n
    for i in range(work[0].n):
        bot_work[0].acts[i] = work[0].acts[i]
    return bot(bot_tables[0], views[0], bot_work[0], params, memory)


@cache
def ask_kernel() -> Any:
    """One decision of a compiled bot, for callers from Python."""
    return signed(ASK_SIGNATURE, _ask)
