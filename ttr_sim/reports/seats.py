"""The seats: is it an advantage to begin?"""

import math

from ttr_sim import stats
from ttr_sim.reports import charts
from ttr_sim.reports.analysis import Analysis, SceneSums
from ttr_sim.reports.document import Column, Figure, Group, Section, Table, Text
from ttr_sim.reports.wording import CHARTED, estimate_text, listed, p_text, say, short_names

_SHARE = (0.0, 1.0)
_WINS = Column("win_rate", "win rate", "share")


def seats_section(analysis: Analysis) -> Section:
    """Return the section."""
    groups = []
    for sums in analysis.scenes:
        heading = sums.scene.name if len(analysis.scenes) > 1 else ""
        groups.append(
            Group(heading, [Text(_finding(sums), strong=True), _by_seat(sums), _by_bot(analysis, sums)])
        )
    question = "Does the seat matter, and is it an advantage to begin? Every deal is played in all rotations of the bots."
    return Section("seats", "The seats", question, groups)


def _finding(sums: SceneSums) -> str:
    players = sums.scene.players
    share = sums.field.seat_share.at(0, _SHARE)
    if share is None:
        return "No game has a result."
    fair = 1 / players
    gain = Column("gain", "gain", "gain")
    found = stats.Estimate(share.mean - fair, share.low - fair, share.high - fair, share.error, share.blocks)
    alone = 2 * stats.normal_cdf(-abs(found.mean) / share.error) if share.error > 0 else math.nan
    shares = [sums.field.seat_share.at(seat, _SHARE) for seat in range(players)]
    chi_square, p = stats.equal_seats([s for s in shares if s], int(sums.field.seat_share.weight[0]))
    if share.blocks < 2 or math.isnan(alone):
        verdict = "Too few blocks to say whether the first seat matters"
    elif alone >= 0.05:
        verdict = "No advantage of the first seat is seen"
    else:
        verdict = f"The first seat is {'an advantage' if found.mean > 0 else 'a disadvantage'}"
    test = "" if math.isnan(alone) else f", {p_text(alone)}"
    all_equal = f" All seats equal: χ² = {chi_square:.1f}, {p_text(p)}." if players > 2 else ""
    return (
        f"{verdict}: it wins {estimate_text(share, _WINS)}, {estimate_text(found, gain)} against the fair "
        f"{100 * fair:.1f} %{test}.{all_equal}"
    )


def _by_seat(sums: SceneSums) -> Figure:
    columns = [Column("seat", "seat"), _WINS, Column("score", "score", "number")]
    rows = [
        (f"seat {seat + 1}", sums.field.seat_share.at(seat, _SHARE), sums.field.seat_score.at(seat))
        for seat in range(sums.scene.players)
    ]
    table = Table("seats", "Win rate and score by seat", columns, rows, key=True)
    marks: list[charts.Mark] = [
        {
            "label": label,
            "mean": e.mean,
            "low": e.low,
            "high": e.high,
            "series": "",
            "say": say(label, (e,), [_WINS]),
        }
        for label, e, _ in rows
        if e is not None
    ]
    alt = "Win rate by seat. " + listed([mark["say"] for mark in marks])
    spec = charts.intervals(marks, [""], "win rate; dashed: fair", 1 / sums.scene.players, "%")
    return Figure("Win rate by seat", alt, lambda: charts.draw(spec, alt), table)


def _by_bot(analysis: Analysis, sums: SceneSums) -> Figure:
    seats = [f"seat {seat + 1}" for seat in range(sums.scene.players)]
    columns = [
        Column("bot", "bot"),
        *(Column(f"win_rate_{i}", seat, "share") for i, seat in enumerate(seats, 1)),
    ]
    share = sums.field.bot_seat_share
    bots = [bot for bot in analysis.order if share.weight[bot].any()]
    rows = [
        (analysis.bots[bot], *(share.at((bot, seat), _SHARE) for seat in range(len(seats)))) for bot in bots
    ]
    names = short_names([str(row[0]) for row in rows[:CHARTED]])
    marks: list[charts.Mark] = [
        {"label": name, "mean": e.mean, "low": e.low, "high": e.high, "series": seat,
         "say": say(f"{name}, {seat}", (e,), [_WINS])}
        for name, row in zip(names, rows, strict=False)
        for seat, e in zip(seats, row[1:], strict=True)
        if isinstance(e, stats.Estimate)
    ]  # fmt: skip
    alt = "Win rate of each bot by seat. " + listed([mark["say"] for mark in marks])
    table = Table("seats_by_bot", "Win rate of each bot by seat", columns, rows)
    spec = charts.intervals(marks, seats, "win rate", form="%")
    return Figure("Win rate of each bot by seat", alt, lambda: charts.draw(spec, alt), table)
