"""The gate every call and answer passes: JSON Schema as the official TypeScript SDK reads it."""
