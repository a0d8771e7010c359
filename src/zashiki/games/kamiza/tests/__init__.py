"""KAMIZA's tests: each ruling, each example, the exact sampling, the bots."""

WITHOUT_BEHAVIOUR = {
    "K2 4.5": "says that nothing differs with three players; every law runs with three and four",
}
"""Rules without a separate behaviour to test, and the reasons."""
