"""Tests of ttr-sim."""
