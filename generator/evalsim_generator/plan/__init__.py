"""Deciding what to generate: names, tools and problems, as frozen values."""
