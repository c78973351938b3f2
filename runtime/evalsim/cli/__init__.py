"""The `evalsim` command; every command imports what it needs only when it runs."""
