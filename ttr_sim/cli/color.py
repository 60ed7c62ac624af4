"""Colour in the terminal: seats and train cards, where the terminal has it and NO_COLOR does not forbid it."""

import os
import re
import sys

import click

# Of the 256 colours of terminals, readable on black and on white.
_SEATS = (33, 202, 35, 169, 99)
_CARDS = {
    "purple": 134,
    "white": 250,
    "blue": 33,
    "yellow": 178,
    "orange": 208,
    "black": 243,
    "red": 196,
    "green": 34,
    "locomotive": 37,
    "locomotives": 37,
}
_CARD = re.compile(rf"\b({'|'.join(_CARDS)})\b")


class Paint:
    """Puts colour into texts, or leaves them as they are."""

    def __init__(self, wanted: bool | None = None) -> None:
        self.wanted = has_color() if wanted is None else wanted

    def seat(self, seat: int, text: str) -> str:
        """A text in the colour of a seat."""
        return click.style(text, fg=_SEATS[seat % len(_SEATS)], bold=True) if self.wanted else text

    def cards(self, text: str) -> str:
        """A text whose colour names stand in their colours."""
        if not self.wanted:
            return text
        return _CARD.sub(lambda match: click.style(match[0], fg=_CARDS[match[0]]), text)

    def soft(self, text: str) -> str:
        """A text that steps back."""
        return click.style(text, dim=True) if self.wanted else text

    def strong(self, text: str) -> str:
        """A text that stands out."""
        return click.style(text, bold=True) if self.wanted else text


def has_color() -> bool:
    """Tell whether stdout is a terminal with colours, and NO_COLOR (https://no-color.org) is not set."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty()
