"""The viewer: one game as a page that holds all of it, and a local site over the games of a run."""
