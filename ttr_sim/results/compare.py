"""In what two descriptions of runs differ."""

from collections.abc import Iterator, Mapping
from typing import Any

_LONGEST = 60  # characters of a value that is shown whole


def differences(before: Any, now: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield (name, value before, value now) of everything that two pieces of plain data differ in."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys([*before, *now]):
            yield from differences(before.get(key), now.get(key), f"{name}.{key}" if name else str(key))
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for index, (old, new) in enumerate(zip(before, now, strict=True)):
            yield from differences(old, new, f"{name}[{index}]")
    elif before != (list(now) if isinstance(now, tuple) else now):
        yield name, before, now


def short(value: Any) -> str:
    """Return a value as a message shows it."""
    text = str(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
