"""A plan as lines of text and as plain data: who plays how often where."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from ttr_sim.tournament.plan import Plan, Setting


def games_of_bots(plan: Plan) -> list[int]:
    """Return the number of games of each bot."""
    per_cycle: Counter[int] = Counter()
    for match in plan.schedule.matches:
        for bot in match.bots:
            per_cycle[bot] += len(match.bots)
    cycles = plan.schedule.games // plan.schedule.cycle_games
    return [per_cycle[bot] * cycles for bot in range(len(plan.bots))]


def as_lines(plan: Plan, values: Mapping[str, Any]) -> list[str]:
    """Return a plan as text. values: what else was asked for, of which it shows `format` and `until_error`."""
    schedule = plan.schedule
    line_ups = len(schedule.matches) // len(plan.settings)
    players = len(schedule.matches[0].bots)
    each = schedule.games // len(schedule.matches)
    lines = [
        f"{values.get('format', 'plan')}: {_count(line_ups, 'line-up')} of {players} out of {len(plan.bots)} bots, "
        f"{_count(schedule.games, 'game')}, seed {schedule.seed}",
        f"bots: {', '.join(f'{label} ({n})' for label, n in zip(plan.labels, games_of_bots(plan), strict=True))} games",
        f"played on: {', '.join(setting_text(setting) for setting in plan.settings)}",
        f"each line-up: {_count(each, 'game')} in {_count(each // players, 'block')} "
        f"(one deal in all {players} rotations of the seats)",
    ]
    if values.get("until_error"):
        lines.append(f"ends earlier when every 95 % interval is within ±{values['until_error']:g} Elo")
    if limits := plan.limits.given():
        lines.append(f"limits: {', '.join(f'{name} {value}' for name, value in limits.items())}")
    return lines


def as_plain(plan: Plan, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a plan as JSON can hold it."""
    schedule = plan.schedule
    return {
        "format": values.get("format"),
        "players": len(schedule.matches[0].bots),
        "games": schedule.games,
        "blocks": schedule.blocks,
        "line_ups": len(schedule.matches),
        "seed": schedule.seed,
        "until_error": values.get("until_error"),
        "bots": [
            {"bot": label, "games": games}
            for label, games in zip(plan.labels, games_of_bots(plan), strict=True)
        ],
        "settings": [{"board": s.board.name, "rules": s.rules.name} for s in plan.settings],
        "limits": plan.limits.given(),
    }


def duration(seconds: float) -> str:
    """Return a time as people say it, to about two digits."""
    for unit, size, smaller, part in (("day", 86400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if seconds >= size:
            whole, rest = divmod(round(seconds / part), size // part)
            plural = "s" if unit == "day" and whole > 1 else ""
            return f"{whole} {unit}{plural}" + (f" {rest} {smaller}" if rest else "")
    return f"{seconds:.0f} s" if seconds >= 1 else "less than a second"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def setting_text(setting: Setting) -> str:
    """Return the names of a board and its rules, once where they are the same."""
    board, rules = setting.board.name, setting.rules.name
    return board if board == rules else f"{board} with rules {rules}"
