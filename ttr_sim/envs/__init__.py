"""Adapters to the standard interfaces of other frameworks: PettingZoo, Gymnasium, OpenSpiel (optional extras)."""
