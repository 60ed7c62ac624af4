"""The viewer's page of a game of a run."""

from typing import Any

from ttr_sim.engine import Game
from ttr_sim.reports.viewer.data import game_data
from ttr_sim.reports.viewer.page import game_page
from ttr_sim.reports.viewer.thoughts import ask_again, by_decision
from ttr_sim.results.explain import stored_thoughts
from ttr_sim.results.logged import Settings, find_game
from ttr_sim.results.reader import Run


def logged_page(
    run: Run,
    number: int,
    settings: Settings | None = None,
    *,
    explain: bool = False,
    home: str = "",
    last: int = 0,
) -> str:
    """Return the page of a game, with what its bots thought if that was kept.

    settings: those of the run, if they are at hand. explain: ask the bots again what they thought. home: address of the
    list of games, where there is one; last: number of the last game in it. Raises TtrError when the game is not kept,
    its board is not as it was, or the bots cannot be asked.
    """
    logged = find_game(run, number)
    row = logged.games.to_pylist()[0]
    board, rules = (settings or Settings(run)).of(row["match"])
    bots = logged.seats.column("bot").to_pylist()
    game = Game.new(board, rules, row["players"], row["seed"], auto=False)
    thoughts = by_decision(stored_thoughts(run, number))
    if explain and not thoughts:
        thoughts = ask_again(run, number, row["actions"])
    data = game_data(game, row["actions"], bots, thoughts)
    data |= {"home": home, "number": number, "last_game": last, "asked": explain}
    where = f"run {run.info.get('name', '')}, block {row['block']}"
    about = f"{board.title} · rules {row['rules']} · seed {row['seed']} · {where}"
    return game_page(board, data, f"Game {number}: {' v '.join(bots)}", about, _ending(row, data))


def _ending(row: dict[str, Any], data: dict[str, Any]) -> str:
    if data["over"]:
        return f"Ended by {row['end']}, decided by {data['result']['decided_by']}."
    who = f"seat {row['forfeit_seat']} forfeits: " if row["forfeit_seat"] is not None else ""
    return f"Ended by {row['end']}: {who}{row['forfeit_reason'] or ''}. The scores are as the position stood."
