"""What runs at every click: Numba and numpy only, no files, no pandas, no configuration."""
