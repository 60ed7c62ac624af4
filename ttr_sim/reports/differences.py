"""The rules: what differs between boards and presets, the largest first."""

import math
from dataclasses import dataclass

from ttr_sim.reports import charts
from ttr_sim.reports.analysis import Analysis, SceneSums
from ttr_sim.reports.document import Cell, Column, Figure, Group, Item, Own, Section, Table, Text
from ttr_sim.reports.measures import MEASURES, Measure
from ttr_sim.reports.wording import listed, say
from ttr_sim.rules import OPTIONS, Rules, as_text
from ttr_sim.stats import Estimate
from ttr_sim.stats.distributions import Z95

_CHARTED = 18  # the largest differences


def rules_section(analysis: Analysis) -> Section:
    """Return the section."""
    question = (
        "What do other boards, rules or numbers of players change? Differences from the first, the surely largest "
        "in proportion first."
    )
    played = [sums for sums in analysis.scenes if sums.played]
    if len(played) < 2:
        text = "Give two or more runs under different rules or boards, and they are compared here."
        return Section("rules", "The rules", question, [Group("", [Text(text)])])
    groups = []
    if _line_ups_differ(played):
        groups.append(
            Group("", [Text("Not the same bots played everywhere: what differs is owed to them too.")])
        )
    base = played[0]
    for other in played[1:]:
        heading = f"{base.scene.name} → {other.scene.name}"
        groups.append(Group(heading, [*_differences(base, other), _options(base, other)]))
    return Section("rules", "The rules", question, groups)


def _line_ups_differ(played: list[SceneSums]) -> bool:
    there = [tuple(sums.field.score.weight > 0) for sums in played]
    return len(set(there)) > 1


def _estimate(sums: SceneSums, index: int) -> Estimate | None:
    bounds = (0.0, 1.0) if MEASURES[index].kind == "share" else (-math.inf, math.inf)
    return sums.measures.ratios.at(index, bounds)


def _plain(measure: Measure) -> Column:
    return Column(measure.name, measure.title, measure.kind, 1 if measure.kind == "share" else 2)


def _signed(measure: Measure, title: str = "difference") -> Column:
    return Column(
        measure.name, title, "gain" if measure.kind == "share" else "signed", _plain(measure).digits
    )


@dataclass(frozen=True, slots=True)
class _Found:
    """A measure in two scenes. sure: how large the difference surely is, as a part of the size of the two."""

    measure: Measure
    first: Estimate
    second: Estimate

    @property
    def difference(self) -> Estimate:
        """Second less first; they rest on different games."""
        mean, error = self.second.mean - self.first.mean, math.hypot(self.first.error, self.second.error)
        blocks = min(self.first.blocks, self.second.blocks)
        return Estimate(mean, mean - Z95 * error, mean + Z95 * error, error, blocks)

    @property
    def size(self) -> float:
        return (abs(self.first.mean) + abs(self.second.mean)) / 2

    @property
    def sure(self) -> float:
        found = self.difference
        inside = found.low <= 0 <= found.high
        return 0.0 if inside else min(abs(found.low), abs(found.high)) / self.size

    def cells(self) -> tuple[Cell, ...]:
        plain, signed = _plain(self.measure), _signed(self.measure)
        return Own(self.first, plain), Own(self.second, plain), Own(self.difference, signed)


def _found(base: SceneSums, other: SceneSums) -> list[_Found]:
    """Every measure that says something, the surely largest difference first."""
    found = []
    for i, measure in enumerate(MEASURES):
        first, second = _estimate(base, i), _estimate(other, i)
        if first is not None and second is not None and (first.mean, second.mean) != (0.0, 0.0):
            found.append(_Found(measure, first, second))
    return sorted(found, key=lambda item: -item.sure)


def _differences(base: SceneSums, other: SceneSums) -> list[Item]:
    first, second = base.scene.name, other.scene.name
    columns = [
        Column("measure", "measure"),
        Column("first", first, "number"),
        Column("second", second, "number"),
        Column("difference", "difference", "number"),
        Column("surely", "surely, in proportion", "share", 0),
    ]
    found = _found(base, other)
    rows = [(item.measure.title, *item.cells(), item.sure) for item in found]
    marks: list[charts.Mark] = [
        {"label": item.measure.title, "series": "", "mean": item.difference.mean / item.size,
         "low": item.difference.low / item.size, "high": item.difference.high / item.size,
         "say": say(item.measure.title, item.cells(), columns[1:4])}
        for item in found[:_CHARTED]
        if item.sure > 0
    ]  # fmt: skip
    alt = f"Differences from {first} to {second} in proportion, the surely largest first: " + listed(
        [str(mark["say"]) for mark in marks], 4
    )
    table = Table("differences", f"Side by side: {first} → {second}", columns, rows, key=True)
    spec = charts.intervals(marks, [""], "difference, in proportion", 0, "+%", limit=(-2.0, 2.0))
    return [table, Figure("What surely differs, in proportion", alt, lambda: charts.draw(spec, alt), table)]


def _options(base: SceneSums, other: SceneSums) -> Table:
    """The options that differ, each with the measure that it surely changed most."""
    first, second = _texts(base.scene.rules), _texts(other.scene.rules)
    found = _found(base, other)
    rows: list[tuple[Cell, ...]] = []
    for option in (name for name in OPTIONS if first[name] != second[name]):
        shown = [item for item in found if option in item.measure.options][:2]
        for i, item in enumerate(shown):
            front = (option, first[option], second[option]) if i == 0 else ("", "", "")
            rows.append((*front, item.measure.title, *item.cells()))
        if not shown:
            rows.append((option, first[option], second[option], "not measured", None, None, None))
    columns = [
        Column("option", "option"),
        Column("first_value", base.scene.name),
        Column("second_value", other.scene.name),
        Column("measure", "what it shows in"),
        Column("first", "before", "number"),
        Column("second", "after", "number"),
        Column("difference", "difference", "number"),
    ]
    note = "All options of the two differ together; a difference is laid to those that can bring it about."
    return Table("options", f"Options that differ: {base.scene.name} → {other.scene.name}", columns, rows, key=True,
                 note=note if rows else "The rules are the same.")  # fmt: skip


def _texts(rules: Rules) -> dict[str, str]:
    """Every option as text, those in tables under "table.key"."""
    flat: dict[str, str] = {}
    for key, value in rules.options().items():
        inner = isinstance(value, dict) and key != "route_points"
        flat |= {f"{key}.{part}": as_text(v) for part, v in value.items()} if inner else {key: as_text(value)}
    return flat
