"""Trimming a description to the operations a fake serves and all that they reach."""
