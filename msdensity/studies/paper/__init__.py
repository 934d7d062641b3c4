"""The tables and figures of paper 001; the default target."""
