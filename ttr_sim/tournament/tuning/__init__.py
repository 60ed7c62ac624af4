"""Finding parameter values of a bot by playing (`ttr-sim tune`)."""
