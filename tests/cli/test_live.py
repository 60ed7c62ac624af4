"""The line that says where a long command stands."""

from __future__ import annotations

import pytest

from ttr_sim.cli import live


def test_a_log_gets_a_line_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(live, "monotonic", lambda: now)
    with live.live_line(quiet=False) as show:
        for line in range(100):
            now = float(line)
            show(f"line {line}")
    assert capsys.readouterr().err == "line 30\nline 60\nline 90\n"
    with live.live_line(quiet=True) as show:
        now = 1000.0
        show("nothing")
    assert capsys.readouterr() == ("", "")
