"""Pydantic models from captured schemas, one schema at a time."""
