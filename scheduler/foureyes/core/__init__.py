"""The rules: pure functions of frozen values, without IO, clock, randomness or await."""
