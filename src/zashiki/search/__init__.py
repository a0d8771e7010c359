"""Generic algorithms over games: they know the contract and no game."""
