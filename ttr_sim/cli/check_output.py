"""Where the answer of `ttr-sim check` goes: the terminal, JSON, a Markdown summary, JUnit XML."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click

from ttr_sim.cli.output import print_json
from ttr_sim.errors import RunFailed, TtrError


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer.

    name: what was asked. heading: the answer in one line. failure: the kind of failure, None when it passed. facts: what
    it rests on, by heading. plain: all of it as JSON can hold it. text: what is shown as it is, below the facts.
    """

    name: str
    heading: str
    failure: str | None
    facts: Mapping[str, str]
    plain: Mapping[str, Any]
    seconds: float = 0.0
    text: str = ""

    @property
    def body(self) -> str:
        """Facts and text, line by line."""
        width = max(map(len, self.facts), default=0)
        lines = [f"{key.ljust(width)}  {value}" for key, value in self.facts.items()]
        return "\n".join([*lines, *([self.text] if self.text else [])])


@dataclass(frozen=True, slots=True)
class Outputs:
    """What is to be written; that it can be is found out before anything is played."""

    as_json: bool
    markdown: Path | None = None
    junit: Path | None = None

    def __post_init__(self) -> None:
        for option, file in (("--markdown", self.markdown), ("--junit", self.junit)):
            if file is not None and not file.absolute().parent.is_dir():
                raise TtrError(f"{option} {file}: there is no folder {file.parent} to write it into")

    def write(self, answer: Answer) -> None:
        """Print the answer and write the files. Raises RunFailed."""
        if self.as_json:
            print_json({**answer.plain, "seconds": round(answer.seconds, 3)})
        else:
            click.echo(f"{answer.body}\n{answer.heading}")
        if self.markdown:
            _save(self.markdown, as_markdown(answer))
        if self.junit:
            _save(self.junit, as_junit(answer))


def as_markdown(answer: Answer) -> str:
    """Return a summary for the page of a job."""
    lines = [f"### {_cell(answer.heading)}", "", "| | |", "|---|---|"]
    lines += [f"| {_cell(key)} | {_cell(value)} |" for key, value in answer.facts.items()]
    if answer.text:
        lines += ["", "```text", answer.text.replace("```", "'''"), "```"]
    return "\n".join(lines) + "\n"


def as_junit(answer: Answer) -> str:
    """Return the answer as JUnit XML: one test, which failed or passed."""
    failed, seconds = answer.failure is not None, f"{answer.seconds:.3f}"
    counts = {"tests": "1", "failures": str(int(failed)), "errors": "0", "skipped": "0", "time": seconds}
    root = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(root, "testsuite", {"name": "ttr-sim check", **counts})
    about = {"classname": "ttr-sim.check", "name": _printable(answer.name), "time": seconds}
    case = ElementTree.SubElement(suite, "testcase", about)
    if answer.failure is not None:
        told = {"type": answer.failure, "message": _printable(answer.heading)}
        ElementTree.SubElement(case, "failure", told).text = _printable(answer.body)
    else:
        ElementTree.SubElement(case, "system-out").text = _printable(f"{answer.heading}\n{answer.body}")
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _save(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise RunFailed(f"{file}: cannot be written: {error.strerror}") from error


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def _printable(text: str) -> str:
    """Leave out control characters, which XML cannot hold."""
    return "".join(c for c in text if c in "\n\t" or c.isprintable())
