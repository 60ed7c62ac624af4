"""The file of a tuning: what was asked for and everything learnt, readable, whole after every save."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ttr_sim import paths
from ttr_sim.errors import TtrError
from ttr_sim.files import read_text
from ttr_sim.results.folder import write_whole

VERSION = 1
KEYS = ("tune", "asked", "made_of", "cmaes", "generations", "playing", "verification")
ASKED = ("spec", "params", "against", "games", "players", "board", "rules", "options", "seed")


def new_record(
    path: Path, asked: Mapping[str, Any], made_of: Mapping[str, Any], cmaes: str
) -> dict[str, Any]:
    """The content of a new file; writes nothing. Raises TtrError when the file exists or cannot be written."""
    if path.exists():
        raise TtrError(
            f"{paths.shown(path)}: exists already; give another --out, or --resume to go on with it"
        )
    if not path.absolute().parent.is_dir():
        try:
            path.absolute().parent.mkdir(parents=True)
        except OSError as error:
            raise TtrError(f"{paths.shown(path)}: cannot be written: {error.strerror}") from None
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
    write_whole(path, (json.dumps(record, indent=1) + "\n").encode())
