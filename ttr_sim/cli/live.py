"""A line on stderr that says where a long command stands: again and again on a terminal, now and then in a log."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

LOGGED_EVERY = 30.0  # seconds, where stderr is no terminal


@contextmanager
def live_line(quiet: bool) -> Iterator[Callable[[str], None]]:
    """Yield what shows a line instead of the last one."""
    if quiet:
        yield lambda line: None
    elif sys.stderr.isatty():
        from tqdm import tqdm

        with tqdm(file=sys.stderr, leave=False, bar_format="{desc} ({elapsed})", mininterval=0.1) as bar:
            yield lambda line: bar.set_description_str(line)
    else:
        yield _Logged()


class _Logged:
    def __init__(self) -> None:
        self._next = monotonic() + LOGGED_EVERY

    def __call__(self, line: str) -> None:
        if monotonic() >= self._next:
            print(line, file=sys.stderr, flush=True)
            self._next = monotonic() + LOGGED_EVERY
