"""The compiled steps of the environments: an action in, what its seat sees next out."""

import numpy as np

from ttr_sim.bot.driver import BOT_STREAM, is_legal
from ttr_sim.engine.apply import settle, traced
from ttr_sim.engine.bits import GOLD, mix, scale, stream
from ttr_sim.engine.deal import deal
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import OVER
from ttr_sim.engine.legal import legal
from ttr_sim.engine.observe import observe
from ttr_sim.engine.playout import playout
from ttr_sim.envs.compiled import env_entry, policy_at
from ttr_sim.envs.hints import hint
from ttr_sim.envs.observation import encode, mark_legal
from ttr_sim.envs.payoff import clear_game, pay_out

NEW_GAME = -(1 << 40)  # instead of an action
ANY_SEAT = -1


@env_entry
def look(tables, states, views, seat, row):
    """Write the observation of a seat of states[0] to row."""
    observe(tables[0], states[0], views, seat)
    encode(tables[0], views[0], row)


@env_entry
def play(tables, states, views, work, games, kind, action, row, mask):
    """One step of a game in which every seat is asked from outside; `action` NEW_GAME deals a new one, from games[0].rng.

    Writes observation and legal actions of the seat that decides next (at the end: of the last one) to row and mask, and
    returns that seat.
    """
    T, S, W, G = tables[0], states[0], work[0], games[0]
    W.trace_n = 0
    if action == NEW_GAME:
        clear_game(T, G)
        deal(T, S, _next_word(G))
        n = settle(T, S, W)
    else:
        n = _act(T, S, W, G, action)
    pay_out(T, S, W, G, kind)
    observe(T, S, views, int(S.seat))
    encode(T, views[0], row)
    mark_legal(W, n if G.over == 0 else 0, mask)
    return int(S.seat)


@kernel
def _next_word(G):
    G.rng = G.rng + GOLD
    return mix(G.rng)


@kernel
def _act(T, S, W, G, action):
    """Take an action, or note that it was illegal; returns the number of legal actions then."""
    n = legal(T, S, W)
    if not is_legal(W, action):
        G.forfeit = S.seat
        return n
    traced(T, S, W, action)
    return settle(T, S, W)


@kernel
def _begin(T, S, W, G, seat, memory):
    """Deal the next game of G; returns the number of legal actions of its first decision."""
    clear_game(T, G)
    deal(T, S, _next_word(G))
    G.bots = _next_word(G)
    for p in range(T.players):
        G.streams[p] = stream(G.bots, BOT_STREAM + np.uint64(p))
        memory[p, 0] = 0
    G.agent = scale(_next_word(G), T.players) if seat == ANY_SEAT else seat
    return settle(T, S, W)


@env_entry
def advance(
    tables,
    bot_tables,
    states,
    views,
    work,
    bot_work,
    bots,
    params,
    memory,
    games,
    seat,
    kind,
    actions,
    observations,
    masks,
    hints,
):
    """A step of every game: its action, then the bots', until the agent is asked or the game is over.

    A game that was over begins anew instead. Bot k sits k seats after the agent. A bot whose address is 0 is asked from
    outside: the game waits at its decision, and the next action is taken as the bot's.

    Args:
        bots: int64 (players,), addresses; the first is unused.
        params, memory: of the bots, (players, width) and (games, players, words).
        games: GAME (n,). seat: of the agent, ANY_SEAT: drawn for each game.
        observations, masks, hints: int8 (n, SIZE), (n, N_ACTIONS), (n, HINTS_SIZE), overwritten; no hints in (n, 0).
    """
    T, W = tables[0], work[0]
    for k in range(1, T.players):
        bot_tables[k] = tables[0]  # one for each, so that a bot that writes there harms only itself
    for i in range(len(games)):
        S, G = states[i], games[i]
        W.trace_n = 0
        if G.over == 1:
            n = _begin(T, S, W, G, seat, memory[i])
        else:
            n = _act(T, S, W, G, actions[i])
        while S.phase != OVER and G.forfeit < 0 and S.seat != G.agent:
            k = (S.seat - G.agent) % T.players
            if bots[k] == 0:
                break
            B = bot_work[k]
            B.n = n
            for j in range(n):
                B.acts[j] = W.acts[j]
            B.rng = G.streams[S.seat]
            observe(T, S, views, int(S.seat))
            action = policy_at(bots[k])(bot_tables[k], views[0], B, params[k], memory[i, k])
            G.streams[S.seat] = B.rng
            if is_legal(W, action):
                traced(T, S, W, action)
                n = settle(T, S, W)
            else:
                G.forfeit = S.seat
        if S.phase == OVER or G.forfeit >= 0 or S.seat == G.agent:
            pay_out(T, S, W, G, kind)
            observe(T, S, views, int(G.agent))
            encode(T, views[0], observations[i])
            mark_legal(W, n if G.over == 0 else 0, masks[i])
            if hints.shape[1] > 0:
                hint(T, views[0], hints[i])


@env_entry
def worth(tables, states, work, games, kind):
    """Write to games[0] what the game in states[0], which is over, is worth to its seats."""
    clear_game(tables[0], games[0])
    pay_out(tables[0], states[0], work[0], games[0], kind)


@env_entry
def roll_out(tables, states, work, games, kind, rng):
    """Play states[0] to its end at random and write to games[0] what it is worth."""
    work[0].rng = rng
    playout(tables[0], states[0], work[0])
    clear_game(tables[0], games[0])
    pay_out(tables[0], states[0], work[0], games[0], kind)


@env_entry
def sample(masks, rng, actions):
    """Write a random legal action of every row of masks to actions (0 where there is none); returns the advanced rng."""
    for i in range(len(masks)):
        n = 0
        for a in range(len(masks[i])):
            n += int(masks[i, a])
        rng = rng + GOLD
        left = scale(mix(rng), n)
        actions[i] = 0
        for a in range(len(masks[i])):
            if masks[i, a] == 1:
                if left == 0:
                    actions[i] = a
                    break
                left -= 1
    return rng
