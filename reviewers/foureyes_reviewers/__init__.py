"""Reviewers for foureyes, found by their ``use`` names."""
