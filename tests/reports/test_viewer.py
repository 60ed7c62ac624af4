"""The data and the page of a game, without a browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.reports.evil import SCRIPT
from ttr_sim.errors import TtrError
from ttr_sim.reports.viewer.logged import logged_page
from ttr_sim.reports.viewer.page import json_in_html
from ttr_sim.results.reader import open_run


def data_of(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def rows(run: Path, table: str) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = pq.read_table(run / table / "part-00000.parquet").to_pylist()
    return read


def finished(run: Path) -> int:
    return next(row["game"] for row in rows(run, "games") if row["end"] not in ("forfeit", "worker_died"))


@pytest.fixture(scope="module")
def page(evil: Path) -> str:
    return logged_page(open_run(evil), finished(evil))


def test_the_game_is_the_logged_one(evil: Path, page: str) -> None:
    data, number = data_of(page), finished(evil)
    row = rows(evil, "games")[number]
    seats = [seat for seat in rows(evil, "seats") if seat["game"] == number]
    last = data["frames"][-1]
    assert [seat["score"] for seat in last["seats"]] == [seat["score"] for seat in seats]
    assert [seat["points"] for seat in last["seats"]] == [seat["route_points"] for seat in seats]
    assert [seat["rank"] for seat in data["result"]["seats"]] == [seat["rank"] for seat in seats]
    assert last["turn"] == row["turns"] and last["phase"] == "OVER"
    assert len(data["frames"]) == len(data["steps"]) + 1
    assert sum(not step["forced"] for step in data["steps"]) == len(row["actions"])
    tracks = [gain for step in data["steps"] for gain in step["gained"] if gain[0] == "track"]
    for seat in seats:
        assert sum(owner == seat["seat"] for _, _, owner in tracks) == seat["routes"]


def test_secrets_are_marked(page: str) -> None:
    for step in data_of(page)["steps"]:
        secret = step["kind"] in ("blind", "tickets", "keep")
        assert bool(step.get("secret")) == secret
        if step["kind"] == "keep":
            assert re.fullmatch(r"keep \d tickets?", step["public"])


def test_what_bots_thought_is_kept_in_the_run(evil: Path, page: str) -> None:
    steps = data_of(page)["steps"]
    thinker = next(seat for seat, bot in enumerate(data_of(page)["bots"]) if bot != "greedy")
    asked = [step for step in steps if not step["forced"]]
    assert all(("thoughts" in step) == (step["seat"] == thinker) for step in asked)
    told = next(step["thoughts"] for step in asked if step["seat"] == thinker)
    assert told["measures"] == ["visits", "expected score"]
    taken = [row for row in told["rows"] if row["taken"]]
    assert len(taken) == 1
    assert taken[0]["values"][1] == max(row["values"][1] for row in told["rows"])
    first = [row["values"][0] for row in told["rows"]]
    assert first == sorted(first, reverse=True)


def test_names_stay_text(page: str) -> None:
    assert SCRIPT not in page
    assert "<img" not in page
    assert page.count("<script") == 2  # the data and the page's own
    assert SCRIPT in data_of(page)["board"]["cities"]


def test_one_file_that_asks_for_nothing(page: str) -> None:
    outside = {address for address in re.findall(r"https?://[^\s\"'<>)]+", page)}
    assert outside == {"http://www.w3.org/2000/svg"}  # the name of SVG, which nothing loads
    assert "default-src 'none'" in page


def test_json_cannot_end_its_element() -> None:
    nasty = {"a": "</script><!--", "b": "&lt;"}
    text = json_in_html(nasty)
    assert not set("<>&") & set(text)
    assert json.loads(text) == nasty


def test_a_forfeit_says_why(evil: Path) -> None:
    number = next(row["game"] for row in rows(evil, "games") if row["end"] == "forfeit")
    data = data_of(logged_page(open_run(evil), number))
    assert "forfeits: RuntimeError: </script>" in data["ending"]
    assert not data["over"]


def test_bots_are_asked_again(evil: Path, page: str) -> None:
    kept = evil / "explain" / "part-00000.parquet"
    aside = kept.rename(kept.with_suffix(".aside"))
    try:
        assert (
            "thoughts"
            not in data_of(logged_page(open_run(evil, as_written=False), finished(evil)))["steps"][0]
        )
        again = data_of(logged_page(open_run(evil, as_written=False), finished(evil), explain=True))
    finally:
        aside.rename(kept)
    assert again == {**data_of(page), "asked": True}


def test_changed_bots_are_not_asked_again(evil: Path) -> None:
    kept = evil / "explain" / "part-00000.parquet"
    bot = evil.parent / "<img src=x onerror=alert(1)>.py"
    before = bot.read_text()
    aside = kept.rename(kept.with_suffix(".aside"))
    bot.write_text(f"{before}\n# changed\n")
    try:
        with pytest.raises(TtrError, match=r"--explain: the bots cannot be asked again: .*sha256 is"):
            logged_page(open_run(evil, as_written=False), finished(evil), explain=True)
    finally:
        bot.write_text(before)
        aside.rename(kept)
