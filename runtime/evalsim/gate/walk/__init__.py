"""Changing a value by what its schema says: filling defaults, dropping nulls."""
