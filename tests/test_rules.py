"""Rules: the seven presets against the documented ones, and every mistake a preset can have."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from ttr_sim.board import load_board
from ttr_sim.errors import TtrError
from ttr_sim.rules import OPTIONS, Rules, check_fit, load_rules, parse_option, rules_from_options

PRESETS: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "presets.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", PRESETS)
def test_presets(name: str) -> None:
    rules = load_rules(name)
    assert {"board": rules.board, **rules.options()} == PRESETS[name]
    assert rules.name == name
    assert rules.about
    for players in range(rules.players[0], rules.players[1] + 1):
        check_fit(load_board(rules.board), rules, players)


def test_rules_are_values() -> None:
    rules = load_rules("europe")
    assert rules == load_rules("europe")
    assert hash(rules) == hash(load_rules("europe"))
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert rules.sha256 == rules_from_options(rules.options(), "other").sha256
    assert rules.sha256 != load_rules("europe-en").sha256
    assert rules_from_options(rules.options(), "europe", rules.board, rules.about) == rules


def test_every_option_says_what_it_means() -> None:
    top = {name.split(".")[0] for name in OPTIONS}
    assert top == set(PRESETS["usa"]) - {"board"}
    assert all(option.meaning.endswith(".") for option in OPTIONS.values())


def test_with_options() -> None:
    rules = load_rules("europe")
    changed = rules.with_options({"turn_limit": 50, "draw_tickets.keep_min": 2, "route_points": {"7": 18}})
    assert (changed.turn_limit, changed.draw_tickets.draw, changed.draw_tickets.keep_min) == (50, 3, 2)
    assert changed.route_points == {**rules.route_points, 7: 18}
    assert changed.name == "europe+draw_tickets.keep_min=2+route_points.7=18+turn_limit=50"
    assert rules.with_options({"turn_limit": 300}) == rules
    assert rules.with_options({"players": (2, 3), "tie_breaks": ()}).tie_breaks == ()


# option, value, what the one-line error says
MISTAKES = [
    ("turn_limt", 50, "unknown option 'turn_limt' (did you mean 'turn_limit'?); there are: all_trains_bonus"),
    ("draw_tickets.keep", 1, "unknown option 'draw_tickets.keep' (did you mean 'draw_tickets.keep_min'?)"),
    ("turn_limit", -1, "turn_limit must be a whole number from 0 to 30000, not -1"),
    ("turn_limit", "50", "turn_limit must be a whole number from 0 to 30000, not '50'"),
    ("turn_limit", True, "turn_limit must be a whole number from 0 to 30000, not True"),
    ("turn_limit", 50.0, "turn_limit must be a whole number from 0 to 30000, not 50.0"),
    ("trains_per_player", 61, "trains_per_player must be a whole number from 1 to 60"),
    ("stations_per_player", 6, "stations_per_player must be a whole number from 0 to 5"),
    ("market_size", 0, "market_size must be a whole number from 1 to 10"),
    ("market_size", 11, "market_size must be a whole number from 1 to 10"),
    ("ticket_pool", "both", "ticket_pool must be one of split, single, not 'both'"),
    ("ticket_pool", ["split"], "ticket_pool must be one of split, single, not ['split']"),
    ("players", [1, 5], "players must be [least, most] from 2 to 5, not [1, 5]"),
    ("players", [2, 6], "players must be [least, most] from 2 to 5, not [2, 6]"),
    ("players", [4, 3], "players must be [least, most] from 2 to 5, not [4, 3]"),
    ("players", 4, "players must be [least, most]"),
    ("players", [2, True], "players must be [least, most]"),
    ("tie_breaks", "most_completed_tickets", "tie_breaks must be a list of most_completed_tickets"),
    ("tie_breaks", ["luck"], "tie_breaks must be a list of most_completed_tickets, fewest_stations_used"),
    ("tie_breaks", ["fewest_trains_left"] * 2, "'fewest_trains_left' stands there twice"),
    ("route_points", {"10": 40}, "route_points.10: lengths must be from 1 to 9"),
    ("route_points", {"0": 0}, "route_points.0: lengths must be from 1 to 9"),
    ("route_points", {"1": -1}, "route_points.1 must be a whole number from 0 to 100, not -1"),
    ("route_points", 3, "route_points must be a table, not 3"),
    ("tickets_setup", [1, 3, 2], "tickets_setup must be a table, not [1, 3, 2]"),
    ("tickets_setup", {"deal": 6}, "tickets_setup: deal_long + deal must be from 1 to 6, not 7"),
    (
        "tickets_setup",
        {"deal_long": 0, "deal": 0},
        "tickets_setup: deal_long + deal must be from 1 to 6, not 0",
    ),
    ("tickets_setup.keep_min", 5, "tickets_setup.keep_min must be at most the 4 dealt, not 5"),
    ("draw_tickets.draw", 7, "draw_tickets.draw must be a whole number from 1 to 6, not 7"),
    ("draw_tickets.keep_min", 4, "draw_tickets.keep_min must be at most the 3 drawn, not 4"),
    ("ticket_pool", "single", "tickets_setup.deal_long must be 0 with ticket_pool single, not 1"),
]


@pytest.mark.parametrize(("option", "value", "says"), MISTAKES)
def test_mistakes(option: str, value: object, says: str, tmp_path: Path) -> None:
    """The same mistake as an override and in a file, which is then named."""
    with pytest.raises(TtrError) as caught:
        load_rules("europe").with_options({option: value})
    assert says in str(caught.value)
    file = tmp_path / "mine.toml"
    message = error_of(file, f'base = "europe"\n{option} = {toml(value)}\n')
    assert message.startswith(f"{file}: ")
    assert says in message


def toml(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {part}" for key, part in value.items()) + "}"
    return json.dumps(value)


def error_of(file: Path, text: str) -> str:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TtrError) as caught:
        load_rules(file)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_base_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.toml").write_text('base = "europe"\nabout = "mine"\nturn_limit = 9\n')
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "two.toml").write_text('base = "../one.toml"\nboard = "./b"\nmarket_size = 6\n')
    rules = load_rules(tmp_path / "deep" / "two.toml")
    assert (rules.name, rules.about, rules.board) == ("two", "", "./b")
    assert (rules.turn_limit, rules.market_size, rules.initial_hand) == (9, 6, 4)
    monkeypatch.chdir(tmp_path)
    assert load_rules("one.toml").about == "mine"


def test_wrong_base_and_missing_parts(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert "base goes round in a circle: mine.toml -> mine.toml" in error_of(file, 'base = "mine.toml"\n')
    assert "base: unknown rules preset 'europ' (did you mean" in error_of(file, 'base = "europ"\n')
    assert "base: no rules preset file" in error_of(file, 'base = "nix.toml"\n')
    assert "base must be one line of text, not 3" in error_of(file, "base = 3\n")
    assert "option players is missing; give every option, or a base" in error_of(file, 'board = "usa"\n')
    assert "board is missing" in error_of(file, "")
    assert "not valid TOML" in error_of(file, "a = \n")
    everything = "\n".join(f"{key} = {toml(value)}" for key, value in PRESETS["usa"].items())
    without = everything.replace(f"route_points = {toml(PRESETS['usa']['route_points'])}", "")
    assert "option route_points is missing" in error_of(file, without)
    file.write_bytes(b"\xff")
    with pytest.raises(TtrError, match="row 1: is not UTF-8 text"):
        load_rules(file)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("turn_limit=50", ("turn_limit", 50)),
        ("ticket_pool=single", ("ticket_pool", "single")),
        ('ticket_pool="single"', ("ticket_pool", "single")),
        ("tie_breaks=['fewest_trains_left']", ("tie_breaks", ["fewest_trains_left"])),
        ("draw_tickets={draw=4}", ("draw_tickets", {"draw": 4})),
        ("turn_limit=", ("turn_limit", "")),
    ],
)
def test_parse_option(text: str, expected: tuple[str, Any]) -> None:
    assert parse_option(text) == expected


def test_parse_option_without_value() -> None:
    with pytest.raises(TtrError, match="must be key=value"):
        parse_option("turn_limit")


def rules_with(**changes: Any) -> Rules:
    return load_rules("europe").with_options(changes)


@pytest.mark.parametrize(
    ("board", "rules", "players", "says"),
    [
        ("nordic", load_rules("nordic"), 4, "rules 'nordic' are for 2 to 3 players, not 4"),
        ("europe", load_rules("europe"), 1, "rules 'europe' are for 2 to 5 players, not 1"),
        ("usa", load_rules("europe"), None, "2 players are dealt 2 long tickets, the board has 0"),
        (
            "europe",
            rules_with(tickets_setup={"deal_long": 2}),
            4,
            "4 players are dealt 8 long tickets, the board has 6",
        ),
        (
            "usa",
            load_rules("nordic").with_options({"players": [2, 5], "tickets_setup": {"deal": 6}}),
            5,
            None,
        ),
        ("europe", rules_with(initial_hand=22), 5, "5 hands and the market need 115 cards, there are 110"),
        ("europe", rules_with(initial_hand=21), 5, None),
    ],
)
def test_check_fit(board: str, rules: Rules, players: int | None, says: str | None) -> None:
    if says is None:
        check_fit(load_board(board), rules, players)
        return
    with pytest.raises(TtrError) as caught:
        check_fit(load_board(board), rules, players)
    assert says in str(caught.value)


def test_check_fit_wants_points_for_every_length() -> None:
    options = load_rules("usa").options()
    del options["route_points"]["5"]
    with pytest.raises(TtrError, match="has tracks of length 5, route_points has no such length"):
        check_fit(load_board("usa"), rules_from_options(options, "mine"))
