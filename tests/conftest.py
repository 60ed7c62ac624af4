"""Options of the test run."""

from __future__ import annotations

import signal

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long",
        action="store_true",
        help="play 20,000 games per preset and number of players against the reference model, not 300",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    # The longest test begins first, so that no worker is left with it at the end.
    items.sort(key=lambda item: item.path.name != "test_readme.py")


def pytest_configure() -> None:
    # What a shell runs in its background ignores Ctrl-C, and so would the programs that the tests stop.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
