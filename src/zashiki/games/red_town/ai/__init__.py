"""Bots for Red Town: a planner of hands, and the playout policy of a search."""
