"""Bots for KAMIZA: estimates, the playout policy of a search, and the solved strategy."""
