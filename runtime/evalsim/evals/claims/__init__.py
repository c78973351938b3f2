"""Readers of turns, and claims about them that say what happened instead when they do not hold."""
