"""Bots for Kingdoms: values of cards and areas, odds, evaluation, and the playout policy."""
