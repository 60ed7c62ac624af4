"""The tables of a run on disk: their schema, writing and reading them, and the leaderboard made from them."""
