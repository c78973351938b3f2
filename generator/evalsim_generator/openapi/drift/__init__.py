"""How a description's operations differ from the captured ones, and what each change breaks."""
