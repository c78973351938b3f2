"""What a real server was seen to answer, as shapes and formats: never as values."""
