"""Other definitions of the critical density, all measured on the same boards."""
