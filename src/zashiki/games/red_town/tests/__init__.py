"""Red Town's tests: each ruling and example, plays against brute force, sampling, the bots."""

WITHOUT_BEHAVIOUR: dict[str, str] = {}
"""Rules without a separate behaviour to test, and the reasons."""
