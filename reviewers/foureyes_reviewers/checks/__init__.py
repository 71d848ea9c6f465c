"""Reviewers that need no model."""
