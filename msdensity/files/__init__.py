"""What touches the disk: atomic writes, journals, locks, text and checked tables."""
