"""Cassettes: recorded calls of real tools, kept as a file and replayed."""
