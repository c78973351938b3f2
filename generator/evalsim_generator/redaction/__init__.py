"""Taking secrets out of what is written: sources, messages of servers, recorded calls."""
