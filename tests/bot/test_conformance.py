"""The checks of bots: good bots pass, and each kind of bad bot is found by the check for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ttr_sim.bot.conformance import games, places
from ttr_sim.bot.conformance.check import Findings, Subject
from ttr_sim.bot.conformance.odd import odd_positions
from ttr_sim.bot.conformance.report import check_in_process
from ttr_sim.bot.specs import parse_spec

HEAD = "import os, random, sys, time\nimport numpy as np\nfrom ttr_sim.bot import Bot\nSTATE = []\n\n"
BODIES = {
    "first": "return view.legal[0]",
    "shared_random": "return random.choice(view.legal)",
    "shared_numpy": "return view.legal[int(np.random.randint(len(view.legal)))]",
    "module_state": "STATE.append(1); return view.legal[len(STATE) % len(view.legal)]",
    "hashes": "return int(min({str(a) for a in view.legal}, key=hash))",
    "wrong_turn": "return 11 if view.phase == 'TURN' else view.legal[0]",
    "late": "1 / (view.deck_size + sum(view.discards)); return view.legal[0]",
    "text": "return str(view.legal[0])",
    "slow": "time.sleep(0.002); return view.legal[0]",
    "hangs": "time.sleep(1000)",
    "leaves": "os._exit(5)",
    "peeks": (
        "table = sys._getframe(1).f_locals['table']; S = table.buffers.state[0]; "
        "return view.legal[int(S['deck'][int(S['deck_n']) - 1]) % len(view.legal)]"
    ),
}


@pytest.fixture
def subject(tmp_path: Path) -> Callable[[str], Subject]:
    def make(name: str) -> Subject:
        file = tmp_path / f"{name}.py"
        file.write_text(f"{HEAD}class Made(Bot):\n    def choose(self, view):\n        {BODIES[name]}\n")
        made = Subject(parse_spec(str(file)), 0.15, lambda: None)
        made.__dict__["decision_s"] = 0.001  # games of a few turns
        return made

    return make


Make = Callable[[str], Subject]


def test_a_good_bot_passes(subject: Make) -> None:
    one = subject("first")
    before = games.random_states()
    timing: dict[str, float] = {}
    found = [
        games.plays(one, timing),
        games.speed(one, timing),
        games.determinism(one, lambda seconds: games.same_games(one)),
        games.copies(one),
        places.odd(one),
        places.random_walks(one),
        places.hidden(one),
        games.shared_chance(before, games.random_states()),
    ]
    assert [finding.problems for finding in found] == [[]] * len(found)
    assert found[0].detail.startswith("24 games, of ")
    assert timing["decisions"] > 100


@pytest.mark.parametrize(
    ("name", "check", "message"),
    [
        ("wrong_turn", lambda s: games.plays(s, {}), "seed 1, seat 0: illegal action 11 (pass)"),
        ("text", lambda s: games.plays(s, {}), "is no whole number"),
        ("module_state", lambda s: games.determinism(s, lambda _: []), "seed 1, decision 1: played again"),
        (
            "hashes",
            lambda s: games.determinism(s, lambda _: [[]] * 6),
            "in another process it goes another way",
        ),
        ("module_state", games.copies, "another decision while another copy plays"),
        ("late", places.odd, "nothing to draw, TURN: ZeroDivisionError"),
        ("peeks", places.hidden, "when only hidden cards and tickets differ"),
    ],
)
def test_bad_bots(name: str, check: Callable[[Subject], Findings], message: str, subject: Make) -> None:
    assert any(message in problem for problem in check(subject(name)).problems)


def test_speed(subject: Make) -> None:
    slow = subject("slow")
    slow.max_ms = 1.0
    timing: dict[str, float] = {"mean_ms": 2.5, "slowest_ms": 3.0}
    assert "2.5 ms; must be at most 1 ms" in games.speed(slow, timing).problems[0]
    assert games.speed(slow, {}).detail.startswith("not measured")


@pytest.mark.parametrize(
    ("name", "generator"), [("shared_random", "random"), ("shared_numpy", "numpy.random")]
)
def test_shared_chance(name: str, generator: str, subject: Make) -> None:
    before = games.random_states()
    games.copies(subject(name))
    problems = games.shared_chance(before, games.random_states()).problems
    assert [problem.split(":")[0] for problem in problems] == [generator]


def test_a_bot_that_answers_by_chance_is_not_accused_of_peeking(subject: Make) -> None:
    found = places.hidden(subject("shared_random"))
    assert found.problems == []
    assert found.detail.startswith("not tested: asked twice the same")


def test_odd_positions_are_many_and_have_something_to_decide() -> None:
    found = list(odd_positions())
    assert len(found) > 100
    assert all(len(game.legal()) > 1 for _, game in found)
    assert {game.rules.name for _, game in found} >= {"europe", "nordic", "usa", "europe-zh"}
    assert len({name for name, _ in found}) >= 20


@pytest.mark.parametrize(
    ("name", "message"),
    [("hangs", "no answer for 3 s: does it hang?"), ("leaves", "the process ended with exit code 5")],
)
def test_a_bot_that_takes_its_process_along(name: str, message: str, subject: Make) -> None:
    heard: list[str] = []
    verdicts, timing = check_in_process(
        subject(name).spec.label, patience=3, tell=lambda verdict: heard.append(verdict.name)
    )
    assert (verdicts[-1].ok, verdicts[-1].problems) == (False, (message,))
    assert heard == [verdict.name for verdict in verdicts]
    assert timing == {}
