"""ttr-sim: tournaments of Ticket to Ride between bots, headless and fast."""

__version__ = "0.1.0"
