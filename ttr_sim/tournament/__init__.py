"""From a line-up to finished games: schedule -> batches -> worker processes -> rows for the tables.

A tournament is a `Plan` (`make_plan`); `play` plays its games in worker processes and hands the rows to a sink,
usually `ttr_sim.results.writer.RunWriter`. Game n is a function of (run seed, n) only.
"""
