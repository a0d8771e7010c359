"""Red Town's tests: each ruling and example, plays against brute force, sampling, the bots."""

WITHOUT_BEHAVIOUR: dict[str, str] = {}
"""Rules that ask for no behaviour of their own, and why."""
