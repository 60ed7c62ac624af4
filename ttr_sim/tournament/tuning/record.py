"""The file of a tuning: what was asked for and everything learnt, readable, whole after every save."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ttr_sim import paths
from ttr_sim.errors import RunFailed, TtrError
from ttr_sim.files import read_text
from ttr_sim.results.folder import write_whole

VERSION = 1
KEYS = ("tune", "asked", "made_of", "cmaes", "generations", "playing", "verification")
ASKED = ("spec", "params", "against", "games", "players", "board", "rules", "options", "seed")


def check_new(path: Path) -> None:
    """Raise TtrError unless a new file can be written there; changes nothing."""
    shown = paths.shown(path)
    if path.exists():
        raise TtrError(f"{shown}: exists already; give another --out, or --resume to go on with it")
    nearest = next(folder for folder in path.absolute().parents if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise TtrError(f"{shown}: cannot be written; give another --out")


def new_record(asked: Mapping[str, Any], made_of: Mapping[str, Any], cmaes: str) -> dict[str, Any]:
    """The content of a new file."""
    return {
        "tune": VERSION,
        "asked": dict(asked),
        "made_of": dict(made_of),
        "cmaes": cmaes,
        "generations": [],
        "playing": [],
        "verification": None,
    }


def read_record(path: Path) -> dict[str, Any]:
    """The content of a file. Raises TtrError when it is no file of a tuning."""
    shown = paths.shown(path)
    try:
        found = json.loads(read_text(path))
    except (json.JSONDecodeError, RecursionError) as error:
        raise TtrError(f"{shown}: not valid JSON: {error}") from None
    if not isinstance(found, dict) or "tune" not in found:
        raise TtrError(f"{shown}: is no file of ttr-sim tune")
    if found["tune"] != VERSION:
        raise TtrError(f"{shown}: tune: is version {found['tune']!r}, the version read here is {VERSION}")
    for key in KEYS:
        if key not in found:
            raise TtrError(f"{shown}: is damaged: {key} is missing")
    for key in ASKED:
        if not isinstance(found["asked"], dict) or key not in found["asked"]:
            raise TtrError(f"{shown}: is damaged: asked.{key} is missing")
    return found


def write_record(path: Path, record: Mapping[str, Any]) -> None:
    """Write the file. Raises RunFailed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunFailed(f"{paths.shown(path)}: cannot be written: {error.strerror}") from None
    write_whole(path, (json.dumps(record, indent=1) + "\n").encode())
