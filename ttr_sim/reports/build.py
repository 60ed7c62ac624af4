"""A report: the document made from what was counted."""

from ttr_sim.reports.analysis import Analysis
from ttr_sim.reports.board import board_section
from ttr_sim.reports.differences import rules_section
from ttr_sim.reports.document import Document
from ttr_sim.reports.field import field_section
from ttr_sim.reports.seats import seats_section
from ttr_sim.reports.tempo import tempo_section
from ttr_sim.reports.tickets import tickets_section
from ttr_sim.reports.wording import listed

_SECTIONS = (field_section, seats_section, board_section, tickets_section, rules_section, tempo_section)


def build(analysis: Analysis) -> Document:
    """Return the report."""
    names = [str(run.info.get("name") or run.folder.path.name) for run in analysis.runs]
    return Document(
        f"Balance report: {listed(names, 4)}",
        _facts(analysis, names),
        [section(analysis) for section in _SECTIONS],
    )


def _facts(analysis: Analysis, names: list[str]) -> list[tuple[str, str]]:
    board = analysis.leaderboard
    scenes = [f"{sums.scene.name} ({sums.games} games)" for sums in analysis.scenes]
    facts = [
        ("runs", ", ".join(names)),
        ("games", f"{board.games} in {board.blocks} blocks"),
        ("played on", "; ".join(scenes)),
        ("bots", ", ".join(analysis.bots)),
    ]
    unfinished = [name for run, name in zip(analysis.runs, names, strict=True) if not run.finished]
    if unfinished:
        facts.append(("unfinished", ", ".join(unfinished)))
    forfeited = sum(sums.games - sums.played for sums in analysis.scenes)
    if forfeited:
        facts.append(("not played to their end", f"{forfeited} games; only who won them is counted"))
    return facts
