"""What perfect play wins on small boards, and what the players of the papers leave to it."""
