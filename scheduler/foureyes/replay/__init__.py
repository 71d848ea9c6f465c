"""Recorded runs, driven through a real session turn by turn."""
