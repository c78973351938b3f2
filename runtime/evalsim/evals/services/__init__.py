"""Stand-ins for services that need no fake: each answers by rule, and tells what it was asked."""
