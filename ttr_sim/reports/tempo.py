"""The tempo: how long games take, and what hands, trains and deck look like on the way."""

import numpy as np

from ttr_sim.reports import charts
from ttr_sim.reports.analysis import Analysis, SceneSums
from ttr_sim.reports.document import Cell, Column, Figure, Group, Section, Table, Text
from ttr_sim.reports.tempo_sums import KINDS
from ttr_sim.reports.wording import CHARTED, estimate_text, listed, say, short_names
from ttr_sim.results.events import ROUNDS, TURN_KINDS
from ttr_sim.stats import RatioSums, share_of_blocks

_ROUND = Column("round", "round", "count")
_ROUNDS = Column("rounds", "rounds", "number")
_SHARE = (0.0, 1.0)
_LEAST = 0.1  # rounds that fewer of the seats come to are not drawn


def tempo_section(analysis: Analysis) -> Section:
    """Return the section."""
    groups = []
    for sums in analysis.scenes:
        heading = sums.scene.name if len(analysis.scenes) > 1 else ""
        if not sums.played:
            groups.append(Group(heading, [Text("No game was played to its end.")]))
            continue
        items: list[Text | Table | Figure] = [Text(_finding(sums), strong=True), _length(sums), _use(sums)]
        items += [
            _by_bot(analysis, sums, sums.tempo.trains, "trains", "Trains left over time", "trains left"),
            _by_bot(analysis, sums, sums.tempo.cards, "cards", "Cards in hand over time", "cards in hand"),
            _deck(sums),
            _by_bot(analysis, sums, sums.tempo.ticket_draws, "ticket_draws", "When tickets are drawn",
                    "turns spent on tickets", share=True),
            _left(analysis, sums),
        ]  # fmt: skip
        groups.append(Group(heading, items))
    question = "How many rounds does a game take, what are turns spent on, and how do trains, hands and the deck run?"
    return Section("tempo", "The tempo", question, groups)


def _finding(sums: SceneSums) -> str:
    seen = sums.tempo.rounds_seen
    low, high = (int(np.searchsorted(np.cumsum(seen), part * seen.sum())) for part in (0.05, 0.95))
    mean = estimate_text(sums.tempo.rounds.at(), _ROUNDS)
    cut = "" if seen[ROUNDS + 1 :].sum() == 0 else f" Charts over time stop at round {ROUNDS}."
    return f"A game takes {mean} rounds; nine of ten take {low} to {high}.{cut}"


def _last(sums: SceneSums) -> int:
    """The last round that enough of the seats come to."""
    weight = sums.tempo.deck.weight
    return max(1, int((weight > _LEAST * weight[0]).sum()))


def _length(sums: SceneSums) -> Figure:
    seen = sums.tempo.rounds_seen
    some = np.flatnonzero(seen)
    width = max(1, round((some[-1] - some[0]) / 30))
    blocks = int(sums.tempo.rounds.blocks[()])
    columns = [Column("from", "rounds from", "count"), Column("to", "to", "count"), Column("games", "games", "count"),
               Column("share", "share", "share")]  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    marks: list[charts.Mark] = []
    for low in range(int(some[0]) // width * width, int(some[-1]) + 1, width):
        games = int(seen[low : low + width].sum())
        share = share_of_blocks(games / int(seen.sum()), blocks)
        rows.append((low, low + width - 1, games, share))
        marks.append({"x": low - 0.5, "x2": low + width - 0.5, "mean": share.mean, "low": share.low, "high": share.high,
                      "middle": low + (width - 1) / 2,
                      "say": f"{low} to {low + width - 1} rounds: {games} games, "
                             f"{estimate_text(share, columns[-1])}"})  # fmt: skip
    alt = f"Distribution of the number of rounds. {_finding(sums)}"
    table = Table("rounds", "Rounds to the end", columns, rows)
    spec = charts.bars(marks, "rounds", "share of games")
    return Figure("Rounds to the end", alt, lambda: charts.draw(spec, alt), table)


def _use(sums: SceneSums) -> Figure:
    use = sums.tempo.use
    shown = [i for i in range(len(KINDS)) if np.nansum(use.mean[i]) > 0]
    titles = [TURN_KINDS[KINDS[i]] for i in shown]
    columns = [
        _ROUND,
        *(Column(f"use_{KINDS[i]}", title, "share") for i, title in zip(shown, titles, strict=True)),
    ]
    rows: list[tuple[Cell, ...]] = []
    marks: list[charts.Mark] = []
    for r in range(_last(sums)):
        cells = [use.at((i, r), _SHARE) for i in shown]
        rows.append((r + 1, *cells))
        for order, (title, cell, column) in enumerate(zip(titles, cells, columns[1:], strict=True)):
            if cell is not None and cell.mean > 0:
                marks.append({"x": r + 0.5, "x2": r + 1.5, "mean": cell.mean, "series": title, "order": order,
                              "say": f"round {r + 1}: {title} {estimate_text(cell, column)}"})  # fmt: skip
    alt = f"What turns are spent on, by round: {listed(titles)}. Round 1: {say('', rows[0][1:], columns[1:])[2:]}."
    table = Table("turn_use", "What turns are spent on", columns, rows)
    spec = charts.areas(marks, titles, "round", "")
    return Figure("What turns are spent on", alt, lambda: charts.draw(spec, alt), table)


def _by_bot(
    analysis: Analysis,
    sums: SceneSums,
    values: RatioSums,
    name: str,
    title: str,
    unit: str,
    share: bool = False,
) -> Figure:
    bots = [bot for bot in analysis.order if values.weight[bot].any()]
    names = short_names([analysis.bots[bot] for bot in bots[:CHARTED]])
    value = Column(name, unit, "share" if share else "number")
    rows: list[tuple[Cell, ...]] = []
    marks: list[charts.Mark] = []
    for i, bot in enumerate(bots):
        weight = values.weight[bot]
        for r in range(int((weight > _LEAST * weight[0]).sum())):
            cell = values.at((bot, r), _SHARE if share else (0.0, np.inf))
            rows.append((analysis.bots[bot], r + 1, cell))
            if i < CHARTED and cell is not None:
                marks.append({"x": r + 1, "mean": cell.mean, "low": cell.low, "high": cell.high, "series": names[i],
                              "say": say(f"{names[i]}, round {r + 1}", (cell,), (value,))})  # fmt: skip
    alt = f"{title}, by bot. Some values: {listed([m['say'] for m in marks[:: max(1, len(marks) // 4)]], 5)}."
    table = Table(f"{name}_by_round", title, [Column("bot", "bot"), _ROUND, value], rows)
    spec = charts.lines(marks, names, "round", unit, "%" if share else "")
    return Figure(title, alt, lambda: charts.draw(spec, alt), table)


def _deck(sums: SceneSums) -> Figure:
    column = Column("deck", "cards in the deck", "number")
    rows = [(r + 1, sums.tempo.deck.at(r, (0.0, np.inf))) for r in range(_last(sums))]
    marks: list[charts.Mark] = [
        {"x": r, "mean": e.mean, "low": e.low, "high": e.high, "series": "",
         "say": say(f"round {r}", (e,), (column,))}
        for r, e in rows
        if e is not None
    ]  # fmt: skip
    alt = f"Cards in the deck by round: {listed([m['say'] for m in marks[:: max(1, len(marks) // 4)]], 5)}."
    table = Table("deck_by_round", "Cards in the deck", [_ROUND, column], rows)
    spec = charts.lines(marks, [""], "round", "cards in the deck")
    return Figure("Cards in the deck over time", alt, lambda: charts.draw(spec, alt), table)


def _left(analysis: Analysis, sums: SceneSums) -> Figure:
    bots = [bot for bot in analysis.order if sums.tempo.trains_left.weight[bot] > 0]
    names = short_names([analysis.bots[bot] for bot in bots[:CHARTED]])
    columns = [Column("bot", "bot"), Column("trains_left", "trains left", "number")]
    rows = [(analysis.bots[bot], sums.tempo.trains_left.at(bot, (0.0, np.inf))) for bot in bots]
    marks: list[charts.Mark] = [
        {
            "label": name,
            "mean": e.mean,
            "low": e.low,
            "high": e.high,
            "series": "",
            "say": say(name, (e,), columns[1:]),
        }
        for name, (_, e) in zip(names, rows, strict=False)
        if e is not None
    ]
    alt = "Trains left at the end. " + listed([m["say"] for m in marks])
    table = Table("trains_left", "Trains left at the end", columns, rows, key=True)
    spec = charts.intervals(marks, [""], "trains left at the end", 0)
    return Figure("Trains left at the end", alt, lambda: charts.draw(spec, alt), table)
