"""The field: who is better, where their points come from, how their games end."""

import numpy as np

from ttr_sim.reports import charts, colors
from ttr_sim.reports.analysis import Analysis, SceneSums
from ttr_sim.reports.document import Cell, Column, Figure, Group, Item, Section, Table, Text
from ttr_sim.reports.field_sums import HIGHEST, LOWEST, PARTS
from ttr_sim.reports.pieces import ENDS
from ttr_sim.reports.wording import CHARTED, estimate_text, listed, say, short_names
from ttr_sim.stats import Estimate, share_of_blocks

_BOT = Column("bot", "bot")
_SHARE = (0.0, 1.0)
_END_TEXTS = (
    "final round",
    "no cards left",
    "all passed",
    "turn limit",
    "forfeit",
    "worker died",
    "not played",
)


def field_section(analysis: Analysis) -> Section:
    """Return the section."""
    warnings = [Text(f"Note: {warning}.") for warning in analysis.leaderboard.warnings]
    first: list[Item] = [Text(_finding(analysis), strong=True), *warnings, _standings(analysis)]
    first += _meetings(analysis)
    scenes = [(sums.scene.name, _of_scene(analysis, sums)) for sums in analysis.scenes]
    if len(scenes) == 1:
        groups = [Group("", [*first, *scenes[0][1]])]
    else:
        groups = [Group("", first), *(Group(name, items) for name, items in scenes)]
    groups.append(Group("", [_forfeits(analysis)]))
    question = (
        "Who is better, by how much and how surely, where do the points come from, and how do games end?"
    )
    return Section("field", "The field", question, groups)


def _of_scene(analysis: Analysis, sums: SceneSums) -> list[Item]:
    figures = [_scores(analysis, sums), _sources(analysis, sums)] if sums.played else []
    return [*figures, _ends(sums), _times(analysis, sums)]


def _standings(analysis: Analysis) -> Table:
    board = analysis.leaderboard
    columns = [
        _BOT,
        Column("games", "games", "count"),
        Column("elo", "Elo", "signed", 0),
        Column("win_rate", "win rate", "share"),
        Column("score", "score", "number"),
        Column("margin", "margin", "signed"),
        Column("ties", "shared wins", "count"),
        Column("forfeits", "forfeits", "count"),
    ]
    rows = [
        (s.bot, s.games, Estimate(s.elo, s.elo_low, s.elo_high, 0.0, s.win_rate.blocks), s.win_rate, s.score, s.margin,
         s.ties, s.forfeits)
        for s in board.standings
    ]  # fmt: skip
    note = "Elo by Bradley–Terry, zero is the mean; margin: points ahead of the best other seat."
    if not board.connected:
        note += " Not all bots met, not even through others: their Elo cannot be compared."
    if board.uncounted:
        note += f" {board.uncounted} games have no result: the worker process died."
    if board.unplayed:
        note += f" {board.unplayed} games were not played: a bot had been withdrawn for its forfeits."
    return Table("leaderboard", "Leaderboard", columns, rows, key=True, note=note)


def _finding(analysis: Analysis) -> str:
    board = analysis.leaderboard
    best = board.standings[0]
    if len(board.standings) == 1:
        return f"{best.bot} played alone."
    elo = Column("elo", "Elo", "signed", 0)
    lead = best.elo - board.standings[1].elo
    sure = float(board.los[0, 1])
    if sure < 0.975 and lead < 0.5:
        return f"It is open who is best: {best.bot} and {board.standings[1].bot} are level."
    if sure < 0.975:
        return f"It is open who is best: {best.bot} leads {board.standings[1].bot} by {lead:.0f} Elo, which may be chance."
    text = estimate_text(Estimate(best.elo, best.elo_low, best.elo_high, 0.0, 0), elo)
    return f"{best.bot} is best: Elo {text}, {lead:.0f} ahead of {board.standings[1].bot}."


def _meetings(analysis: Analysis) -> list[Item]:
    board = analysis.leaderboard
    names = [standing.bot for standing in board.standings]
    columns = [
        _BOT,
        Column("opponent", "against"),
        *(Column(name, name, "count") for name in ("games", "wins", "ties", "losses")),
        Column("share", "score", "share"),
    ]
    rows = [
        (names[m.bot], names[m.opponent], m.games, m.wins, m.ties, m.losses, m.score) for m in board.meetings
    ]
    table = Table("head_to_head", "Head to head", columns, rows, key=len(names) <= CHARTED)
    if len(names) < 3:
        return [table] if rows else []
    shown = short_names(names[: 2 * CHARTED])
    marks: list[charts.Mark] = []
    for meeting, row in zip(board.meetings, rows, strict=True):
        if max(meeting.bot, meeting.opponent) < len(shown):
            fill, ink = colors.diverging(2 * meeting.score.mean - 1)
            marks.append(
                {"label": shown[meeting.bot], "other": shown[meeting.opponent], "fill": fill, "ink": ink,
                 "text": f"{100 * meeting.score.mean:.0f}",
                 "say": say(f"{row[0]} against {row[1]}", (row[2], row[-1]), (columns[2], columns[-1]))}
            )  # fmt: skip
    alt = "Share of the points of each bot (rows) against each other (columns), in percent."
    return [Figure("Head to head, %", alt, lambda: charts.draw(charts.heat(marks, shown), alt), table)]


def _charted(analysis: Analysis, sums: SceneSums) -> tuple[list[int], list[str]]:
    """The bots of a scene that charts show, and their short names."""
    bots = [bot for bot in analysis.order if sums.field.score.weight[bot] > 0][:CHARTED]
    return bots, short_names([analysis.bots[bot] for bot in bots])


def _scores(analysis: Analysis, sums: SceneSums) -> Figure:
    bots, names = _charted(analysis, sums)
    counts = sums.field.scores
    seen = np.flatnonzero(counts.sum(axis=0))
    width = max(1, 5 * round((seen[-1] - seen[0]) / 40 / 5))
    first = (seen[0] + LOWEST) // width * width
    edges = np.arange(first, min(seen[-1] + LOWEST, HIGHEST) + width, width)
    columns = [_BOT, Column("from", "score from", "number", 0), Column("to", "to", "number", 0),
               Column("games", "games", "count"), Column("share", "share of its games", "share")]  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    marks: list[charts.Mark] = []
    for bot in np.flatnonzero(counts.sum(axis=1)):
        own = np.flatnonzero(counts[bot]) + LOWEST
        for edge in edges:
            low = max(int(edge) - LOWEST, 0)
            games = int(counts[bot, low : max(int(edge) + width - LOWEST, 0)].sum())
            share = share_of_blocks(games / int(counts[bot].sum()), int(sums.field.score.blocks[bot]))
            rows.append((analysis.bots[bot], int(edge), int(edge) + width - 1, games, share))
            if bot in bots and own[0] - 2 * width < edge <= own[-1] + width:  # its own range, down to 0
                name = names[bots.index(int(bot))]
                marks.append(
                    {"x": int(edge) + (width - 1) / 2, "mean": share.mean, "low": share.low, "high": share.high,
                     "series": name, "say": f"{name}: {games} games with {edge} to {edge + width - 1} points, "
                                            f"{estimate_text(share, columns[-1])}"}
                )  # fmt: skip
    score = Column("score", "score", "number")
    means = [f"{analysis.bots[bot]} {estimate_text(sums.field.score.at(bot), score)}" for bot in bots]
    alt = f"Distribution of final scores. Means: {listed(means)}."
    table = Table("score_distribution", "Final scores", columns, rows)
    return Figure(
        "Final scores, share of games",
        alt,
        lambda: charts.draw(charts.lines(marks, names, "score", "", ".0%"), alt),
        table,
    )


def _sources(analysis: Analysis, sums: SceneSums) -> Figure:
    bots, names = _charted(analysis, sums)
    parts = [
        i for i in range(len(PARTS)) if np.nan_to_num(np.abs(sums.field.parts.mean[:, i])).max() > 0
    ] or [0]
    titles = list(PARTS.values())
    columns = [_BOT, Column("score", "score"), *(Column(list(PARTS)[i], titles[i], "signed") for i in parts)]
    columns[1] = Column("score", "score", "number")
    rows: list[tuple[Cell, ...]] = []
    marks: list[charts.Mark] = []
    for bot in (b for b in analysis.order if sums.field.score.weight[b] > 0):
        cells = [sums.field.parts.at((bot, i)) for i in parts]
        rows.append((analysis.bots[bot], sums.field.score.at(bot), *cells))
        if bot in bots:
            name = names[bots.index(bot)]
            for place, (i, cell) in enumerate(zip(parts, cells, strict=True)):
                marks.append(
                    {"label": name, "series": titles[i], "value": cell.mean if cell else 0.0, "order": place,
                     "say": f"{name}, {titles[i]}: {estimate_text(cell, columns[2])}"}
                )  # fmt: skip
    alt = "Where the points of each bot come from, mean of a game. " + listed(
        [say(str(row[0]), row[1:], columns[1:]) for row in rows], 4
    )
    table = Table("points_by_source", "Where points come from", columns, rows, key=True)
    series = [titles[i] for i in parts]
    return Figure(
        "Where points come from, mean of a game",
        alt,
        lambda: charts.draw(charts.stacked(marks, series, "points"), alt),
        table,
    )


def _ends(sums: SceneSums) -> Table:
    columns = [Column("end", "end"), Column("share", "share of games", "share", 2)]
    rows = [
        (_END_TEXTS[i], sums.field.ends.at(i, _SHARE))
        for i in range(len(ENDS))
        if sums.field.ends.mean[i] > 0
    ]
    return Table("ends", "How games end", columns, rows)


def _times(analysis: Analysis, sums: SceneSums) -> Table:
    columns = [
        _BOT,
        Column("think_ms", "time of a decision", "time"),
        Column("slowest_ms", "slowest decision", "time"),
        Column("forfeited", "forfeited games", "share", 2),
    ]
    rows = [
        (analysis.bots[bot], sums.field.think_ms.at(bot, (0.0, np.inf)), float(sums.field.slowest_ms[bot]),
         sums.field.forfeits.at(bot, _SHARE))
        for bot in analysis.order
        if sums.field.forfeits.weight[bot] > 0
    ]  # fmt: skip
    return Table("think_time", "Think time", columns, rows)


def _forfeits(analysis: Analysis) -> Table | Text:
    faults = analysis.leaderboard.forfeits
    if not faults:
        return Text("No game was forfeited.")
    columns = [_BOT, Column("reason", "what it did"), Column("games", "games", "count")]
    return Table("forfeits", "Forfeits", columns, faults, key=True)
