"""`ttr-sim play`: a person at the terminal, here through a pipe."""

from __future__ import annotations

import io
import re

import pytest

from ttr_sim.cli.main import main


def play(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    code = main(["play", "--bots", "human,greedy", "--seed", "4", *more])
    return code, capsys.readouterr().out


def test_a_whole_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out = play("1\n" * 2000, monkeypatch, capsys)
    assert code == 0
    assert "ended by final_round; decided by points" in out
    assert re.search(r"^seat 1 greedy had the tickets .*\d$", out, re.MULTILINE)
    score = next(line for line in out.splitlines() if line.startswith("score"))
    assert len(score.split()) == 3
    # The same seed and the same choices are the same game.
    assert play("1\n" * 2000, monkeypatch, capsys)[1] == out


@pytest.mark.parametrize("text", ["", "1\n", "1\nquit\n1\n1\n", "1\nq\n"])
def test_leaving_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    code, out = play(text, monkeypatch, capsys)
    assert code == 0
    assert out.endswith("left the game\n")


def test_nothing_hidden_is_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, out = play("1\n" * 2000, monkeypatch, capsys)
    told, _, end = out.partition("\nended by")
    tickets = re.findall(r"seat 1 greedy had the tickets (.*)", end)[0].split(", ")
    own = re.findall(r"seat 0 human had the tickets (.*)", end)[0].split(", ")
    for ticket in set(tickets) - set(own):
        assert ticket not in told
    assert re.search(r"seat 1 greedy: keep \d tickets?$", told, re.MULTILINE)
    assert "seat 1 greedy: draw blind\n" in told


def test_what_can_be_typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    typed = ["1", "help", "map zürich", "map nowhere", "state", "wien", "xyzzy", "0", "999"]
    _, out = play("\n".join(typed) + "\n", monkeypatch, capsys)
    assert out.count("a number     take that choice") == 2  # at the start, and when asked for
    assert "Paris–Zürich: 3 gray tunnel · open" in out
    assert "no city has 'nowhere' in its name" in out
    assert "seat 0, TURN, seat 0 decides" in out
    assert re.search(r"claim +\d+ Budapest–Wien white \(1\)", out)
    assert "no choice has 'xyzzy' in it" in out
    assert out.count("the choices are 1 to ") == 2


def test_own_choices_count(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, out = play("4\n2\n", monkeypatch, capsys)
    assert "4 keep Danzig–Lisboa 20, Madrid–Zürich 8, Dieppe–Madrid 8" in out
    assert (
        "  tickets Danzig–Lisboa 20 (needs 20), Dieppe–Madrid 8 (needs 8), Madrid–Zürich 8 (needs 8)" in out
    )
    assert "  hand    1 white + 2 orange + 1 locomotive\n" in out
    assert "  hand    2 white + 2 orange + 1 locomotive\n" in out  # 2 was: take white


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--bots", "greedy,random"], "--bots must name human"),
        (["--bots", "human"], "are for 2 to 5 players, not 1"),
        (["--bots", "human,gredy"], "did you mean 'greedy'?"),
        (["--bots", "human,greedy", "--seed", "-1"], "--seed must be from 0"),
        (["--bots", "human,greedy", "--board", "mars"], "unknown board 'mars'"),
    ],
)
def test_wrong_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["play", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_two_people(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("1\n1\n1\n"))
    assert main(["play", "--bots", "human,human", "--seed", "4", "--board", "usa"]) == 0
    out = capsys.readouterr().out
    assert "── seat 1 human#2 ──" in out
    assert "seat 0 human: keep 2 tickets" in out
