"""Every cell as the first click, and how much of a win the board decides."""
