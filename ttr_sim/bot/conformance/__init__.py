"""Conformance of bots: plays them everywhere and looks for what breaks games, runs or trust (`ttr-sim bots check`)."""
