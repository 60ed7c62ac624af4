"""The Gymnasium spaces of what a seat sees and does; PettingZoo uses them, too."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np

from ttr_sim.envs.observation import N_ACTIONS, SIZE

Seen = dict[str, Any]


def observation_space() -> gym.spaces.Dict:
    """`observation`, int8 (see `ttr_sim.envs.observation`), and `action_mask`, int8, 1 where legal."""
    return gym.spaces.Dict(
        {
            "observation": gym.spaces.Box(0, 127, (SIZE,), np.int8),
            "action_mask": gym.spaces.Box(0, 1, (N_ACTIONS,), np.int8),
        }
    )


def action_space() -> gym.spaces.Discrete:
    """The actions, numbered as in `ttr_sim.engine.actions` for every board."""
    return gym.spaces.Discrete(N_ACTIONS)
