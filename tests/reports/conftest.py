"""What the tests of pages share: a browser, and a run full of names that look like attacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser import browser
from tests.reports.evil import evil_run

__all__ = ["browser", "evil"]


@pytest.fixture(scope="session")
def evil(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """See `evil_run`; do not change it."""
    return evil_run(tmp_path_factory.mktemp("evil"))
