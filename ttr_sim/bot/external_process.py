"""The process of an external bot: lines of JSON to its stdin, lines of JSON from its stdout, its stderr to the log."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import selectors
import signal
import subprocess
from time import monotonic
from typing import IO, Any

from ttr_sim.bot.command import Command
from ttr_sim.bot.forfeit import Fault, took_longer
from ttr_sim.bot.orphans import die_with_parent
from ttr_sim.errors import TtrError

LONGEST_LINE = 1 << 20  # bytes of an answer
LOGGED = 20_000  # characters of stderr for each answer; the rest is dropped
_GRACE = 0.2  # seconds in which a program that closed its output may end

log = logging.getLogger("ttr_sim.external")


class ExternalProcess:
    """A running program. A Fault that any method raises ends it."""

    def __init__(self, command: Command, label: str) -> None:
        self._label, self._left, self._writing = label, LOGGED, False
        self._out, self._in, self._said = b"", b"", b""
        try:
            self._process = subprocess.Popen(
                command.words,
                executable=command.program,
                cwd=command.folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for us alone
                preexec_fn=die_with_parent,
            )
        except (OSError, TtrError) as error:
            raise Fault(f"cannot be started: {getattr(error, 'strerror', None) or error}") from None
        self._selector = selectors.DefaultSelector()
        for pipe in (self._stdout, self._stderr):
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ)
        os.set_blocking(self._stdin.fileno(), False)

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None and not self._stdin.closed

    def send(self, message: dict[str, Any]) -> None:
        """Put a line in front of the next question."""
        self._out += json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    def ask(self, message: dict[str, Any], seconds: float | None, late: str = "") -> tuple[Any, float]:
        """Send a line; return the line that comes back, and the seconds it took.

        late: the reason when it takes longer. Raises Fault.
        """
        try:
            if self._in:
                raise Fault("answers with more than one line")
            self.send(message)
            begun = monotonic()
            line = self._exchange(None if seconds is None else begun + seconds)
            if line is None:
                raise Fault(late or took_longer(seconds or 0))
            return _parsed(line), monotonic() - begun
        except Fault:
            self.kill()
            raise

    def kill(self) -> None:
        """End it and everything it started in its session."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with contextlib.suppress(OSError):
            self._hear()
        self._log(self._said)
        self._selector.close()
        for pipe in (self._stdin, self._stdout, self._stderr):
            pipe.close()

    def _exchange(self, until: float | None) -> bytes | None:
        """Write what is to be written and return the first line read; None when time is up."""
        self._left = LOGGED
        if not self._writing:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
            self._writing = True
        while b"\n" not in self._in:
            left = None if until is None else until - monotonic()
            if left is not None and left <= 0:
                return None
            for key, _ in self._selector.select(left):
                if key.fileobj is self._stdin:
                    self._write()
                elif key.fileobj is self._stdout:
                    self._read()
                elif not self._hear():
                    self._selector.unregister(self._stderr)
        line, _, self._in = self._in.partition(b"\n")
        return line

    def _write(self) -> None:
        try:
            self._out = self._out[os.write(self._stdin.fileno(), self._out) :]
        except BlockingIOError:
            return
        except OSError:  # nobody reads: wait for what stdout says
            self._out = b""
        if not self._out:
            self._selector.unregister(self._stdin)
            self._writing = False

    def _read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            got = os.read(self._stdout.fileno(), 1 << 16)
            if not got:
                raise Fault(self._how_it_ended())
            self._in += got
        if len(self._in) > LONGEST_LINE:
            raise Fault(f"answers with a line of more than {LONGEST_LINE >> 20} MiB")

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return "closed its output"
        return f"ended (exit code {code})" if code >= 0 else f"was killed (signal {-code})"

    def _hear(self) -> bool:
        """Log what it says on stderr; False at its end."""
        with contextlib.suppress(BlockingIOError):
            while got := os.read(self._stderr.fileno(), 1 << 16):
                *lines, self._said = (self._said + got).split(b"\n")
                self._said = self._said[-LOGGED:]
                for line in lines:
                    self._log(line)
            return False
        return True

    def _log(self, line: bytes) -> None:
        text = line.decode(errors="backslashreplace").rstrip()
        if text and self._left > 0:
            log.info("%s: %s", self._label, text[: self._left])
            self._left -= len(text)

    @property
    def _stdin(self) -> IO[bytes]:
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def _stdout(self) -> IO[bytes]:
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def _stderr(self) -> IO[bytes]:
        assert self._process.stderr is not None
        return self._process.stderr


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        raise Fault(f"the answer is not JSON: {line[:80].decode(errors='backslashreplace')!r}") from None
