"""Where boards, rules, tournaments and bots are looked for.

The search path: a path given by the user, then `./configs` and `./bots` of the working folder, then the
copies shipped with the package (beside it in a checkout, inside it in a wheel). The first find wins.
"""

import os
from dataclasses import dataclass
from pathlib import Path

from ttr_sim.errors import TtrError, unknown


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of named thing: the folder it lies in and how its files end ("" when it is a folder)."""

    word: str
    folder: str
    suffix: str


BOARD = Kind("board", "configs/boards", "")
RULES = Kind("rules preset", "configs/rules", ".toml")
TOURNAMENT = Kind("tournament", "configs/tournaments", ".toml")
BOT = Kind("bot", "bots", ".py")


def shipped_root() -> Path:
    """Return the folder with the shipped `bots` and `configs`: the checkout, or `_shipped` in a wheel."""
    package = Path(__file__).resolve().parent
    inside = package / "_shipped"
    return inside if inside.is_dir() else package.parent


def search_folders(kind: Kind) -> list[Path]:
    """Return the existing folders in which names of this kind are looked up, first match first."""
    folders = [Path.cwd() / kind.folder, shipped_root() / kind.folder]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def available(kind: Kind) -> dict[str, Path]:
    """Return every name of this kind with its path, sorted by name."""
    found: dict[str, Path] = {}
    for folder in search_folders(kind):
        for path in folder.iterdir():
            if not path.name.startswith((".", "_")) and _fits(path, kind):
                found.setdefault(path.stem if kind.suffix else path.name, path)
    return dict(sorted(found.items()))


def _fits(path: Path, kind: Kind) -> bool:
    return path.is_file() and path.suffix == kind.suffix if kind.suffix else path.is_dir()


def is_path(name: str | Path, kind: Kind) -> bool:
    """Tell whether the user gave a path (a Path, or text with a separator or the file ending), not a name."""
    if isinstance(name, Path) or name in (".", "..") or "/" in name or os.sep in name:
        return True
    return bool(kind.suffix) and name.endswith(kind.suffix)


def find(kind: Kind, name: str | Path) -> Path:
    """Return the path of a name or path given by the user; a name of its own kind goes before a bare path.

    Raises TtrError when it does not exist, with what exists.
    """
    if not str(name).strip():
        raise TtrError(f"the name of a {kind.word} is missing, the text is empty")
    path = Path(os.path.expanduser(name))
    exists = os.path.isfile(path) if kind.suffix else os.path.isdir(path)
    if is_path(name, kind):
        if exists:
            return path
        raise TtrError(f"no {kind.word} {'file' if kind.suffix else 'folder'} {shown(path)!r}")
    known = available(kind)
    if name in known:
        return known[str(name)]
    if exists:
        return path
    raise unknown(kind.word, str(name), known)


def shown(path: Path) -> str:
    """Return a path as a message shows it: relative when it lies in the working folder."""
    if not isinstance(path, Path):  # a place elsewhere, see `ttr_sim.results.storage`
        return str(path)
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except (OSError, ValueError, RuntimeError):  # RuntimeError: links in a circle, before Python 3.13
        return str(path)
