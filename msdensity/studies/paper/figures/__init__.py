"""The figures of paper 001, one file a figure or two of a kind."""
