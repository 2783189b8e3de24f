"""Shaping for the eye: pure functions from domain values to what the components show."""
