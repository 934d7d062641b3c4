"""How the kernel is compiled by Numba and how its machine code is kept."""
