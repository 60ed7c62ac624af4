"""All figures of the benchmark, with their bars for one quiet core of the machine they were set on (2 cores)."""

from functools import partial

from ttr_sim.bench import envs, games, processes
from ttr_sim.bench.measure import Entry

ENTRIES = (
    Entry("calibration", "rounds/s", None, games.calibration),
    Entry("random_usa_2p", "games/s", 25_000, partial(games.game_rate, "usa", 2, "random")),
    Entry("random_europe_2p", "games/s", 18_000, partial(games.game_rate, "europe", 2, "random")),
    Entry("random_europe_4p", "games/s", None, partial(games.game_rate, "europe", 4, "random")),
    Entry("random_nordic_2p", "games/s", 18_000, partial(games.game_rate, "nordic", 2, "random")),
    Entry("playout_europe_2p", "playouts/s", 80_000, partial(games.playout_rate, "europe", 2)),
    Entry("mcts_europe_2p", "iterations/s", 50_000, partial(games.search_rate, "random", 1000)),
    Entry("mcts_default_europe_2p", "iterations/s", 20_000, partial(games.search_rate, "plan", 1000)),
    Entry("greedy_europe_2p", "games/s", None, partial(games.game_rate, "europe", 2, "greedy")),
    Entry("greedy_usa_2p", "games/s", 200, partial(games.game_rate, "usa", 2, "greedy")),
    Entry("planner_usa_2p", "games/s", 200, partial(games.game_rate, "usa", 2, "planner")),
    Entry("env_pettingzoo_steps", "steps/s", 30_000, envs.pettingzoo_steps),
    Entry("env_vector_steps", "steps/s", 400_000, envs.vector_steps),
    Entry("interpreted_overhead", "us/decision", 5, games.interpreted_overhead, at_most=True),
    Entry("two_workers", "ratio", 1.85, processes.two_workers),
    Entry("run_overhead", "share", 0.25, processes.run_overhead, at_most=True),
    Entry("cold_compile", "s", 45, processes.cold_compile, at_most=True),
    Entry("warm_start", "s", 1.5, processes.warm_start, at_most=True),
    Entry("help", "s", 0.3, processes.help_seconds, at_most=True),
)
