"""Agents of any kind, and what each of them is given."""
