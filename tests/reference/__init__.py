"""An independent, plain and readable model of the rules, to hold the engine against."""
