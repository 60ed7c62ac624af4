"""After a warm-up nothing of a game is left to compile."""

from __future__ import annotations

from ttr_sim.tournament.warm import is_warm, warm_up


def test_warm_up_speaks_only_when_it_compiles() -> None:
    said: list[str] = []
    cold = not is_warm()
    warm_up(said.append)
    assert is_warm()
    assert bool(said) == cold
    said.clear()
    assert warm_up(said.append) < 60
    assert said == []
