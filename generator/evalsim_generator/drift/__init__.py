"""How a server's tools differ from the captured ones, and what each difference breaks."""
