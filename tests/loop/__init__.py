"""Fakes of real servers, from the first capture to the verdict."""
