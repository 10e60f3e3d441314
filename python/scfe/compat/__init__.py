"""Doors for users of other packages: their words, our engine."""
