"""Worlds: one scenario's live states, their initial values, a clock and the faults seen."""
