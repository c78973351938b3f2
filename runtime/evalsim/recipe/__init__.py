"""The Recipe on disk: where its fakes are, which tools it allows, and how it is loaded."""
