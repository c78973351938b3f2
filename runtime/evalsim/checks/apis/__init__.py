"""The checks of API fakes: what holds for tools, held to requests and answers."""
