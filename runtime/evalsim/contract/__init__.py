"""What the real server said about itself, read once and prepared for every call."""
