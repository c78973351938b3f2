"""A model server on loopback: scripted, with every call of it decoded."""
