"""Turning a plan into the text of files."""
