"""`ttr-sim bench`: how fast the engine and the bots are here, beside what they should reach."""

from typing import TYPE_CHECKING

import click

from ttr_sim.cli.output import json_option, print_json, print_table
from ttr_sim.errors import unknown
from ttr_sim.tournament.prepare import ensure_warm

if TYPE_CHECKING:
    from ttr_sim.bench.measure import Entry


@click.command(epilog="Example: ttr-sim bench --only random_europe_2p,help")
@click.option("--only", metavar="NAME,NAME...", help="Measure only these.")
@click.option("--profile", is_flag=True, help="Show where the time of a random game goes instead.")
@click.option("--rules", "rules_name", default="europe", show_default=True, help="Preset of --profile.")
@click.option("--players", default=2, show_default=True, help="Players of --profile.")
@json_option
def bench(only: str | None, profile: bool, rules_name: str, players: int, as_json: bool) -> None:
    """Measure the speed of the engine and the bots: one core, the best of several short rounds.

    The bars are for a quiet machine; compare `calibration`, the speed of plain Python, with that of another moment.
    All figures take about two minutes.
    """
    from ttr_sim.bot.warm import built_in

    ensure_warm(bots=built_in())
    if profile:
        _profile(rules_name, players, as_json)
        return
    from ttr_sim.bench.entries import ENTRIES

    entries = {entry.name: entry for entry in ENTRIES}
    names = [name.strip() for name in only.split(",")] if only else list(entries)
    for name in names:
        if name not in entries:
            raise unknown("benchmark", name, entries, "--only: ")
    measured = [(entries[name], value) for name in names if (value := _measure(entries[name])) is not None]
    if as_json:
        results = [{"name": e.name, "value": _rounded(v), "unit": e.unit} for e, v in measured]
        print_json({"results": results})
    else:
        rows = [(e.name, f"{_rounded(v):,}", e.unit, _bar(e), _verdict(e, v)) for e, v in measured]
        print_table(("figure", "value", "unit", "bar", ""), rows)


def _measure(entry: "Entry") -> float | None:
    from ttr_sim.bench.measure import Absent

    click.echo(f"measuring {entry.name}", err=True)
    try:
        return entry.measure()
    except Absent as absent:
        click.echo(f"{entry.name} is left out: {absent}", err=True)
        return None


def _rounded(value: float) -> float | int:
    return round(value) if value >= 1000 else round(value, 3)


def _bar(entry: "Entry") -> str:
    if entry.bar is None:
        return ""
    return f"{'at most' if entry.at_most else 'at least'} {entry.bar:,}"


def _verdict(entry: "Entry", value: float) -> str:
    return "" if entry.reaches(value) else "missed"


def _profile(rules_name: str, players: int, as_json: bool) -> None:
    from ttr_sim.bench.profile import profile

    parts, whole = profile(rules_name, players)
    rest = whole - sum(part.microseconds for part in parts)
    if as_json:
        listed = [{"name": p.name, "times": p.times, "us": p.microseconds} for p in parts]
        print_json({"game_us": whole, "parts": listed, "rest_us": rest})
        return
    rows = [(p.name, f"{p.times:.0f}", *_time(p.microseconds, p.times, whole)) for p in parts]
    rows.append(("the rest (loop, log, random streams)", "1", *_time(rest, 1, whole)))
    rows.append(("a game in the driver", "1", *_time(whole, 1, whole)))
    print_table(("part", "times", "us", "ns each", "share"), rows)


def _time(microseconds: float, times: float, whole: float) -> tuple[str, str, str]:
    each = f"{1000 * microseconds / times:.0f}"
    return f"{microseconds:.1f}", each, f"{100 * microseconds / whole:.0f} %"
