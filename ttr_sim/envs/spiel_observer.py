"""What players see of an OpenSpiel state, as tensors and strings."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import pyspiel

from ttr_sim.engine.layout import STATE, new_record
from ttr_sim.envs import stepping
from ttr_sim.envs.observation import LAYOUT, SIZE
from ttr_sim.errors import TtrError

if TYPE_CHECKING:
    from ttr_sim.envs.open_spiel import TtrState

HISTORY = 256  # actions in an information-state tensor


def public_text(state: Any) -> str:
    """What lies open: market, discards, cards turned up for a tunnel, size of the decks."""
    counts = (" ".join(map(str, state[name].tolist())) for name in ("market", "discards", "pend_revealed"))
    return f" | {' | '.join(counts)} | {int(state['deck_n'])} {int(state['ticket_deck_n'])}"


def own_text(state: Any, seat: int) -> str:
    """What a seat alone sees: its cards by colour, its tickets as a bit set, the tickets it chooses from."""
    offer = state["offer"][seat, : int(state["offer_n"][seat])].tolist()
    return f" | {state['hands'][seat].tolist()} {int(state['tickets'][seat]):x} {offer}"


class TtrObserver:
    """Tensors and strings of a state as one player sees it.

    Attributes:
        tensor: float32, the parts of `ttr_sim.envs.observation.LAYOUT` and, with perfect recall, `history`: rows of
            (seat from the player on + 1, public action + 1), the newest last, 0 where there is none.
        dict: the same by name, in shape.
    """

    def __init__(self, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise TtrError(f"observers have no parameters, got {params}")
        if iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            raise TtrError("observers show what one player sees; private_info must be SINGLE_PLAYER")
        self._recall = bool(iig_obs_type.perfect_recall)
        self._row = np.zeros(SIZE, np.int8)
        self._view = new_record(STATE)
        self.tensor = np.zeros(SIZE + (2 * HISTORY if self._recall else 0), np.float32)
        self.dict = {name: self.tensor[part.at].reshape(part.shape) for name, part in LAYOUT.items()}
        if self._recall:
            self.dict["history"] = self.tensor[SIZE:].reshape(HISTORY, 2)

    def set_from(self, state: TtrState, player: int) -> None:
        """Write `tensor`; all 0 before the deal."""
        self.tensor.fill(0)
        if not state.dealt:
            return
        shared = state.played
        stepping.look(shared.tables, state.record(), self._view, player, self._row)
        self.tensor[:SIZE] = self._row
        if self._recall and state.log:
            log = np.frombuffer(state.log, np.int16).reshape(-1, 2)
            rows = self.dict["history"][-len(log) :]
            rows[:, 0] = (log[:, 0] - player) % shared.players + 1
            rows[:, 1] = log[:, 1] + 1

    def string_from(self, state: TtrState, player: int) -> str:
        """Text of what the player sees now or, with perfect recall, has ever seen."""
        if self._recall or not state.dealt:
            return state.information_text(player)
        view = state.view(player)
        return f"{view.text()}\n{sha256(view.array.tobytes()).hexdigest()[:16]}"  # the text does not say everything
