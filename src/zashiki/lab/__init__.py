"""The laboratory: many matches without a journal, and what they say about bots, seats and rules."""

from zashiki.lab.simulate import Entry, Plan, Row, Summary, simulate, summarize

__all__ = ["Entry", "Plan", "Row", "Summary", "simulate", "summarize"]
