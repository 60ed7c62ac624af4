"""The entry points that Python calls: kernels over one-element arrays, which dispatch quickest."""

from ttr_sim.engine.apply import settle, traced
from ttr_sim.engine.deal import deal
from ttr_sim.engine.jit import entry
from ttr_sim.engine.legal import legal
from ttr_sim.engine.observe import observe, redeal
from ttr_sim.engine.scoring import score


@entry
def deal_game(tables, states, work, seed):
    """New game in states[0]; returns the number of legal actions of its first decision."""
    deal(tables[0], states[0], seed)
    work[0].trace_n = 0
    return settle(tables[0], states[0], work[0])


@entry
def deal_only(tables, states, work, seed):
    """New game in states[0], nothing decided yet; returns the number of legal actions of its first decision."""
    deal(tables[0], states[0], seed)
    return legal(tables[0], states[0], work[0])


@entry
def legal_actions(tables, states, work):
    """Legal actions of states[0] to work[0]; returns their number."""
    return legal(tables[0], states[0], work[0])


@entry
def step_game(tables, states, work, action):
    """Apply a legal action and the forced ones after it; returns the number of legal actions then."""
    work[0].trace_n = 0
    traced(tables[0], states[0], work[0], action)
    return settle(tables[0], states[0], work[0])


@entry
def step_once(tables, states, work, action):
    """Apply a legal action and nothing else; returns the number of legal actions then."""
    work[0].trace_n = 0
    traced(tables[0], states[0], work[0], action)
    return legal(tables[0], states[0], work[0])


@entry
def observe_game(tables, states, views, seat):
    """The View of a seat of states[0] to views[0]."""
    observe(tables[0], states[0], views, seat)


@entry
def redeal_view(tables, views, states, counts, rng):
    """A random State behind views[0] to states[0]; returns the advanced random state."""
    return redeal(tables[0], views[0], states, counts, rng)


@entry
def score_game(tables, states, work, scores):
    """Scores of states[0] to scores[0]."""
    score(tables[0], states[0], work[0], scores[0])
