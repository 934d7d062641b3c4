"""What the published numbers of paper 001 are, and which player they are of."""
