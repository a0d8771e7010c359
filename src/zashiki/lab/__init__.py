"""The laboratory: many matches between bots, and statistics on bots, seats and cards."""

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
