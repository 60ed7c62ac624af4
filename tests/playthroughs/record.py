"""Short recorded games, one for each preset, as text: every decision, what the mover sees, the final score.

A change of the rules, of what is seen or of the texts shows in them. Record them anew, and look at what changed, with

    python -m tests.playthroughs.record
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from random import Random
from typing import Any

from ttr_sim.board import load_board
from ttr_sim.engine import Game, actions
from ttr_sim.rules import load_rules

FOLDER = Path(__file__).with_name("games")

# Few trains and many cards, so that games are short and all kinds of actions occur.
SHORT = {"trains_per_player": 14, "initial_hand": 7}
GAMES: dict[str, tuple[int, int, dict[str, Any]]] = {  # preset: players, seed, options
    "europe": (2, 7, SHORT),
    "nordic": (3, 1, SHORT),
    "usa": (2, 96, SHORT),
    "europe-zh": (3, 91, SHORT),
    "nordic-zh": (2, 69, SHORT),
    "europe-fa": (2, 55, SHORT),
    "europe-en": (4, 87, {**SHORT, "trains_per_player": 9}),
}


def choose(game: Game, rng: Random) -> int:
    """A lively player: claims what it can, now and then a station or tickets; pays extra cards gladly."""
    legal = game.legal()
    by_kind: dict[str, list[int]] = {}
    for action in legal:
        by_kind.setdefault(actions.decode(action)[0], []).append(action)
    for kind, chance in (("claim", 0.7), ("station", 0.1), ("tickets", 0.08), ("extra", 0.9)):
        if kind in by_kind and rng.random() < chance:
            # Long tracks first: they end the game.
            return rng.choice(by_kind[kind][-6:] if kind == "claim" else by_kind[kind])
    return rng.choice(by_kind.get("take", legal) if rng.random() < 0.6 else legal)


def playthrough(preset: str) -> str:
    """The text of a preset's game."""
    players, seed, options = GAMES[preset]
    rules = load_rules(preset).with_options(options)
    game = Game.new(load_board(rules.board), rules, players, seed, auto=False)
    return "\n".join(_lines(game, Random(seed), f"{rules.name}, {players} players, seed {seed}")) + "\n"


def _lines(game: Game, rng: Random, title: str) -> Iterator[str]:
    yield title
    number = 0
    while not game.is_over:
        legal = game.legal()
        forced = len(legal) == 1
        action = legal[0] if forced else choose(game, rng)
        text = game.describe(action)
        if game.phase in ("TURN", "KEEP_SETUP"):
            number += 1
            yield f"\n--- {number}"
            yield from game.view(game.seat).text().splitlines()
        else:
            yield f"seat {game.seat}, {game.phase}"
        yield f"legal: {_summary(game, legal)}"
        yield f"=> {text}" + (" (forced)" if forced else "")
        game.step(action)
    result = game.result()
    yield f"\n--- over: {result.reason}, decided by {result.decided_by}"
    for p, seat in enumerate(result.seats):
        yield f"seat {p}: " + ", ".join(f"{name} {value}" for name, value in asdict(seat).items())


def _summary(game: Game, legal: list[int]) -> str:
    stations = [action for action in legal if actions.STATION <= action < actions.PAY]
    texts = [game.describe(action) for action in legal if action not in stations]
    if stations:
        texts.append(f"station in one of {len(stations)} cities")
    return "; ".join(texts)


def path(preset: str) -> Path:
    """Where a preset's game is recorded."""
    return FOLDER / f"{preset}.txt"


def main() -> None:
    """Record all games."""
    for preset in GAMES:
        path(preset).write_text(playthrough(preset), encoding="utf-8")
        print(f"recorded {path(preset)}")


if __name__ == "__main__":
    main()
