"""The answer of a sequential test in words and as plain data."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttr_sim.stats import Verdict
    from ttr_sim.tournament.duel import DuelTest

_PENTANOMIAL = ("LL", "LD", "WL+DD", "WD", "WW")
_TRINOMIAL = ("L", "D", "W")


def standing(test: "DuelTest") -> str:
    """Return where a test stands, in one line."""
    from ttr_sim.stats import summarise

    state, elo = test.state, summarise(test.scores, test.test.games_per_block)
    left = state.blocks_left * test.duel.plan.schedule.cycle_games
    return (
        f"{test.games} games: LLR {state.llr:+.2f} [{state.lower:.2f}, {state.upper:.2f}], "
        f"Elo {elo.elo:+.1f} ± {elo.error:.1f}, about {left:.0f} games left"
    )


def heading(verdict: "Verdict", who: str) -> str:
    """Return the answer in one line; `who` names what was compared."""
    elo0, elo1 = f"Elo {verdict.test.elo0:g}", f"Elo {verdict.test.elo1:g}"
    what = {
        "accepted": f"{elo1} is accepted, {elo0} is not",
        "regression": f"{elo0} is accepted, {elo1} is not",
        "undecided": f"neither {elo0} nor {elo1} can be accepted yet",
    }[verdict.answer]
    return f"{verdict.answer}: {who}: {what}"


def facts(verdict: "Verdict") -> dict[str, str]:
    """Return what the answer rests on, by heading."""
    state, test, elo = verdict.state, verdict.test, verdict.elo
    other = "logistic" if test.model == "normalised" else "normalised"
    found = {
        "blocks": f"{state.blocks:.0f}, mean score {elo.score:.2%}",
        "LLR": f"{state.llr:+.5f} [{state.lower:.2f}, {state.upper:.2f}] {test.model}; "
        f"{verdict.llrs[other]:+.5f} {other}",
        "tested": f"Elo {test.elo0:g} against {test.elo1:g}, alpha {test.alpha:g}, beta {test.beta:g}",
        "Elo": f"{elo.elo:+.4g} ± {elo.error:.4g} (95 %: {elo.low:+.4g} to {elo.high:+.4g}), "
        f"normalised {elo.nelo:+.4g}",
        "superiority": f"{elo.los:.2%}",
    }
    if names := _names(verdict):
        numbers = zip(names, verdict.scores.counts, strict=True)
        found["counts"] = ", ".join(f"{name} {count:.0f}" for name, count in numbers)
    if verdict.answer == "undecided":
        found["left"] = f"about {state.blocks_left:.0f} more blocks"
    return found


def as_plain(verdict: "Verdict") -> dict[str, Any]:
    """Return the answer as JSON can hold it."""
    state, test, elo = verdict.state, verdict.test, verdict.elo
    tested = {name: getattr(test, name) for name in ("model", "elo0", "elo1", "alpha", "beta")}
    return {
        "answer": verdict.answer,
        "accepted_hypothesis": None if state.decision == "continue" else state.decision,
        **tested,
        "llr": round(state.llr, 6),
        "llr_lower": round(state.lower, 6),
        "llr_upper": round(state.upper, 6),
        "llrs": {model: round(value, 6) for model, value in verdict.llrs.items()},
        "elo": round(elo.elo, 3),
        "elo_low": round(elo.low, 3),
        "elo_high": round(elo.high, 3),
        "normalised_elo": round(elo.nelo, 3),
        "superiority": round(elo.los, 6),
        "score": round(elo.score, 6),
        "blocks": int(state.blocks),
        "blocks_left": round(state.blocks_left),
        "counts": [
            {"score": round(value, 6), "blocks": int(count)}
            for value, count in zip(verdict.scores.values, verdict.scores.counts, strict=True)
        ],
    }


def _names(verdict: "Verdict") -> tuple[str, ...]:
    """Return the names of the block scores where they have some."""
    values = verdict.scores.values
    if values == (0.0, 0.25, 0.5, 0.75, 1.0):
        return _PENTANOMIAL
    return _TRINOMIAL if values == (0.0, 0.5, 1.0) and verdict.test.games_per_block == 1 else ()
