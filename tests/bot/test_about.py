"""What a bot's file says of itself, read without importing it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ttr_sim import paths
from ttr_sim.bot.about import read_about
from ttr_sim.bot.specs import bots_in
from ttr_sim.errors import TtrError

TEXT = '''"""sly: waits and takes what others need.

Idea: the best defence
is patience.

Source: a dream, 2020.
"""

from ttr_sim import bot
from ttr_sim.bot import policy

raise RuntimeError("importing this is a mistake")

class Base(bot.Bot): ...
class Sly(Base): ...
class _Hidden(Base): ...
class Other: ...

@policy()
def quick(T, V, W, params, memory): ...
'''


def test_parts(tmp_path: Path) -> None:
    file = tmp_path / "sly.py"
    file.write_text(TEXT)
    about = read_about(file)
    assert about.title == "waits and takes what others need."
    assert about.idea == "the best defence is patience."
    assert about.source == "a dream, 2020."
    assert about.kinds == {"Base": "interpreted", "Sly": "interpreted", "quick": "compiled"}


@pytest.mark.parametrize("path", paths.available(paths.BOT).values(), ids=lambda path: path.stem)
def test_built_in_bots(path: Path) -> None:
    about = read_about(path)
    assert list(about.kinds) == list(bots_in(path))
    assert about.title


def test_no_docstring_no_parts(tmp_path: Path) -> None:
    file = tmp_path / "mute.py"
    file.write_text("x = 1\n")
    about = read_about(file)
    assert (about.kinds, about.title, about.idea, about.source) == ({}, "", "", "")


def test_a_file_that_is_no_python(tmp_path: Path) -> None:
    file = tmp_path / "odd.py"
    file.write_text("x = 1\ny = = 2\n")
    with pytest.raises(TtrError, match=r"odd\.py: line 2: SyntaxError: invalid syntax"):
        read_about(file)
