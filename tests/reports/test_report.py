"""Reports as pages, Markdown and tables: complete, names as text, and no trouble with odd runs."""

from __future__ import annotations

import csv
import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.reports.evil import SCRIPT
from tests.reports.made import play
from ttr_sim.reports.analysis import analyse
from ttr_sim.reports.build import build
from ttr_sim.reports.document import Column, Document, Figure, Own, Table, interval, number, written
from ttr_sim.reports.html import as_html
from ttr_sim.reports.text import as_markdown, as_plain, csv_files
from ttr_sim.reports.wording import short_names
from ttr_sim.results.reader import open_run
from ttr_sim.stats import Estimate

SECTIONS = ["field", "seats", "board", "tickets", "rules", "tempo"]
LOSER = """
from ttr_sim.bot import Bot

class Loser(Bot):
    def choose(self, view):
        raise RuntimeError("never mind")
"""


def document(*runs: Path) -> Document:
    return build(analyse([open_run(run) for run in runs]))


class Texts(HTMLParser):
    """The elements of a page, the texts outside of scripts, and every address in an attribute."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []
        self.addresses: list[str] = []
        self.images = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        found = dict(attrs)
        self.addresses += [found[key] or "" for key in ("src", "href", "xlink:href") if key in found]
        self.images += tag == "svg" and "aria-label" in found and found.get("role") == "img"

    def handle_data(self, data: str) -> None:
        if self.tags[-1:] != ["script"]:
            self.texts.append(data)


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Document:
    folder = tmp_path_factory.mktemp("two")
    first = play(folder / "europe", "greedy,random,greedy", 30)
    return document(first, play(folder / "zh", "greedy,random,greedy", 30, "--rules", "europe-zh"))


@pytest.fixture(scope="module")
def evil_report(evil: Path) -> Document:
    return document(evil)


def test_every_section_asks_something_and_every_estimate_has_an_interval(two: Document) -> None:
    assert [section.name for section in two.sections] == SECTIONS
    assert all(section.question.endswith((".", "?")) and section.groups for section in two.sections)
    estimates = [
        (cell, column)
        for _, _, table in two.tables()
        for row in table.rows
        for cell, column in zip(row, table.columns, strict=True)
        if isinstance(cell, (Estimate, Own))
    ]
    assert len(estimates) > 1000
    assert [cell for cell, column in estimates if not interval(cell, column)] == []


def test_the_page_stands_alone(two: Document) -> None:
    page = Texts(as_html(two))
    assert all(address.startswith(("#", "data:")) for address in page.addresses)
    assert page.tags.count("script") == 1
    figures = [item for s in two.sections for g in s.groups for item in g.items if isinstance(item, Figure)]
    assert page.images == len(figures) > 20  # every picture says what it shows


def test_all_differing_options_are_compared(two: Document) -> None:
    rules = next(section for section in two.sections if section.name == "rules")
    table = next(t for section, _, t in two.tables() if section is rules and t.name == "options")
    first, second = (load(preset) for preset in ("europe", "europe-zh"))
    assert {str(row[0]) for row in table.rows if row[0]} == {
        key for key in first if first[key] != second[key]
    }
    sure = [row[4] for _, _, t in two.tables() if t.name == "differences" for row in t.rows]
    assert sure == sorted(sure, reverse=True) and sure[0] > 0  # type: ignore[type-var]


def load(preset: str) -> dict[str, str]:
    from ttr_sim.reports.differences import _texts
    from ttr_sim.rules import load_rules

    return _texts(load_rules(preset))


def test_names_are_text_on_the_page(evil_report: Document) -> None:
    page = as_html(evil_report)
    assert "<script>alert" not in page and "<img" not in page
    texts = Texts(page)
    assert texts.tags.count("script") == 1 and "img" not in texts.tags
    assert any(SCRIPT in text for text in texts.texts)


def test_names_are_text_in_markdown(evil_report: Document) -> None:
    text = as_markdown(evil_report)
    assert "<" not in text and "&#60;img" in text
    for line in text.splitlines():
        if line.startswith("|"):
            assert len(re.findall(r"(?<!\\)\|", line)) == line.count("|")


def test_tables_as_csv(two: Document) -> None:
    files = csv_files(two)
    for name, content in files.items():
        rows = list(csv.reader(io.StringIO(content)))
        assert len({len(row) for row in rows}) == 1, name
    tracks = list(csv.DictReader(io.StringIO(files["tracks"])))
    assert len(tracks) == 2 * 101
    for row in tracks:
        assert float(row["claimed_low"]) <= float(row["claimed"]) <= float(row["claimed_high"])


def test_as_plain_data(two: Document) -> None:
    plain = as_plain(two)
    assert all(len(row) == len(table["columns"]) for table in plain["tables"] for row in table["rows"])
    assert any("first seat" in finding["text"] for finding in plain["findings"])


@pytest.mark.parametrize(
    ("bots", "games", "more"),
    [
        ("greedy,random", 1, ()),  # one block
        ("loser.py,loser.py", 4, ()),  # nothing but forfeits
        ("greedy,random", 4, ("--option", "turn_limit=1")),  # over before anything happens
        ("random," * 7 + "random", 30, ("--format", "gauntlet")),
    ],
    ids=["one-block", "forfeits", "short", "eight-bots"],
)
def test_odd_runs(
    bots: str, games: int, more: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loser.py").write_text(LOSER)
    made = document(play(tmp_path / "run", bots, games, *more))
    page = as_html(made)
    assert not re.search(r"\b(nan|NaN|inf|Infinity|None(?! stands out))\b", page)
    assert [section.name for section in made.sections] == SECTIONS
    as_markdown(made), csv_files(made), as_plain(made)


def test_numbers_are_written_for_readers() -> None:
    share, gain, count = Column("", "", "share"), Column("", "", "gain"), Column("", "", "count")
    assert [number(x, share) for x in (0.1234, 0.0)] == ["12.3 %", "0.0 %"]
    assert [number(x, gain) for x in (0.05, -0.05, -0.0001)] == ["+5.0 pp", "−5.0 pp", "0.0 pp"]
    assert number(1234567, count) == "1 234 567"
    assert [number(x, Column("", "", "time")) for x in (2500, 2.5, 0.0025)] == ["2.5 s", "2.5 ms", "2.5 µs"]
    assert written(None, share) == "–"
    assert interval(Estimate(0.5, -float("inf"), float("inf"), 0, 1), share) == "interval unknown"


def test_short_names_stay_apart() -> None:
    names = [
        "mcts:iterations=100:exploration=0.35",
        "mcts:iterations=900:exploration=0.35",
        "a" * 200,
        "a" * 201,
    ]
    short = short_names(names)
    assert len(set(short)) == 4 and max(map(len, short)) <= 26
    assert short_names(["greedy"]) == ["greedy"]


def test_table_without_rows_says_so() -> None:
    table = Table("x", "X", [Column("a", "a")], [], note="None stands out.")
    assert table.note
