"""Parameters of bots: typed, with a range or a list of choices, read from text."""

from __future__ import annotations

from dataclasses import dataclass

from ttr_sim.errors import TtrError

Value = int | float | str | bool


@dataclass(frozen=True, slots=True)
class Param:
    """A parameter of a bot: its default (whose type it has), its range or choices, and what it means."""

    default: Value
    low: float | None = None
    high: float | None = None
    about: str = ""
    choices: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Word for the type, with the range."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        word = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}[
            type(self.default)
        ]
        if self.low is not None and self.high is not None:
            return f"{word} from {self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"{word} of at least {self.low:g}"
        return f"{word} of at most {self.high:g}" if self.high is not None else word

    def read(self, text: str, where: str) -> Value:
        """The value of a text.

        Raises:
            TtrError: wrong type or out of range; `where` names bot and parameter.
        """
        try:
            value = self._convert(text)
        except ValueError:
            raise TtrError(f"{where}: {text!r} is not {self.kind}") from None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            low = -float("inf") if self.low is None else self.low
            high = float("inf") if self.high is None else self.high
            if not low <= value <= high:  # also refuses nan
                raise TtrError(f"{where}: {text} is not {self.kind}")
        return value

    def _convert(self, text: str) -> Value:
        if self.choices:
            if text not in self.choices:
                raise ValueError
            return text
        if isinstance(self.default, bool):
            if text.lower() not in ("true", "false"):
                raise ValueError
            return text.lower() == "true"
        return type(self.default)(text)

    def number(self, value: Value) -> float:
        """The value as a compiled bot gets it: a choice is its index, true is 1."""
        return float(self.choices.index(str(value))) if self.choices else float(value)
