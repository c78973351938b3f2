"""The protocol held to the official conformance scenarios and the official clients."""
