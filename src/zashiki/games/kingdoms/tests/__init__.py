"""The tests of Kingdoms: each ruling, each question of the rulebook, knowledge, samples."""
