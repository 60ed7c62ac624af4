"""The tickets: which are worth keeping, and which go well together."""

import numpy as np

from ttr_sim.engine.actions import ticket_name
from ttr_sim.reports import charts
from ttr_sim.reports.analysis import Analysis, SceneSums
from ttr_sim.reports.document import Cell, Column, Figure, Group, Section, Table, Text
from ttr_sim.reports.ticket_sums import TicketSums
from ttr_sim.reports.value import LEAST_BLOCKS, beyond_chance
from ttr_sim.reports.wording import listed, say
from ttr_sim.stats import Estimate, RatioSums
from ttr_sim.stats.distributions import Z95

_BOUNDS = {
    "kept": (0.0, 1.0),
    "done": (0.0, 1.0),
    "cut": (0.0, 1.0),
    "setup": (0.0, 1.0),
    "lift": (-1.0, 1.0),
}
_COLUMNS = (
    Column("offered", "dealt a game", "number", 2),
    Column("kept", "kept", "share"),
    Column("done", "completed", "share"),
    Column("net", "points", "signed"),
    Column("lift", "wins above expected", "gain"),
    Column("cut", "cut off", "share"),
)
_PAIRS = 12


def tickets_section(analysis: Analysis) -> Section:
    """Return the section."""
    groups = []
    for sums in analysis.scenes:
        heading = sums.scene.name if len(analysis.scenes) > 1 else ""
        if not sums.played:
            groups.append(Group(heading, [Text("No game was played to its end.")]))
            continue
        table = _every(sums)
        groups.append(
            Group(heading, [_classes(sums), _net(sums, table), _lift(table), _fate(table), _pairs(sums)])
        )
    question = (
        "Which tickets are kept and completed, what do they bring in points (lost ones count against them), and do "
        "their holders win more than the same bot does in other blocks?"
    )
    return Section("tickets", "The tickets", question, groups)


def _cells(group: dict[str, RatioSums], index: int) -> list[Cell]:
    return [group[c.name].at(index, _BOUNDS.get(c.name, (-np.inf, np.inf))) for c in _COLUMNS]


def _every(sums: SceneSums) -> Table:
    board = sums.scene.board
    columns = [Column("ticket", "ticket"), Column("pile", "pile"), *_COLUMNS]
    rows = [
        (ticket_name(board, t), "long" if ticket.long else "regular", *_cells(sums.tickets.single, t))
        for t, ticket in enumerate(board.tickets)
    ]
    net = np.nan_to_num(sums.tickets.single["net"].mean, nan=-1e9)
    return Table("tickets", "Every ticket", columns, [rows[t] for t in np.argsort(-net, kind="stable")])


def _classes(sums: SceneSums) -> Table:
    columns = [Column("pile", "tickets"), Column("number", "on the board", "count"), *_COLUMNS]
    rows = []
    for i, name in enumerate(("regular", "long")):
        number = sum(ticket.long == bool(i) for ticket in sums.scene.board.tickets)
        if number:
            rows.append((name, number, *_cells(sums.tickets.classes, i)))
    note = "Dealt: offers to keep, at the start or drawn; cut off: not completed, the cities parted by others for good."
    return Table("ticket_classes", "Long against regular tickets", columns, rows, key=True, note=note)


def _net(sums: SceneSums, table: Table) -> Figure:
    column = _COLUMNS[3]
    marks = _marks(table, 5)
    series = [s for s in ("regular", "long") if any(m["series"] == s for m in marks)] or ["regular"]
    alt = "Points a kept ticket brings, the best first. " + listed([m["say"] for m in marks[:3] + marks[-2:]])
    spec = charts.intervals(marks, series, "points, won less lost", 0, one_row=True)
    return Figure(f"What a kept ticket brings, {column.title}", alt, lambda: charts.draw(spec, alt), table)


def _lift(table: Table) -> Figure:
    marks = _marks(table, 6)
    marks.sort(key=lambda mark: -mark["mean"])
    series = [s for s in ("regular", "long") if any(m["series"] == s for m in marks)] or ["regular"]
    alt = "How much more than expected the holders of each ticket win. " + listed(
        [m["say"] for m in marks[:3] + marks[-2:]]
    )
    spec = charts.intervals(marks, series, "holder's wins above expected", 0, "+%", one_row=True)
    return Figure("Does a ticket help to win?", alt, lambda: charts.draw(spec, alt), table)


def _fate(table: Table) -> Figure:
    """Kept and completed, the most often kept first."""
    kept, done = table.columns[3], table.columns[4]
    marks: list[charts.Mark] = []
    for row in sorted(table.rows, key=lambda row: -row[3].mean if isinstance(row[3], Estimate) else 0.0):
        for column, cell in zip((kept, done), row[3:5], strict=True):
            if isinstance(cell, Estimate):
                marks.append({"label": str(row[0]), "series": column.title, "mean": cell.mean, "low": cell.low,
                              "high": cell.high, "say": say(str(row[0]), (cell,), (column,))})  # fmt: skip
    alt = "How often each ticket is kept when offered, and completed when kept. " + listed(
        [m["say"] for m in marks[:6]]
    )
    spec = charts.intervals(marks, [kept.title, done.title], "share", form="%", one_row=True)
    return Figure("Kept of the offered, completed of the kept", alt, lambda: charts.draw(spec, alt), table)


def _marks(table: Table, place: int) -> list[charts.Mark]:
    column = table.columns[place]
    return [
        {"label": str(row[0]), "series": str(row[1]), "mean": cell.mean, "low": cell.low, "high": cell.high,
         "say": say(str(row[0]), row[2:], table.columns[2:]), "column": column.name}
        for row in table.rows
        if isinstance(cell := row[place], Estimate)
    ]  # fmt: skip


def _pairs(sums: SceneSums) -> Table:
    board, found = sums.scene.board, sums.tickets
    alone = found.single["net"].mean
    gain = found.pair_net.mean - alone[found.first] - alone[found.second]
    ready = (found.pair_net.blocks >= LEAST_BLOCKS) & (found.pair_net.error > 0)
    worth = np.where(ready, gain - Z95 * found.pair_net.error, -np.inf)
    best = [int(i) for i in np.argsort(-worth, kind="stable")[:_PAIRS] if worth[i] > 0]
    columns = [
        Column("first", "ticket"),
        Column("second", "with"),
        Column("kept", "kept together", "count"),
        Column("done", "both completed", "share"),
        Column("gain", "points above both alone", "signed"),
        Column("lift", "wins above expected", "gain"),
        Column("certain", "certain"),
    ]
    rows = [
        (ticket_name(board, int(found.first[i])), ticket_name(board, int(found.second[i])),
         float(found.pair_net.weight[i]), found.pair_done.at(i, (0.0, 1.0)), _moved(found, i, float(gain[i])),
         found.pair_lift.at(i, (-1.0, 1.0)), "yes" if beyond_chance(gain, found.pair_net, i) else "perhaps")
        for i in best
    ]  # fmt: skip
    note = (
        f"Of {len(gain)} pairs, those whose points together are surely above what each brings on its own; certain are "
        "those that would stand out even among so many."
    )
    return Table(
        "ticket_pairs",
        "Pairs that go well together",
        columns,
        rows,
        key=True,
        note=note if rows else "None stands out.",
    )


def _moved(found: TicketSums, index: int, gain: float) -> Estimate | None:
    both = found.pair_net.at(index)
    if both is None:
        return None
    by = gain - both.mean
    return Estimate(gain, both.low + by, both.high + by, both.error, both.blocks)
