"""Short texts that charts, alternative texts and sentences are made of."""

from collections.abc import Sequence

from ttr_sim.reports.document import Cell, Column, interval, written

CHARTED = 8  # bots that get a colour; further ones are in the tables only
_SHORT = 26


def estimate_text(cell: Cell, column: Column) -> str:
    """ "52.3 % (50.9 % to 53.7 %)"."""
    around = interval(cell, column)
    return f"{written(cell, column)} ({around})" if around else written(cell, column)


def say(label: str, cells: Sequence[Cell], columns: Sequence[Column]) -> str:
    """ "greedy: score 93.3 (91.0 to 95.6), win rate 30.0 %": what a mark says on pointing."""
    parts = [
        f"{column.title} {estimate_text(cell, column)}"
        for cell, column in zip(cells, columns, strict=True)
        if cell is not None
    ]
    return f"{label}: {', '.join(parts)}"


def short_names(names: Sequence[str]) -> list[str]:
    """Names that fit beside a chart, still told apart: the middle of long ones is left out."""
    short: list[str] = []
    for name in names:
        text = name if len(name) <= _SHORT else f"{name[: _SHORT // 2]}…{name[-_SHORT // 2 + 2 :]}"
        count = short.count(text)
        while text in short:
            count += 1
            text = f"{text[: _SHORT - 3]} {count + 1}"
        short.append(text)
    return short


def listed(words: Sequence[str], most: int = 6) -> str:
    """ "a, b and 3 more"."""
    if len(words) > most:
        return f"{', '.join(words[: most - 1])} and {len(words) - most + 1} more"
    return ", ".join(words)


def p_text(p: float) -> str:
    """ "p = 0.031"."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.2g}" if p < 0.1 else f"p = {p:.2f}"
