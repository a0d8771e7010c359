"""Measure whether a card set of Kingdoms is balanced (RB 6.4): a bot plays itself, many times.

`measuring` plays the matches, `verdict` compares them with RB 6.4, `report` writes files.
"""

from zashiki.lab.balance.measuring import Measured, Plan, measure
from zashiki.lab.balance.report import card_table, report_html, report_markdown
from zashiki.lab.balance.verdict import Balance, Condition, weighed
from zashiki.lab.results import opened

__all__ = [
    "Balance",
    "Condition",
    "Measured",
    "Plan",
    "card_table",
    "measure",
    "opened",
    "report_html",
    "report_markdown",
    "weighed",
]
