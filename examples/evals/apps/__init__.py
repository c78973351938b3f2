"""Agents of several kinds; none of them knows that it is evaluated."""
