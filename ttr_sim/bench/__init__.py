"""Measurements of speed: each entry is a figure with its bar."""
