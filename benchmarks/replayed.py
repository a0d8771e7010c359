"""Check that KAMIZA for boardgame.io has our rules: replay random matches in it."""

import json
import subprocess
from random import Random
from typing import Any

import zashiki
from benchmarks.servers import PEER, Unavailable, install, node

GAME = "kamiza-second"
SEATS = (3, 4)
TASTES = ("", "", "police@top", "boss@top")
"""Preferred whenever legal: in random play, hardly any seat takes three WANTED chips."""


class Differs(Exception):
    """The two games differ. The text says where."""


def played(seats: int, seed: int) -> dict[str, Any]:
    """Play one of our matches. Return its actions and the full state after each."""
    choice = Random(seed)
    tastes = [choice.choice(TASTES) for _ in range(seats)]
    match = zashiki.start(GAME, seats=seats, seed=seed)
    truths, actions = [match.truth()], []
    while not match.over:
        (seat,) = match.to_act
        legal = match.legal(seat)
        action = tastes[seat] if tastes[seat] in legal else choice.choice(legal)
        match.play(seat, action)
        actions.append((seat, action))
        truths.append(match.truth())
    outcome = match.outcome
    assert outcome is not None
    return {
        "seats": seats,
        "starter": truths[0]["starter"],
        "actions": actions,
        "truths": truths,
        "outcome": {"ranks": list(outcome.ranks), "scores": list(outcome.scores)},
    }


def compare(matches: int) -> str:
    """Compare the games over some matches. Return a summary; raise `Differs` at a difference."""
    install()
    ours = [played(SEATS[seed % len(SEATS)], seed) for seed in range(matches)]
    asked = [{name: match[name] for name in ("seats", "starter", "actions")} for match in ours]
    done = subprocess.run(
        [node("node"), str(PEER / "check.js")],
        input="".join(f"{json.dumps(line)}\n" for line in asked),
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise Unavailable(f"the matches could not be replayed: {done.stderr[-500:]}")
    theirs = [json.loads(line) for line in done.stdout.splitlines()]
    for seed, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        mine_truths = json.loads(json.dumps(mine["truths"]))
        for step, (one, two) in enumerate(zip(mine_truths, other["truths"], strict=True)):
            if one != two:
                raise Differs(f"match {seed}, action {step}: {one} here, {two} there")
        if mine["outcome"] != other["outcome"]:
            raise Differs(f"match {seed}: {mine['outcome']} here, {other['outcome']} there")
        if not other["secret"]:
            raise Differs(f"match {seed}: a seat is sent a card that only another knows")
    steps = sum(len(match["actions"]) for match in ours)
    dropped = sum(bool(match["truths"][-1]["dropped"]) for match in ours)
    return (
        f"{matches} matches, {steps} actions, {dropped} with a drop-out: the same at every step, "
        "and no seat is sent a card that only another knows"
    )
