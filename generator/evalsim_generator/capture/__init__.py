"""Reading a fake's documents into one value, with every problem found on the way."""
