"""Pages and texts for people, made from result tables and boards."""
