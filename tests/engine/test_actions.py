"""The action codes: encode and decode, and the texts that people read."""

from __future__ import annotations

from random import Random

import pytest

from ttr_sim.engine import Game, Position, actions
from ttr_sim.engine.layout import LOCO

from .games import POLICIES, TABLES, board_of, new_game, rules_of


def encode(kind: str, x: int, y: int) -> int:
    """The inverse of `actions.decode`."""
    plain = {
        "blind": actions.BLIND,
        "tickets": actions.TICKETS,
        "pass": actions.PASS,
        "take_back": actions.TAKE_BACK,
    }
    if kind in plain:
        return plain[kind]
    return actions.pay(x, y) if kind == "pay" else int(getattr(actions, kind)(x))


def test_every_code_is_decoded_and_encoded() -> None:
    parts = [actions.decode(code) for code in range(actions.N_ACTIONS)]
    assert [encode(*part) for part in parts] == list(range(actions.N_ACTIONS))
    assert len(set(parts)) == actions.N_ACTIONS == 388


@pytest.mark.parametrize(
    ("code", "parts"),
    [
        (0, ("take", 0, 0)),
        (8, ("take", 8, 0)),
        (9, ("blind", 0, 0)),
        (10, ("tickets", 0, 0)),
        (11, ("pass", 0, 0)),
        (12, ("claim", 0, 0)),
        (139, ("claim", 127, 0)),
        (140, ("station", 0, 0)),
        (203, ("station", 63, 0)),
        (204, ("pay", 0, 0)),
        (204 + 10 * 6 + 1, ("pay", 6, 1)),
        (293, ("pay", 8, 9)),
        (294, ("sets", 0, 0)),
        (303, ("sets", 9, 0)),
        (304, ("card", 0, 0)),
        (312, ("card", 8, 0)),
        (313, ("extra", 0, 0)),
        (322, ("extra", 9, 0)),
        (323, ("take_back", 0, 0)),
        (325, ("keep", 1, 0)),
        (387, ("keep", 63, 0)),
    ],
)
def test_the_numbers_are_fixed(code: int, parts: tuple[str, int, int]) -> None:
    """Logs of games hold these numbers."""
    assert actions.decode(code) == parts


@pytest.mark.parametrize("code", [-1, 388, 10**9])
def test_other_numbers_are_no_actions(code: int) -> None:
    with pytest.raises(ValueError, match=f"{code} is not an action"):
        actions.decode(code)


def test_of_kept_tickets_others_see_the_number() -> None:
    assert actions.public(actions.keep(0b101)) == actions.public(actions.keep(0b110)) == actions.keep(0b11)
    assert actions.public(actions.keep(0b1000)) == actions.keep(1)
    for code in range(actions.KEEP):
        assert actions.public(code) == code


# Texts


def track(game: Game, track_id: str) -> int:
    return actions.claim([t.id for t in game.board.tracks].index(track_id))


def city(game: Game, city_id: str) -> int:
    return actions.station([c.id for c in game.board.cities].index(city_id))


def texts(game: Game) -> list[str]:
    return [game.describe(action) for action in game.legal()]


def test_texts_of_a_turn() -> None:
    position = Position(board_of("europe"), rules_of("europe"))
    game = position.hand(0, "RRRRL").market("RGYKB").build()
    found = texts(game)
    assert found[:6] == ["take blue", "take yellow", "take black", "take red", "take green", "draw blind"]
    assert found[6] == "draw tickets"
    assert "claim Paris–Zürich (tunnel, 3)" in found
    assert "claim Frankfurt–Paris white (3)" not in found
    assert game.describe(track(game, "frankfurt-paris-1")) == "claim Frankfurt–Paris white (3)"
    assert game.describe(track(game, "palermo-smyrna")) == "claim Palermo–Smyrna (ferry, 6)"
    assert game.describe(actions.take(LOCO)) == "take locomotive"
    assert "station in Zürich" in found
    assert game.describe(actions.PASS) == "pass"


def test_texts_of_payments_and_tunnels() -> None:
    position = Position(board_of("europe"), rules_of("europe"))
    game = position.hand(0, "YYYYYLLL").deck("YLR").build()
    game.step(track(game, "munchen-zurich"))
    assert texts(game) == ["pay 2 yellow", "pay 1 yellow + 1 locomotive", "pay 2 locomotives"]
    game.step(actions.pay(3, 0))
    assert texts(game) == [
        "pay extra 2 yellow",
        "pay extra 1 yellow + 1 locomotive",
        "pay extra 2 locomotives",
        "take the payment back",
    ]


@pytest.mark.parametrize(
    ("preset", "expected"),
    [
        ("europe", ["pay 2 red", "pay 1 red + 1 locomotive"]),
        ("europe-zh", ["pay 1 blue", "pay 1 red", "pay 1 locomotive"]),
    ],
)
def test_texts_of_a_second_station(preset: str, expected: list[str]) -> None:
    position = Position(board_of(preset), rules_of(preset))
    game = position.hand(0, "RRBL").station(0, "roma").build()
    game.step(city(game, "wien"))
    found = texts(game)
    assert [text for text in found if "blue + " not in text] == expected
    assert [game.view(0).describe(action) for action in game.legal()] == found


def test_texts_of_substitute_sets() -> None:
    game = Position(board_of("nordic"), rules_of("nordic")).hand(0, "OORBWL").build()
    game.step(track(game, "kristiansand-stavanger-1"))
    found = texts(game)
    assert "pay orange" in found
    assert "pay orange + 1 locomotive" in found
    game.step(actions.pay(4, 0))
    assert texts(game) == ["use 1 substitute set"]
    game.step(actions.sets(1))
    assert texts(game)[:2] == ["add 1 white", "add 1 blue"]


def test_texts_of_mixed_colors() -> None:
    game = Position(board_of("europe-fa"), rules_of("europe-fa")).hand(0, "YYRRBBLLLLLL").build()
    game.step(track(game, "palermo-smyrna"))
    assert texts(game) == [
        "pay other cards + 2 locomotives",
        "pay other cards + 3 locomotives",
        "pay other cards + 4 locomotives",
        "pay other cards + 5 locomotives",
        "pay 6 locomotives",
    ]


def test_texts_of_tickets() -> None:
    game = (
        Position(board_of("usa"), rules_of("usa")).ticket_deck("atlanta-montreal", "atlanta-new_york").build()
    )
    game.step(actions.TICKETS)
    assert texts(game) == [
        "keep Atlanta–Montréal 9",
        "keep Atlanta–New York 6",
        "keep Atlanta–Montréal 9, Atlanta–New York 6",
    ]
    others = game.view(1)
    assert others.describe(actions.keep(0b11)) == "keep 2 tickets"


def test_texts_without_a_position() -> None:
    board = board_of("europe")
    assert actions.describe(board, actions.pay(6, 1)) == "pay red + 1 locomotive"
    assert actions.describe(board, actions.pay(6, 0)) == "pay red"
    assert actions.describe(board, actions.pay(8, 3)) == "pay 3 locomotives"
    assert actions.describe(board, actions.extra(2)) == "pay extra with 2 locomotives"
    assert actions.describe(board, actions.keep(0b101)) == "keep tickets 1, 3"
    for code in range(actions.N_ACTIONS):
        kind, x, _ = actions.decode(code)
        if (kind == "claim" and x >= len(board.tracks)) or (kind == "station" and x >= len(board.cities)):
            with pytest.raises(IndexError):
                actions.describe(board, code)
        else:
            assert actions.describe(board, code)


@pytest.mark.parametrize(("preset", "players"), TABLES)
def test_legal_actions_differ_in_their_texts(preset: str, players: int) -> None:
    game, rng = new_game(preset, players, 3), Random(players)
    for _ in range(300):
        if game.is_over:
            break
        found = texts(game)
        assert len(set(found)) == len(found)
        assert all(text and text == text.strip() and "\n" not in text for text in found)
        game.step(POLICIES[rng.choice(["uniform", "claimer", "hoarder"])](rng, game, game.legal()))
