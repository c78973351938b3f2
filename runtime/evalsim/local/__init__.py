"""`evalsim local`: a command run against a Recipe's fakes, in a workspace that tells it nothing."""
