"""Writing, comparing and checking what was generated."""
