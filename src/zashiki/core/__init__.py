"""Contract, match, record, dice and rulings: pure, and ignorant of every game."""
