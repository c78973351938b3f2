"""Background jobs: run in an eval to their end, or only recorded."""
