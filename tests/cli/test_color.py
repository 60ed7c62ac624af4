"""Colour in the terminal, and only there."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from ttr_sim.cli.color import Paint
from ttr_sim.cli.main import main

COMMAND = [sys.executable, "-c", "import sys; from ttr_sim.cli.main import main; sys.exit(main())"]


def on_a_terminal(arguments: list[str], **environment: str) -> str:
    """What a command prints on a terminal."""
    ours, theirs = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**clean, "TERM": "xterm", **environment},
    )
    os.close(theirs)
    out = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # the other end was closed
            break
        if not piece:
            break
        out += piece
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return out.decode()


def test_a_terminal_gets_colour_unless_it_must_not(
    small_run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["replay", str(small_run), "--game", "0"]
    assert main(arguments) == 0
    plain = capsys.readouterr().out
    assert "\x1b" not in plain
    colored = on_a_terminal(arguments)
    assert "\x1b[38;5;33m\x1b[1mseat 0" in colored
    assert on_a_terminal(arguments, NO_COLOR="1").replace("\r\n", "\n") == plain
    assert "\x1b" not in on_a_terminal(arguments, TERM="dumb")


def test_paint() -> None:
    paint = Paint(True)
    assert paint.cards("2 red + 1 locomotive, Redford").count("\x1b[0m") == 2
    assert paint.seat(0, "a") != paint.seat(1, "a")
    assert Paint(False).seat(0, paint.soft("")) == paint.soft("")
