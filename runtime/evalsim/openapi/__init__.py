"""OpenAPI descriptions: their normal form and the operations they describe."""
