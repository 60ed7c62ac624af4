"""Arrays with named parts: where each lies, its shape and what it says."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any, NamedTuple


class Part(NamedTuple):
    """A part of an array: its slice of the last axis, its own shape, what it says."""

    at: slice
    shape: tuple[int, ...]
    meaning: str


Layout = dict[str, Part]


def lay_out(parts: Iterable[tuple[str, tuple[int, ...], str]]) -> Layout:
    """Put parts (name, shape, meaning) one after another."""
    found: Layout = {}
    start = 0
    for name, shape, meaning in parts:
        found[name] = Part(slice(start, start + prod(shape)), shape, meaning)
        start += prod(shape)
    return found


def size_of(layout: Layout) -> int:
    """Length of an array with these parts."""
    return int(max(part.at.stop for part in layout.values()))


def take(layout: Layout, array: Any, name: str) -> Any:
    """A part of an array, or of a batch of them, in its own shape; a view, not a copy. Raises KeyError."""
    at, shape, _ = layout[name]
    return array[..., at].reshape(*array.shape[:-1], *shape)
