"""The laboratory: many matches without a journal, and what they say about bots, seats and rules."""

from zashiki.lab.simulate import (
    CardEntry,
    Draws,
    Entry,
    Plan,
    Row,
    Summary,
    Turns,
    simulate,
    summarize,
)

__all__ = [
    "CardEntry",
    "Draws",
    "Entry",
    "Plan",
    "Row",
    "Summary",
    "Turns",
    "simulate",
    "summarize",
]
