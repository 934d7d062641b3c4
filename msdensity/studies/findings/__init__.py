"""What all studies found, on one page. Target `findings`."""
