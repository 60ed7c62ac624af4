"""Tournament files: what they say, and one line for everything that may be wrong in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttr_sim import paths
from ttr_sim.errors import TtrError
from ttr_sim.tournament.ask import Entry, ask_settings
from ttr_sim.tournament.config import Tournament, read_tournament

WHOLE = """
about = "All keys."
bots = ["greedy", "own/bot.py:level=2", { bot = "mcts", label = "deep", parameters = { iterations = 9, playout = "plan" } }]
board = "my/board"
rules = ["europe", "rules/mine.toml"]
players = 3
games = 90
format = "gauntlet"
seed = 18446744073709551615
until_error = 12.5
explain = true

[options]
turn_limit = 60
[options.draw_tickets]
keep_min = 2

[limits]
time_per_decision = 1.5
memory_per_worker = "1G"
max_forfeits = 3
"""


def read(folder: Path, text: str) -> Tournament:
    (folder / "cup.toml").write_text(text)
    return read_tournament(folder / "cup.toml")


def test_everything_at_once(tmp_path: Path) -> None:
    found = read(tmp_path, WHOLE)
    assert found.name == "cup"
    assert found.values == {
        "games": 90,
        "players": 3,
        "format": "gauntlet",
        "seed": 2**64 - 1,
        "until_error": 12.5,
        "explain": True,
    }
    own = f"{tmp_path}/own/bot.py:level=2"
    assert found.entries == [
        Entry("greedy", "greedy"),
        Entry(own, "own/bot.py:level=2"),
        Entry("mcts:iterations=9:playout=plan", "deep"),
    ]
    assert found.boards == [f"{tmp_path}/my/board"]
    assert found.rules == ["europe", f"{tmp_path}/rules/mine.toml"]
    assert found.options == {"turn_limit": 60, "draw_tickets": {"keep_min": 2}}
    assert found.limits.given() == {
        "time_per_decision": 1.5,
        "memory_per_worker": 1 << 30,
        "max_forfeits": 3,
    }


def test_nothing_asked_for(tmp_path: Path) -> None:
    found = read(tmp_path, "")
    assert (found.values, found.entries, found.limits.given()) == ({}, [], {})
    assert [(s.board.name, s.rules.name) for s in found.settings()] == [("europe", "europe")]
    with pytest.raises(TtrError, match="--bots must name the bots"):
        found.field()


WRONG = {
    "unknown key": ("game = 3", "unknown key 'game' (did you mean 'games'?)"),
    "unknown key of a bot": (
        'bots = [{ bots = "mcts" }]',
        "bots[0]: unknown key 'bots' (did you mean 'bot'?)",
    ),
    "unknown limit": (
        "[limits]\nmax_forfeit = 1",
        "limits: unknown key 'max_forfeit' (did you mean 'max_forfeits'?)",
    ),
    "limit out of range": ("[limits]\nmax_forfeits = -1", "limits.max_forfeits must be a whole number"),
    "not TOML": ("games = ", "not valid TOML"),
    "games": ('games = "many"', "games must be a whole number from 1 to 1000000000, not 'many'"),
    "games not whole": ("games = 1.5", "games must be a whole number"),
    "games true": ("games = true", "games must be a whole number"),
    "no games": ("games = 0", "games must be a whole number from 1"),
    "players": ("players = 9", "players must be a whole number from 2 to 5, not 9"),
    "format": ('format = "swiss"', "format must be one of round-robin, gauntlet, table, not 'swiss'"),
    "until_error": ("until_error = -1", "until_error must be a number above 0, not -1"),
    "until_error inf": ("until_error = inf", "until_error must be a number above 0"),
    "explain": ("explain = 1", "explain must be true or false, not 1"),
    "no bots": ("bots = []", "bots must be a list of bots, not []"),
    "bots as text": ('bots = "a,b"', "bots must be a list of bots, not 'a,b'"),
    "bot without name": ('bots = [{ label = "x" }]', "bots[0].bot is missing"),
    "bot number": ("bots = [3]", "bots[0] must be a table, not 3"),
    "label twice": (
        'bots = [{ bot = "mcts", label = "x" }, { bot = "greedy", label = "x" }]',
        "bots: the label 'x' is given twice",
    ),
    "label with line end": (
        'bots = [{ bot = "mcts", label = "x\\ny" }]',
        "bots[0].label must be one line of text",
    ),
    "parameter": (
        'bots = [{ bot = "mcts", parameters = { iterations = [1] } }]',
        "bots[0].parameters.iterations must be a number",
    ),
    "parameter with colon": (
        'bots = [{ bot = "mcts", parameters = { a = "b:c" } }]',
        "a text without a colon",
    ),
    "board": ("board = 3", "board must be one line of text, not 3"),
    "boards": ('board = ["usa", 3]', "board[1] must be one line of text, not 3"),
    "options": ("options = 3", "options must be a table, not 3"),
    "limits": ("limits = 3", "limits must be a table, not 3"),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_one_line_that_names_file_and_key(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(TtrError) as error:
        read(tmp_path, text)
    assert str(error.value).startswith(f"{tmp_path}/cup.toml: ")
    assert message in str(error.value)


def test_wrong_options_of_the_rules(tmp_path: Path) -> None:
    with pytest.raises(TtrError, match=r"cup\.toml: options: .*unknown option 'turnlimit'"):
        read(tmp_path, "[options]\nturnlimit = 3").settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('bots = ["greedy", "gready"]', "bots[1]: unknown bot 'gready' (did you mean 'greedy'?)"),
        (
            'bots = [{ bot = "mcts", parameters = { iterations = 1.5 } }]',
            "parameter iterations: '1.5' is not a whole",
        ),
        (
            'bots = [{ bot = "mcts", parameters = { depht = 1 } }]',
            "unknown parameter 'depht' (did you mean 'depth'?)",
        ),
        ('bots = ["./none.py"]', "bots[0]: no bot file "),
        ('board = "europa"', "unknown board 'europa' (did you mean 'europe'?)"),
        ('rules = ["usa", "./none.toml"]', "no rules preset file "),
        ('board = ["usa", "europe"]\nrules = ["usa", "usa", "usa"]', "--board names 2 boards and --rules 3"),
    ],
)
def test_what_it_names_must_be_there(tmp_path: Path, text: str, message: str) -> None:
    found = read(tmp_path, text)
    with pytest.raises(TtrError) as error:
        (found.field if "bots" in text else found.settings)()
    assert str(error.value).startswith(f"{tmp_path}/cup.toml: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("boards", "rules", "expected"),
    [
        ([], [], ["europe/europe"]),
        (["usa", "nordic"], [], ["usa/usa", "nordic/nordic"]),
        ([], ["nordic-zh", "usa"], ["nordic/nordic-zh", "usa/usa"]),
        (["europe"], ["europe", "europe-zh"], ["europe/europe", "europe/europe-zh"]),
        (["europe", "nordic"], ["europe"], ["europe/europe", "nordic/europe"]),
        (["europe", "nordic"], ["europe-zh", "nordic-zh"], ["europe/europe-zh", "nordic/nordic-zh"]),
        (["usa", "usa"], [], ["usa/usa"]),
    ],
)
def test_which_boards_go_with_which_rules(boards: list[str], rules: list[str], expected: list[str]) -> None:
    assert [f"{s.board.name}/{s.rules.name}" for s in ask_settings(boards, rules)] == expected


def test_two_boards_and_three_rules_do_not_pair() -> None:
    with pytest.raises(TtrError, match="--board names 2 boards and --rules 3 rules; name as many of both"):
        ask_settings(["usa", "europe"], ["europe", "usa", "nordic"])


@pytest.mark.parametrize("name", [*paths.available(paths.TOURNAMENT)])
def test_shipped_tournaments(name: str) -> None:
    found = read_tournament(paths.find(paths.TOURNAMENT, name))
    field = found.field()
    assert len(field.bots) >= 2
    assert found.settings()
