"""Figures of an arena as text, the same in the terminal and in the report."""

from zashiki.lab.arena.plan import Plan
from zashiki.lab.arena.sequential import Finding, Verdict
from zashiki.lab.arena.standing import Standing
from zashiki.lab.simulate import Interval


def title(plan: Plan, standing: Standing) -> str:
    counts = f"{standing.matches} matches of {standing.deals} deals"
    return f"{plan.game}, {plan.seats} seats, {counts}, seed {plan.seed}"


def sentence(plan: Plan, finding: Finding) -> str:
    """Say what a sequential test found."""
    first, second = plan.names
    fair = abs(finding.share - 1 / plan.seats) < 1e-9
    asked = f"{100 * finding.share:.4g} %" + (" (its fair share)" if fair else "")
    if plan.seats == 2:
        who, what = f"{first} against {second}", f"{asked} of decisive matches"
    else:
        who, what = f"{first}, alone in a field of {second},", f"{asked} of first places"
    verdict = {
        Verdict.ABOVE: f"{who} is clearly above {what}",
        Verdict.NOT_ABOVE: f"{who} is clearly not above {what}",
        Verdict.UNCLEAR: f"{who} is neither clearly above {what} nor clearly not",
    }[finding.verdict]
    took = f"after {finding.matches} matches ({finding.deals} deals)"
    return f"{verdict}, {took}: {percent(finding.estimate)} %{reserve(plan, finding)}"


def reserve(plan: Plan, finding: Finding) -> str:
    """Warn that bots in a field may hinder each other, so one bot alone proves little."""
    if plan.seats == 2 or finding.verdict is Verdict.UNCLEAR:
        return ""
    first, second = plan.names
    reverse = f"{second}, alone in a field of {first}, may do the same"
    return f". This alone does not show which is the stronger: {reverse} (name it first to ask)"


def percent(share: Interval) -> str:
    """Format a share and its interval, in percent."""
    low, high = (f"{100 * bound:.1f}" for bound in (share.low, share.high))
    return f"{100 * share.mean:.1f} ({low}–{high})"


def took(seconds: float) -> str:
    """Format a time in seconds with three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"
