"""Worlds that a seat may take for the true one, in which the game can go on, also while another seat is in its turn.

`ttr_sim.engine.observe.redeal` knows nothing of what a seat shows by its choices: where another has named a track to claim
and not yet paid for it, few of its hands could pay.
"""

from ttr_sim.engine.bits import GOLD, mix, scale
from ttr_sim.engine.jit import kernel
from ttr_sim.engine.layout import KINDS, OVER
from ttr_sim.engine.legal import legal
from ttr_sim.engine.observe import redeal
from ttr_sim.envs.compiled import env_entry

_TRIES = 500
_SWAPS = 500


@env_entry
def possible_world(tables, views, truths, states, work, scratch, counts, rng):
    """Write a random world behind views[0] to states[0]; returns the number of legal actions in it, which are in work[0].

    Worlds are drawn until the seat to move can go on. If none is found, its hand comes from the one in truths[0] by many
    random exchanges of cards that nobody has seen, each of which leaves it a legal action.

    Args:
        scratch: STATE array (1,). counts: int64 (16,) or longer. rng: uint64.
    """
    T, S, W = tables[0], states[0], work[0]
    for _ in range(_TRIES):
        rng = redeal(T, views[0], states, counts, rng)
        n = legal(T, S, W)
        if n > 0 or S.phase == OVER:
            return n
    scratch[0] = views[0]
    V = scratch[0]
    seat = int(S.seat)
    for c in range(KINDS):
        V.shown[seat, c] = truths[0].hands[seat, c]
    rng = redeal(T, V, states, counts, rng)
    rng = _exchange(T, S, views[0], W, seat, rng)
    for c in range(KINDS):
        V.shown[seat, c] = S.hands[seat, c]
    redeal(T, V, states, counts, rng)
    for c in range(KINDS):
        S.shown[seat, c] = views[0].shown[seat, c]
    return legal(T, S, W)


@kernel
def _exchange(T, S, V, W, seat, rng):
    """Exchange cards of the seat that nobody has seen with the deck, as long as it has a legal action."""
    for _ in range(_SWAPS if S.deck_n > 0 else 0):
        rng = rng + GOLD
        i = scale(mix(rng), int(S.deck_n))
        rng = rng + GOLD
        c = _unseen_card(S, V, seat, mix(rng))
        if c < 0:
            break
        new = int(S.deck[i])
        S.hands[seat, c] -= 1
        S.hands[seat, new] += 1
        S.deck[i] = c
        if legal(T, S, W) == 0:
            S.hands[seat, c] += 1
            S.hands[seat, new] -= 1
            S.deck[i] = new
    return rng


@kernel
def _unseen_card(S, V, seat, word):
    """Colour of a random card of the seat that nobody has seen, -1 when there is none."""
    unseen = 0
    for c in range(KINDS):
        unseen += int(S.hands[seat, c]) - int(V.shown[seat, c])
    if unseen == 0:
        return -1
    left = scale(word, unseen)
    for c in range(KINDS):
        left -= int(S.hands[seat, c]) - int(V.shown[seat, c])
        if left < 0:
            return c
    return -1
