"""The tests of Kingdoms: each ruling, each question of the rulebook, knowledge, samples."""

WITHOUT_BEHAVIOUR: dict[str, str] = {
    "RB 6.4": "says what a balanced set has to show, and there is none yet",
}
"""Rules that ask for no behaviour of their own, and why."""
