"""The errors of ttr-sim; each message is one line a user can act on.

TtrError                    wrong usage or configuration (exit code 2 on the command line)
├── RunFailed               the run itself failed: disk full, workers cannot start (exit code 3)
└── IllegalAction           the checked step of a game refused an action
"""

from collections.abc import Iterable
from difflib import get_close_matches


class TtrError(Exception):
    """A user's mistake. `str(error)` is one line: the file, key or option, and what would be right."""

    def __str__(self) -> str:
        return " ".join(super().__str__().splitlines())


class RunFailed(TtrError):
    """The run could not go on: disk full, results not writable, workers that do not start."""


class IllegalAction(TtrError, ValueError):
    """The checked step of a game refused an action; the message is the reason."""


def unknown(what: str, word: str, known: Iterable[str], where: str = "") -> TtrError:
    """Return the error for a name that does not exist: suggests the nearest and lists what exists.

    `where` is put in front ("file.toml: "), `what` names the kind of thing ("board", "option").
    """
    names = sorted(known)
    near = get_close_matches(word.lower(), names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    listed = f"; there are: {', '.join(names)}" if names else "; there are none"
    return TtrError(f"{where}unknown {what} {word!r}{hint}{listed}")
