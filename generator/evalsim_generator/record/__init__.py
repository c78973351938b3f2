"""Recording what passes between an agent and a live server, whose answers reach it unchanged."""
