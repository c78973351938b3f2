"""The user's own modules: read by syntax tree, appended to, never rewritten."""
