"""Which number of a played game stands in which column of `seats`."""

# Column -> name in `ttr_sim.bot.driver.PLAYED` or its scores. These are unknown when a game was not played to its end.
SCORES = {
    "score": "score",
    "route_points": "routes",
    "ticket_points_won": "tickets_won",
    "ticket_points_lost": "tickets_lost",
    "longest_path_points": "longest_bonus",
    "globetrotter_points": "globetrotter",
    "all_trains_points": "all_trains",
    "station_points": "stations_points",
    "tickets_completed": "completed",
    "tickets_failed": "failed",
    "longest_path": "longest",
}
COUNTS = {
    "tickets_kept": "tickets_kept",
    "routes": "tracks",
    "trains_left": "trains_left",
    "stations_placed": "stations_placed",
    "decisions": "seat_decisions",
    "cards_drawn": "cards_drawn",
}
