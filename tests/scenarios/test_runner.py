"""The runner itself: an expectation that does not hold fails, with the line that says so."""

from __future__ import annotations

import pytest

from .runner import Case, counts, letters, presets_of, run

BOARDS = {"pair": {"tracks": ["A-B 3", "A-B 2 red", "B-C 2 yellow tunnel"], "tickets": ["a A-B 5"]}}


def case(*play: str) -> Case:
    given = {"hands": {"Ann": "BBBYYL"}, "market": "LRGYK", "deck": "WYR"}
    return {"board": "pair", "given": given, "play": list(play)}


def play(*lines: str) -> None:
    run(case(*lines), BOARDS, "europe", 2)


@pytest.mark.parametrize(
    "line",
    [
        "do pass",
        "do claim A-B with BBY",
        "can take P",
        "cannot take R",
        "cannot draw",
        "only blind",
        "pays claim A-B: BBB, BBY",
        "cannot pay claim A-B: BBR, BBL",
        "see hand Ann BBB",
        "see hand Ann BBB or BB",
        "see market LRGYY",
        "see deck 1",
        "see discards 1",
        "see turn Bo",
        "see over all_passed",
        "see owner A-B Ann",
        "see points Ann 1",
        "see result Ann score=1",
        "see remaining 1",
        "see tie Ann Bo Cy",
        "last turns Bo",
    ],
)
def test_a_wrong_expectation_fails(line: str) -> None:
    with pytest.raises((AssertionError, ValueError), match="(?s)^'" + line[:3]):
        play(line)


@pytest.mark.parametrize("line", ["hum", "see moon", "do dance", "do claim X-Y", "can take"])
def test_a_line_without_meaning_is_an_error(line: str) -> None:
    with pytest.raises(ValueError, match="(?s)^'" + line):
        play(line)


def test_lists_are_tried_on_a_copy_and_repeated() -> None:
    lines = [
        ["do blind", "see hand_size Ann 7"],
        "see hand_size Ann 6",
        "repeat 2",
        ["do blind"],
        "see turn Bo",
    ]
    run({**case(), "play": lines}, BOARDS, "europe", 2)


def test_right_expectations_hold() -> None:
    play(
        "pays claim A-B: BBB, BBL",
        "cannot pay claim A-B: BBY",
        "do claim B-C with YY",
        "see due 1",
        "do extra L",
    )


def test_presets_and_cards() -> None:
    assert presets_of("europe-board but europe-fa europe-en") == ["europe", "europe-zh"]
    assert len(presets_of("all")) == 7
    assert letters(counts("LRB")) == "BRL"
    assert letters(counts("-")) == "-"
