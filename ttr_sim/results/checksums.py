"""What the part files of a run were when they were written, so that a change or damage is noticed.

Beside the tables lies, for each part, `checksums/part-NNNNN.json`: the SHA-256 of its file of each table. Before files
are replaced, what they will be is noted beside what they are, so that a run that is killed at any moment fits.
"""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from ttr_sim import paths
from ttr_sim.errors import TtrError
from ttr_sim.results import storage
from ttr_sim.results.folder import CHECKSUMS, Folder, write_whole

_ABSENT = ""  # stands for the hash of a file that is not there

Hashes = dict[str, list[str]]  # what the file of each table may have


def announce(folder: Folder, part: int, contents: Mapping[str, bytes]) -> None:
    """Note what the files of a part are about to be, by table. Raises RunFailed."""
    now = _read(_path(folder, part))
    # All that was announced before stays possible: the files may not have been written.
    _write(folder, part, {table: [*now.get(table, [_ABSENT]), _hash(new)] for table, new in contents.items()})


def confirm(folder: Folder, part: int, contents: Mapping[str, bytes]) -> None:
    """Note that the files of a part are what was announced. Raises RunFailed."""
    _write(folder, part, {table: [_hash(content)] for table, content in contents.items()})


def wrong_files(folder: Folder, part: int | None = None) -> dict[Path, str]:
    """Return the files of a part (default: of all) that are not as they were written, each with what is wrong.

    Elsewhere than on this machine nobody looks into them: that would fetch them. Raises TtrError.
    """
    pattern = "part-*" if part is None else f"part-{part:05d}"
    found = {}
    for path in sorted(folder.path.glob(f"{CHECKSUMS}/{pattern}.json")):
        for table, hashes in _read(path).items():
            file = folder.path / table / f"{path.stem}.parquet"
            if wrong := _wrong(file, hashes):
                found[file] = wrong
    for file in sorted(folder.path.glob(f"games/{pattern}.parquet")):
        beside = folder.path / CHECKSUMS / f"{file.stem}.json"
        if not beside.is_file():
            found[beside] = "is missing"
    return found


def _path(folder: Folder, part: int) -> Path:
    return folder.path / CHECKSUMS / f"part-{part:05d}.json"


def _read(path: Path) -> Hashes:
    if not path.is_file():
        return {}
    try:
        known = json.loads(path.read_bytes())["sha256"]
        if not all(isinstance(text, str) for hashes in known.values() for text in hashes):
            raise TypeError
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise TtrError(f"{paths.shown(path)}: is damaged") from None
    return dict(known)


def _write(folder: Folder, part: int, hashes: Mapping[str, list[str]]) -> None:
    write_whole(_path(folder, part), (json.dumps({"sha256": dict(hashes)}, indent=1) + "\n").encode())


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _wrong(file: Path, hashes: list[str]) -> str:
    if not file.is_file():
        return "" if _ABSENT in hashes else "is missing"
    if not storage.is_here(file):
        return ""
    try:
        with file.open("rb") as content:
            found = hashlib.file_digest(content, "sha256").hexdigest()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return "" if found in hashes else f"is damaged or was changed: its checksum is not that in {CHECKSUMS}"
