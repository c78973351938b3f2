"""The formats that schemas name, each with the verdicts of ajv-formats."""
