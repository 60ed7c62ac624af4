"""Starting bots: files that play, to be changed by their authors."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

from ttr_sim import paths
from ttr_sim.errors import TtrError

_FOLDER = Path(__file__).with_name("templates")


def starting_bot(path: Path, *, compiled: bool) -> str:
    """The text of a starting bot for this file: a class with `choose`, or a compiled policy."""
    name = path.stem
    text = (_FOLDER / f"{'compiled' if compiled else 'interpreted'}.py.txt").read_text(encoding="utf-8")
    used = set(re.findall(r"\w+", text))
    names = {
        "NAME": name,
        "FILE": path.name,
        "CLASS": _unused("".join(word.capitalize() for word in name.split("_")), "Bot", used),
        "FUNCTION": _unused(name, "_bot", used),
    }
    return Template(text).substitute(names)


def _unused(name: str, ending: str, used: set[str]) -> str:
    """The name, with an ending where the text uses it for something else."""
    return name + ending if name in used else name


def write_starting_bot(path: Path, *, compiled: bool) -> None:
    """Write a starting bot to a new file.

    Raises:
        TtrError: the name does not suit, the file exists, or it cannot be written.
    """
    name = path.stem
    if path.suffix != ".py" or not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise TtrError(
            f"{path}: must be named like a Python module: letters, digits and _, then .py; such as my_bot.py"
        )
    if name.startswith("_") or name != name.lower():
        raise TtrError(f"{path}: must be in lower case and not begin with _, such as my_bot.py")
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(starting_bot(path, compiled=compiled))
    except FileExistsError:
        raise TtrError(f"{paths.shown(path)}: exists already; give another name") from None
    except OSError as error:
        raise TtrError(f"{paths.shown(path)}: cannot be written: {error.strerror}") from None
