"""The entry points that Python calls: kernels over one-element arrays, which dispatch quickest."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ttr_sim.engine.apply import count_drawn, settle, traced
from ttr_sim.engine.deal import deal
from ttr_sim.engine.jit import entry, trusting
from ttr_sim.engine.layout import MAX_PLAYERS, STATE, TABLES, WORK, new_record
from ttr_sim.engine.legal import legal
from ttr_sim.engine.observe import observe, redeal
from ttr_sim.engine.scoring import score

_DEAL, _DEAL_ONLY, _LEGAL, _STEP, _STEP_ONCE, _STEP_AND_LOOK = range(6)
_NOT_COUNTED = np.zeros(MAX_PLAYERS, np.int32)
_NO_SEED = np.uint64(0)


def deal_game(tables: Any, states: Any, work: Any, seed: Any, drawn: Any = _NOT_COUNTED) -> int:
    """New game in states[0]; returns the number of legal actions of its first decision. `drawn`: see `stepper`."""
    return int(_play(_DEAL, tables, states, states, work, drawn, 0, np.uint64(seed)))


def deal_only(tables: Any, states: Any, work: Any, seed: Any) -> int:
    """New game in states[0], nothing decided yet; returns the number of legal actions of its first decision."""
    return int(_play(_DEAL_ONLY, tables, states, states, work, _NOT_COUNTED, 0, np.uint64(seed)))


def legal_actions(tables: Any, states: Any, work: Any) -> int:
    """Legal actions of states[0] to work[0]; returns their number."""
    return int(_play(_LEGAL, tables, states, states, work, _NOT_COUNTED, 0, _NO_SEED))


def step_game(tables: Any, states: Any, work: Any, action: int) -> int:
    """Apply a legal action and the forced ones after it; returns the number of legal actions then."""
    return int(_play(_STEP, tables, states, states, work, _NOT_COUNTED, action, _NO_SEED))


def step_once(tables: Any, states: Any, work: Any, action: int) -> int:
    """Apply a legal action and nothing else; returns the number of legal actions then."""
    return int(_play(_STEP_ONCE, tables, states, states, work, _NOT_COUNTED, action, _NO_SEED))


def stepper(tables: Any, states: Any, work: Any, drawn: Any) -> Callable[[Any, int], int]:
    """Return a quick `step_game` for one game: step(views, action) also writes the view of who decides next to views[0].

    views: what `new_record(STATE)` gives, nothing else. drawn: int32 array of shape (5,), to which the cards drawn are
    added, by seat.
    """
    usual = [(tables, TABLES), (states, STATE), (work, WORK), (drawn, _NOT_COUNTED.dtype)]
    play = _quick_play() if all(array.dtype == kind for array, kind in usual) else _play

    def step(views: Any, action: int) -> int:
        return play(_STEP_AND_LOOK, tables, states, views, work, drawn, action, _NO_SEED)  # type: ignore[no-any-return]

    return step


@cache
def _quick_play() -> Callable[..., Any]:
    arrays = (new_record(TABLES), new_record(STATE), new_record(STATE), new_record(WORK), _NOT_COUNTED)
    return trusting(_play, _STEP_AND_LOOK, *arrays, 0, _NO_SEED)


@entry
def _play(what, tables, states, views, work, drawn, action, seed):
    """One compiled function for all that deals or steps: each more would hold legal and apply once more."""
    T, S, W = tables[0], states[0], work[0]
    if what != _LEGAL:
        W.trace_n = 0
    if what <= _DEAL_ONLY:
        deal(T, S, seed)
    elif what != _LEGAL:
        traced(T, S, W, action)
    n = settle(T, S, W) if what in (_DEAL, _STEP, _STEP_AND_LOOK) else legal(T, S, W)
    if what != _LEGAL:
        count_drawn(W, drawn)
    if what == _STEP_AND_LOOK:
        observe(T, S, views, int(S.seat))
    return n


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
