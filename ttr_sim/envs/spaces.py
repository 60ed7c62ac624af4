"""The Gymnasium spaces of what a seat sees and does; PettingZoo uses them, too."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from ttr_sim.envs.hints import HINTS_SIZE
from ttr_sim.envs.observation import N_ACTIONS, SIZE

Seen = dict[str, Any]


def observation_space(hints: bool = False) -> gym.spaces.Dict:
    """`observation` (see `ttr_sim.envs.observation`), `action_mask`, 1 where legal, and `hints` if asked for; all int8."""
    spaces: dict[str, gym.spaces.Space[Any]] = {
        "observation": gym.spaces.Box(0, 127, (SIZE,), np.int8),
        "action_mask": gym.spaces.Box(0, 1, (N_ACTIONS,), np.int8),
    }
    if hints:
        spaces["hints"] = gym.spaces.Box(-128, 127, (HINTS_SIZE,), np.int8)
    return gym.spaces.Dict(spaces)


def action_space() -> gym.spaces.Discrete:
    """The actions, numbered as in `ttr_sim.engine.actions` for every board."""
    return gym.spaces.Discrete(N_ACTIONS)
