"""Tuning: ranges, the search, the same result however it is played, and a result that is better."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ttr_sim.bot.params import Param
from ttr_sim.bot.specs import load_bot, parse_spec
from ttr_sim.errors import TtrError
from ttr_sim.tournament.tuning import tuner as module
from ttr_sim.tournament.tuning.matches import Book, duel_plan
from ttr_sim.tournament.tuning.search import POPULATION, Search
from ttr_sim.tournament.tuning.space import Axis, read_axes, with_values
from ttr_sim.tournament.tuning.tuner import new_tuner, resumed_tuner

from .fake import europe
from .strength import BEST_N, BEST_X, open_by_strength

BOT = '''"""x"""
from ttr_sim.bot import Bot

class Made(Bot):
    def __init__(self, *, x: float = 0.9, n: int = 2, name: str = "a"):
        pass

    def choose(self, view):
        return view.legal[0]
'''


@pytest.fixture
def bot(tmp_path: Path) -> str:
    file = tmp_path / "made.py"
    file.write_text(BOT)
    return str(file)


def asked(bot: str, **changes: Any) -> dict[str, Any]:
    return {
        "spec": f"{bot}:x=0.8",
        "params": ["x=0:1", "n=1:12"],
        "against": ["random"],
        "games": 1600,
        "board": None,
        "rules": None,
        "options": {},
        "players": 2,
        "seed": 5,
        **changes,
    }


def values(axis: Axis) -> list[Any]:
    return [axis.value(unit) for unit in np.linspace(0, 1, 201)]


def test_axes() -> None:
    whole = Axis("n", 2, 5, True, False)
    assert {n: values(whole).count(n) for n in (2, 3, 4, 5)} == {2: 50, 3: 50, 4: 50, 5: 51}
    ratio = Axis("x", 0.01, 100.0, False, True)
    assert ratio.value(0.5) == 1.0
    assert Axis("n", 1, 1000, True, True).value(0.5) == 32
    for axis in (whole, ratio, Axis("x", -1.5, 2.0, False, False)):
        assert (axis.value(-3.0), axis.value(7.0)) == (axis.low, axis.high)
        assert all(axis.value(axis.unit(value)) == value for value in values(axis))


def test_read_axes() -> None:
    spec = parse_spec("mcts")
    params = {
        "x": Param(0.7, 0.0, 10.0),
        "n": Param(20, 1, 9999),
        "on": Param(True),
        "how": Param("a", choices=("a",)),
    }
    assert read_axes(["x=0.5:2", "n=10:1000:log"], spec, params) == [
        Axis("x", 0.5, 2.0, False, False),
        Axis("n", 10, 1000, True, True),
    ]
    for text, message in (
        ("x", "--param 'x' must be name=low:high"),
        ("x=1", "must be x=low:high or x=low:high:log"),
        ("x=1:2:3", "must be x=low:high or x=low:high:log"),
        ("x=2:1", "the low end must be below the high end"),
        ("x=0:2:log", "a range with log must begin above 0"),
        ("x=0:11", "--param x=0:11: 11 is not a number from 0 to 10"),
        ("x=nan:1", "nan is not a number from 0 to 10"),
        ("n=1.5:3", "'1.5' is not a whole number from 1 to 9999"),
        ("on=0:1", "on is true or false; only numbers can be tuned"),
        ("how=0:1", "how is one of a; only numbers can be tuned"),
        ("nn=0:1", "unknown parameter 'nn' (did you mean 'n'?)"),
    ):
        with pytest.raises(TtrError) as raised:
            read_axes([text], spec, params)
        assert message in str(raised.value)
    with pytest.raises(TtrError, match="is given twice"):
        read_axes(["x=0:1", "x=0:2"], spec, params)
    with pytest.raises(TtrError, match="--param must name what to tune"):
        read_axes([], spec, params)


def test_with_values(bot: str) -> None:
    spec = with_values(parse_spec(f"{bot}:Made:x=0.8:name=b"), {"x": 0.25, "n": 3})
    assert spec.label == f"{bot}:Made:name=b:x=0.25:n=3"
    assert dict(spec.values) == {"x": 0.25, "n": 3, "name": "b"}


def test_search_asks_the_same_again() -> None:
    def run() -> list[Any]:
        search, found = Search([0.5, 0.5], 3), []
        for _ in range(4):
            points = search.ask()
            found.append(points)
            search.tell([-((x - 0.2) ** 2) - (y - 0.7) ** 2 for x, y in points])
        return [*found, search.middle]

    assert run() == run()
    assert len(run()[0]) == POPULATION
    assert all(0 <= x <= 1 for generation in run()[:-1] for point in generation for x in point)


def test_all_candidates_meet_the_same_deals(bot: str) -> None:
    spec = parse_spec(bot)
    candidates = [with_values(spec, {"x": x}) for x in (0.1, 0.2, 0.3)]
    opponents = [parse_spec("random"), parse_spec("greedy")]
    plan = duel_plan(europe(), candidates, opponents, players=3, blocks=4, seed=9)
    games = list(plan.schedule)
    assert len(games) == 4 * 3 * 2 * 3
    deals = {c: [game.seed for game in games if c in game.seats] for c in range(3)}
    assert deals[0] == deals[1] == deals[2]
    assert len(set(deals[0])) == 4
    line_ups = {frozenset(plan.labels[bot] for bot in game.seats) for game in games}
    assert line_ups == {
        frozenset([candidate.label, opponent, f"{opponent}#2"])
        for candidate in candidates
        for opponent in ("random", "greedy")
    }


def tune(path: Path, content: dict[str, Any], workers: int = 1) -> Any:
    return new_tuner(path, content).tune(workers=workers, opener=open_by_strength)


def test_finds_better_values_whatever_the_workers(bot: str, tmp_path: Path) -> None:
    found = tune(tmp_path / "one.json", asked(bot))
    assert found.verdict == "better"
    assert found.match.score_low > 0.55
    assert abs(found.new["x"] - BEST_X) < 0.15
    assert abs(found.new["n"] - BEST_N) <= 2
    assert found.old == {"x": 0.8, "n": 2}
    assert dict(found.best.values) == {**found.new, "name": "a"}
    assert found.generations == 10
    assert found.search_games + found.match.games <= 1600
    assert tune(tmp_path / "two.json", asked(bot), workers=2) == found
    assert (tmp_path / "two.json").read_bytes() == (tmp_path / "one.json").read_bytes()
    again = asked(bot, seed=6, games=200)
    assert tune(tmp_path / "seed.json", again).new != tune(tmp_path / "less.json", asked(bot, games=200)).new


def test_a_stopped_tuning_goes_on(bot: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tune(tmp_path / "whole.json", asked(bot, games=400))
    path, stops = tmp_path / "cut.json", 0
    real = module.play

    def cut(plan: Any, book: Book, **options: Any) -> bool:
        """Play a third of what is missing, then stop."""
        nonlocal stops
        missing = [n for part in options["missing"] for n in part]
        if len(missing) < 10:
            return real(plan, book, **options)
        stops += 1
        first = missing[: len(missing) // 3]
        real(plan, book, **{**options, "missing": [range(n, n + 1) for n in first]})
        return False

    monkeypatch.setattr(module, "play", cut)
    result = new_tuner(path, asked(bot, games=400)).tune(workers=1, opener=open_by_strength)
    while result is None:
        content = json.loads(path.read_text())
        assert None in content["playing"]
        result = resumed_tuner(path).tune(workers=1, opener=open_by_strength)
    assert stops > 5
    assert result == whole
    assert path.read_bytes() == (tmp_path / "whole.json").read_bytes()


def test_nothing_to_change(bot: str, tmp_path: Path) -> None:
    """One whole number whose old value is the best: nothing to verify."""
    content = asked(bot, spec=f"{bot}:n={BEST_N}", params=["n=6:8"], games=700)
    found = tune(tmp_path / "t.json", content)
    assert (found.verdict, found.match, found.new) == ("unchanged", None, {"n": BEST_N})


def test_an_opponent_that_never_wins_teaches_nothing(bot: str, tmp_path: Path) -> None:
    """All candidates win all games: the search stays where it is and does not drift."""
    content = asked(bot, spec=f"{bot}:n={BEST_N}", params=["x=0:1"], games=300)
    (tmp_path / "loser.py").write_text(BOT)
    content["against"] = [f"{tmp_path / 'loser.py'}:n=99"]
    found = tune(tmp_path / "t.json", content)
    assert (found.verdict, found.new) == ("unchanged", {"x": 0.9})


def test_refuses(bot: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    for changes, message in (
        ({"games": 50}, "--games must be at least 98, not 50"),
        ({"games": 0}, "--games must be from 1"),
        ({"seed": -1}, "--seed must be from 0"),
        ({"players": 9}, "not 9"),
        ({"against": []}, "--against must name"),
    ):
        with pytest.raises(TtrError) as raised:
            new_tuner(path, asked(bot, **changes))
        assert message in str(raised.value)
    assert not path.exists()


def test_refuses_a_file_that_does_not_fit(bot: str, tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    new_tuner(path, asked(bot))._save()
    with pytest.raises(TtrError, match="exists already"):
        new_tuner(path, asked(bot))
    good = path.read_text()
    for change, message in (
        (lambda c: c.pop("asked"), "is damaged: asked is missing"),
        (lambda c: c["asked"].pop("seed"), "is damaged: asked.seed is missing"),
        (lambda c: c.update(tune=9), "tune: is version 9"),
        (
            lambda c: c["generations"].append({"candidates": [{}], "scores": [1]}),
            "generations[0]: other candidates",
        ),
        (lambda c: c["made_of"]["bots"][0].update(sha256="0"), "bots[0].sha256 is"),
    ):
        content = json.loads(good)
        change(content)
        path.write_text(json.dumps(content))
        with pytest.raises(TtrError) as raised:
            resumed_tuner(path).tune(workers=1, opener=open_by_strength)
        assert message in str(raised.value)
    path.write_text("{")
    with pytest.raises(TtrError, match="not valid JSON"):
        resumed_tuner(path)


def test_old_values_outside_the_range_start_in_the_middle(bot: str, tmp_path: Path) -> None:
    found = new_tuner(tmp_path / "t.json", asked(bot, params=["x=0:0.5"]))
    assert found._start() == [0.5]
    assert load_bot(found.spec).params["x"].default == 0.9
