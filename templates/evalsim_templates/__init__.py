"""Jinja templates of the generated and scaffolded files; package data only."""
