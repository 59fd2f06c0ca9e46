"""Readers of graph files: a text is read as exactly one format, wholly, or refused."""
