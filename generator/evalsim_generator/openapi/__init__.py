"""API fakes: descriptions read, trimmed and compared."""
