"""Reading the fields of plain data (JSON, TOML): every error names the file and the key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ttr_sim.errors import TtrError, unknown

_WORDS = {str: "texts", object: "objects"}


class Fields:
    """An object of a file: `data`, the file's name for errors, and what stands in front of its keys ("seats[0].")."""

    def __init__(self, data: Any, where: str, prefix: str, keys: Sequence[str]) -> None:
        self.where, self.prefix = where, prefix
        if not isinstance(data, Mapping):
            raise TtrError(
                f"{where}: {prefix.rstrip('.') or 'the content'} must be an object, not {data!r:.60}"
            )
        self.data = data
        for key in data:
            if key not in keys:
                raise unknown("key", str(key), keys, f"{where}: {prefix.rstrip('.')}{': ' * bool(prefix)}")

    def error(self, key: str, problem: str) -> TtrError:
        """The error for a key."""
        return TtrError(f"{self.where}: {self.prefix}{key}: {problem}")

    @contextmanager
    def blamed(self, key: str) -> Iterator[None]:
        """Put file and key in front of the errors raised inside."""
        try:
            yield
        except TtrError as error:
            front = f"{self.where}: {self.prefix}{key}" if key else self.where
            text = str(error).removeprefix("position: ")
            raise TtrError(text if text.startswith(front) else f"{front}: {text}") from None

    def text(self, key: str) -> str:
        """A text; "" when it is missing."""
        value = self.data.get(key, "")
        if not isinstance(value, str):
            raise self.error(key, f"must be a text, not {value!r:.60}")
        return value

    def needed_text(self, key: str) -> str:
        """A text that may not be missing."""
        if not self.text(key):
            raise self.error(key, "is missing")
        return self.text(key)

    def whole(self, key: str, low: int, high: int, *, default: int = 0, needed: bool = False) -> int:
        """A whole number from `low` to `high`; `default` when it is missing."""
        if key not in self.data and not needed and low <= default:
            return default
        value = self.data.get(key)
        if type(value) is not int or not low <= value <= high:
            said = "is missing" if key not in self.data else f"not {value!r:.60}"
            raise self.error(key, f"must be a whole number from {low} to {high}, {said}")
        return value

    def choice(self, key: str, words: Sequence[str], default: str) -> int:
        """The place of a word among REASONS-like words, counted from 1."""
        value = self.data.get(key, default)
        if value not in words:
            raise self.error(key, f"must be one of {', '.join(words)}, not {value!r:.60}")
        return list(words).index(value) + 1

    def items(self, key: str, kind: type) -> list[Any]:
        """A list of texts or objects; empty when it is missing."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, kind) for item in value):
            raise self.error(key, f"must be a list of {_WORDS[kind]}, not {value!r:.60}")
        return value

    def known(self, key: str, name: str, names: Sequence[str]) -> int:
        """The place of a name among the names there are."""
        if name not in names:
            raise unknown(key, name, names, f"{self.where}: {self.prefix}")
        return list(names).index(name)

    def table(self, key: str, keys: Sequence[str]) -> Fields:
        """An object inside; an empty one when it is missing."""
        return Fields(self.data.get(key, {}), self.where, f"{self.prefix}{key}.", keys)
