"""Speed of the environments for learners: steps a second from a Python loop, random legal actions."""

import random

from ttr_sim.bench.measure import Absent, rate

_GAMES = 1024


def pettingzoo_steps() -> float:
    """Return steps a second of the PettingZoo environment, Europe, 2 players, the actions drawn in Python."""
    try:
        from ttr_sim.envs.pettingzoo import env
    except ImportError as error:
        raise Absent(str(error)) from None
    game, draw = env("europe"), random.Random(1).random

    def steps(n: int) -> None:
        done = 0
        while done < n:
            game.reset(seed=done)
            for _ in game.agent_iter():
                seen, _, over, _, _ = game.last()
                if over:
                    game.step(None)
                    continue
                legal = seen["action_mask"].nonzero()[0]
                game.step(legal[int(draw() * len(legal))])
                done += 1
                if done == n:
                    break

    return rate(steps, 1000)


def vector_steps() -> float:
    """Return steps a second of many games in one call, Europe, against `random`."""
    try:
        from ttr_sim.envs.gymnasium import TicketToRideVectorEnv
    except ImportError as error:
        raise Absent(str(error)) from None
    games = TicketToRideVectorEnv(_GAMES, "random", "europe")
    games.reset(seed=1)

    def calls(n: int) -> None:
        for _ in range(n):
            games.step(games.sample_actions())

    return _GAMES * rate(calls, 10)
