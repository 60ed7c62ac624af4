"""The command of an external bot: `cmd:PROGRAM ARGUMENTS`, read without a shell."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from ttr_sim.errors import TtrError

PREFIX = "cmd:"
_COMMAND = re.compile(r"""(?:[^,"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')*""", re.DOTALL)
_PLAIN = re.compile("[^,]*")


@dataclass(frozen=True, slots=True)
class Command:
    """A program and its arguments, started in `folder`, where relative paths in them begin."""

    words: tuple[str, ...]
    folder: str

    @property
    def program(self) -> Path:
        """The file that is started: a path as given, a bare name looked up on the PATH. Raises TtrError."""
        word = os.path.expanduser(self.words[0])
        if "/" not in word:
            found = shutil.which(word)
            if found is None:
                raise TtrError(f"no program {word!r} on the PATH; write ./{word} for one in this folder")
            return Path(found)
        path = Path(self.folder, word)
        if not path.is_file():
            raise TtrError(f"no program {self.words[0]!r} in {self.folder}")
        if not os.access(path, os.X_OK):
            raise TtrError(f"{self.words[0]} cannot be executed; make it so (chmod +x) or name what runs it")
        return path

    @property
    def digest(self) -> str:
        """Hash of the words and of the files among them; of a program found on the PATH only the name counts."""
        digest = hashlib.sha256("\0".join(self.words).encode())
        for position, word in enumerate(self.words):
            path = Path(self.folder, os.path.expanduser(word))
            if (position > 0 or "/" in word) and path.is_file():
                with path.open("rb") as file:
                    digest.update(hashlib.file_digest(file, "sha256").digest())
        return digest.hexdigest()


def read_command(spec: str) -> Command:
    """Read `cmd:PROGRAM ARGUMENTS`, quoted as for a shell; it is started in the working folder. Raises TtrError."""
    if os.name != "posix":
        raise TtrError(f"bot {spec!r}: external bots need Linux, macOS or another POSIX system")
    try:
        words = shlex.split(spec.removeprefix(PREFIX))
    except ValueError as error:
        raise TtrError(f"bot {spec!r}: {error}") from None
    if not words:
        raise TtrError(f"bot {spec!r}: a program is missing, as in cmd:./mybot")
    command = Command(tuple(words), os.getcwd())
    try:
        assert command.program
    except TtrError as error:
        raise TtrError(f"bot {spec!r}: {error}") from None
    return command


def split_specs(text: str) -> list[str]:
    """Return the specs of `SPEC,SPEC...`; within a `cmd:` spec a comma between quotes belongs to the command.

    Raises TtrError where a quote stays open.
    """
    specs, at = [], 0
    while True:
        external = text[at:].lstrip().startswith(PREFIX)
        found = (_COMMAND if external else _PLAIN).match(text, at)
        assert found is not None
        specs.append(found[0].strip())
        if found.end() == len(text):
            return specs
        if text[found.end()] != ",":
            raise TtrError(f"bot {text[at:].strip()!r}: a quote stays open")
        at = found.end() + 1
