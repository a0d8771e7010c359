"""Whether a card set of Kingdoms is balanced (RB 6.4): one bot plays itself, and all is counted.

`measuring` plays and keeps what was played, `verdict` says what it means, `report` writes it down.
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
