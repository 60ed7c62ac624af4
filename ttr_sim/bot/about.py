"""What a bot's file says of itself, read from its text: nothing is imported, nothing compiled."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from ttr_sim import paths
from ttr_sim.errors import TtrError

COMPILED, INTERPRETED = "compiled", "interpreted"


@dataclass(frozen=True, slots=True)
class About:
    """A bot's file: the kinds of the bots in it by name, and its docstring in parts ("" where it has none).

    title: the first line, without the name in front. idea, source: the paragraphs that begin with these words and a colon.
    """

    kinds: dict[str, str]
    title: str
    idea: str
    source: str


def read_about(file: Path) -> About:
    """Return what a file says of itself. Raises TtrError when it cannot be read."""
    try:
        tree = ast.parse(file.read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError) as error:
        line = f"line {error.lineno}: " if isinstance(error, SyntaxError) else ""
        raise TtrError(f"{paths.shown(file)}: {line}{type(error).__name__}: {_first_line(error)}") from None
    text = ast.get_docstring(tree) or ""
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    title = paragraphs[0].removeprefix(f"{file.stem}:").strip()
    return About(_kinds(tree), title, _paragraph(paragraphs, "Idea"), _paragraph(paragraphs, "Sources?"))


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else ""


def _paragraph(paragraphs: list[str], word: str) -> str:
    found = (re.fullmatch(f"{word}: (.*)", paragraph) for paragraph in paragraphs)
    return next((match[1].strip() for match in found if match), "")


def _kinds(tree: ast.Module) -> dict[str, str]:
    """Return the kinds of the bots a module defines, as far as its text shows them."""
    kinds: dict[str, str] = {}
    classes = {"Bot"}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and any(_name(d) == "policy" for d in node.decorator_list):
            kinds[node.name] = COMPILED
        elif isinstance(node, ast.ClassDef) and any(_name(base) in classes for base in node.bases):
            classes.add(node.name)
            if not node.name.startswith("_"):
                kinds[node.name] = INTERPRETED
    return kinds


def _name(node: ast.expr) -> str:
    """Return the last name of `name`, `module.name` or a call of one."""
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
