"""Tests of what bot authors touch."""
