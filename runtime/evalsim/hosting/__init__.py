"""Serving a Recipe's fakes: calls, routes, files written beside them, start and stop."""
