"""Stubs held to JSON Schemas: of tool lists, Pydantic models, functions, and a fake's contract."""
