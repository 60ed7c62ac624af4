"""Check a bot in a process of its own, which may hang, be ended or print what it likes."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any

from ttr_sim.errors import RunFailed

QUICK_SECONDS, THOROUGH_SECONDS = 3.0, 60.0  # for one check
PATIENCE = 60.0  # seconds without a sign of life


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of one check: passed without problems. detail: what was done."""

    name: str
    detail: str
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Did the bot pass?"""
        return not self.problems


def check_in_process(
    spec: str,
    *,
    thorough: bool = False,
    max_ms: float = 1000.0,
    patience: float = PATIENCE,
    tell: Callable[[Verdict], None] = lambda verdict: None,
) -> tuple[list[Verdict], dict[str, float]]:
    """Run all checks on the bot of a spec; returns the verdicts and the times per decision (mean_ms, slowest_ms).

    tell: called with each verdict as it comes. A bot that hangs or ends its process fails the check it was in, and the
    rest is not done. Raises RunFailed when no process can be started.
    """
    config = {
        "mode": "checks",
        "spec": spec,
        "thorough": thorough,
        "max_ms": max_ms,
        "seconds": THOROUGH_SECONDS if thorough else QUICK_SECONDS,
        "decision_s": 0.0,
    }
    command = [sys.executable, "-m", "ttr_sim.bot.conformance", json.dumps(config)]
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    try:
        child = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # with the process that it starts itself
        )
    except OSError as error:
        raise RunFailed(f"a process for the bot cannot be started: {error}") from error
    try:
        return _listen(child, patience, tell)
    finally:
        _end(child)


def _end(child: subprocess.Popen[str]) -> None:
    """End the process and those it started."""
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()
    child.wait()


def _listen(
    child: subprocess.Popen[str], patience: float, tell: Callable[[Verdict], None]
) -> tuple[list[Verdict], dict[str, float]]:
    assert child.stdout is not None
    lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
    threading.Thread(target=_read, args=(child.stdout, lines), daemon=True).start()
    verdicts: list[Verdict] = []
    current = "loads"
    while True:
        try:
            said = lines.get(timeout=patience)
        except queue.Empty:
            return [*verdicts, _failed(tell, current, f"no answer for {patience:g} s: does it hang?")], {}
        if said is None:
            code = child.wait()
            how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
            return [*verdicts, _failed(tell, current, f"the process {how}")], {}
        if "check" in said:
            current = said["check"]
        elif "name" in said:
            verdicts.append(Verdict(said["name"], said["detail"], tuple(said["problems"])))
            tell(verdicts[-1])
        elif "timing" in said:
            return verdicts, said["timing"]


def _failed(tell: Callable[[Verdict], None], name: str, problem: str) -> Verdict:
    verdict = Verdict(name, "", (problem,))
    tell(verdict)
    return verdict


def _read(stream: IO[str], lines: queue.Queue[dict[str, Any] | None]) -> None:
    for text in stream:
        with contextlib.suppress(ValueError):
            lines.put(json.loads(text))
    lines.put(None)
