"""ttr-sim: tournaments of Ticket to Ride between bots, headless and fast.

    import ttr_sim as ttr

    run = ttr.run(bots=["greedy", "random"], games=1000)   # also: ttr.load(folder), ttr.resume(folder)
    print(run.leaderboard())                               # of several runs: ttr.leaderboard([run, other])
    run.games, run.seats, run.timing                       # polars LazyFrames
    game = run.game(3)                                     # a logged game: game.steps(), game.at(20), game.final
    ttr.new_game("usa", players=3, seed=7)                 # a Game to play by hand; ttr.Position builds one
    ttr.load_board("nordic"), ttr.load_rules("nordic")     # names: board_names(), rules_names(), bot_names()

Boards, games, runs and leaderboards show themselves in notebooks. Bots are written with `Bot`, `Param` and `policy`.
A mistake raises `TtrError`, a run that cannot go on `RunFailed`, an illegal step of a game `IllegalAction`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ttr_sim.api.boards import Board, Rules, board_names, bot_names, load_board, load_rules, rules_names
    from ttr_sim.api.games import Game, LoggedGame, Position, Result, View, new_game
    from ttr_sim.api.leaderboards import Leaderboard, Standing, leaderboard
    from ttr_sim.api.runs import Run, load, merge, resume, run
    from ttr_sim.bot import Bot, Param, policy
    from ttr_sim.errors import IllegalAction, RunFailed, TtrError

__version__ = "0.1.0"

# Where each name lives; it is imported when it is first used, so that `import ttr_sim` costs nothing.
_HOMES = {
    "ttr_sim.api.boards": "Board Rules board_names bot_names load_board load_rules rules_names",
    "ttr_sim.api.games": "Game LoggedGame Position Result View new_game",
    "ttr_sim.api.leaderboards": "Leaderboard Standing leaderboard",
    "ttr_sim.api.runs": "Run load merge resume run",
    "ttr_sim.bot": "Bot Param policy",
    "ttr_sim.errors": "IllegalAction RunFailed TtrError",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [
    "Board",
    "Bot",
    "Game",
    "IllegalAction",
    "Leaderboard",
    "LoggedGame",
    "Param",
    "Position",
    "Result",
    "Rules",
    "Run",
    "RunFailed",
    "Standing",
    "TtrError",
    "View",
    "board_names",
    "bot_names",
    "leaderboard",
    "load",
    "load_board",
    "load_rules",
    "merge",
    "new_game",
    "policy",
    "resume",
    "rules_names",
    "run",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(_HOME[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
