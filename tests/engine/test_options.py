"""Random rule options, none of which a preset may have: games end, everything is conserved, nothing hidden is seen."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from ttr_sim.engine import Game
from ttr_sim.errors import TtrError
from ttr_sim.rules import OPTIONS, Range, Rules, check_fit

from .games import POLICIES, PRESETS, board_of, check_absent_seats, check_conserved, decision_bound, rules_of
from .redeal import check_redeal

# Numbers worth trying where the whole range is not.
NUMBERS: dict[str, tuple[int, ...]] = {
    "trains_per_player": (1, 9, 20, 45, 60),
    "initial_hand": (0, 4, 12, 20),
    "tickets_setup.deal_long": (0, 1, 2),
    "tickets_setup.deal": (1, 3, 4),
    "turn_limit": (1, 20, 60),
    "end_trigger_trains": (0, 2, 10, 60),
    "cards_per_draw": (1, 2, 3, 5, 10),
    "tunnel_reveal": (0, 1, 3, 9),
}


def random_rules(rng: Random) -> Rules:
    """A preset with up to a dozen options changed, as far as they go together."""
    base = rules_of(rng.choice(PRESETS))
    while True:
        changes: dict[str, Any] = {}
        for name in rng.sample(sorted(OPTIONS), rng.randint(1, 25)):
            allowed = OPTIONS[name].allowed
            if name in NUMBERS:
                changes[name] = rng.choice(NUMBERS[name])
            elif isinstance(allowed, tuple):
                changes[name] = rng.choice(allowed)
            elif isinstance(allowed, Range) and name != "route_points":
                changes[name] = rng.randint(allowed.low, allowed.high)
        changes.setdefault("turn_limit", 60)
        try:
            rules = base.with_options(changes)
            check_fit(board_of(base.name), rules, rng.randint(*rules.players))
        except TtrError:
            continue
        return rules


@pytest.mark.parametrize("seed", range(60))
def test_random_options(seed: int) -> None:
    rng = Random(seed)
    rules = random_rules(rng)
    board = board_of(rules.name.split("+")[0])
    players = rng.randint(*rules.players)
    try:
        check_fit(board, rules, players)
    except TtrError:
        players = rules.players[0]
    game = Game.new(board, rules, players, seed)
    bound, count = decision_bound(game), 0
    while not game.is_over:
        legal = game.legal()
        assert len(legal) >= 2
        assert legal == sorted(set(legal))
        policy = rng.choice(sorted(POLICIES))
        if rng.random() < 0.1:
            check_conserved(game)
            check_redeal(game, rng.randrange(players), rng)
        game.step(POLICIES[policy](rng, game, legal))
        count += 1
        assert count <= bound
    check_conserved(game)
    check_absent_seats(game)
    result = game.result()
    assert len(result.seats) == players
    assert min(seat.rank for seat in result.seats) == 1
