"""How Numba compiles the kernel and how its machine code is cached."""
