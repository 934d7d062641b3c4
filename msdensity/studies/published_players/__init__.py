"""The players of papers 000, 003 and 004 beside their published tables; target `players`."""
