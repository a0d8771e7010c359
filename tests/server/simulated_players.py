"""Simulated players of a real server, well or badly behaved, and checks of what they were told.

A player has one browser tab or more. Every tab is told the same, and any of them may play.
"""

import asyncio
import json
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import zashiki
from tests.server.guests import Guest, RunningServer, Talk
from tests.server.streams import merged
from tests.server.waits import TIMEOUT
from zashiki.core import record as records
from zashiki.core import verify
from zashiki.core.match import Match, follow, start
from zashiki.games import catalogue, game_spec

Frame = dict[str, Any]

LOST = (ConnectionClosed, InvalidHandshake, OSError, httpx.HTTPError)
"""The errors of a connection to a server that is killed."""
AWHILE = 0.05
AGAIN = ("busy", "hello-first")
"""The store could not be reached, or a command has overtaken its hello: it is sent again."""
UNLIMITED = ("--bots", "0", "--requests", "1000000", "--proxy", "127.0.0.1")
"""Options of a server without practical rate limits."""


async def seated(
    server: RunningServer,
    game: str,
    seats: int,
    options: Mapping[str, Any] | None = None,
    bots: int = 0,
) -> tuple[str, list[Guest]]:
    """A table with a guest on each seat, except for bots on the last ones."""
    people = seats - bots
    guests = [await Guest(server, f"Guest {seat}").come() for seat in range(people)]
    chairs = [{"kind": "open"}] * people + [{"kind": "bot", "bot": "random"}] * bots
    wanted = {"game": game, "seats": seats, "options": dict(options or {}), "chairs": chairs}
    made = await guests[0].post("/api/tables", wanted)
    table: str = made["table"]["id"]
    for seat, guest in enumerate(guests[1:], 1):
        await guest.post(f"/api/tables/{table}/sit", {"seat": seat})
    return table, guests


class SimulatedPlayer:
    """A seat at a table, with its commands and answers."""

    def __init__(
        self, guest: Guest, table: str, seat: int, seed: int, tabs: int = 1, wild: bool = True
    ) -> None:
        self.guest = guest
        self.table = table
        self.seat = seat
        self.wild = wild
        self.is_shaky = False
        """True if the network loses, duplicates and reorders frames; a person then tolerates it."""
        self.pause = 0.0
        """Approximate seconds per decision."""
        self.stops_at: int | None = None
        """A decision that is not made before `goes_on` is set."""
        self.goes_on = asyncio.Event()
        self.speaks = False
        """True if the game has phrases with actions."""
        self.plays: dict[str, Frame] = {}
        """Every play that was sent, by its key."""
        self.answers: dict[str, list[Frame]] = defaultdict(list)
        self.heard = asyncio.Event()
        """Set by every positive answer."""
        self.tabs = [BrowserTab(self, random.Random(f"{seed} {seat} {tab}")) for tab in range(tabs)]

    async def play(self) -> None:
        """Play to the end of the match."""
        await asyncio.gather(*(tab.play() for tab in self.tabs))

    def decide(self, number: int, legal: Sequence[str], choice: random.Random) -> Frame:
        """Return the command for a decision, made once: after a loss the same is sent again."""
        key = f"decision {number}"
        if key not in self.plays:
            action = choice.choice(legal)
            says = "Ha!" if self.speaks and choice.random() < 0.1 else None
            made = {"do": "play", "decision": number, "action": action, "says": says}
            self.plays[key] = {"key": key, **made}
        return self.plays[key]

    def note(self, answer: Frame) -> None:
        key = answer["key"]
        if code(answer) in AGAIN:
            return
        self.answers[key].append(answer)
        expected = {None, "stale", "refused", "malformed", "not-starting"}
        if key.startswith("ready"):  # while servers die, the time for a hash may pass
            expected.add("too-late")
        assert code(answer) in expected, answer
        if answer["ok"]:
            self.heard.set()

    def unanswered(self) -> list[Frame]:
        return [play for key, play in self.plays.items() if key not in self.answers]

    def unsettled(self) -> list[Frame]:
        """The plays whose acceptance is unknown. If a play is sent too early and twice, one may be
        refused and the other one, from a connection that was lost, be played after that."""
        early = [play for key, play in self.plays.items() if key.startswith("early")]
        heard = [play for play in early if play["key"] in self.answers]
        return self.unanswered() + [play for play in heard if not self.is_taken(play["key"])]

    def is_taken(self, key: str) -> bool:
        return any(answer["ok"] for answer in self.answers.get(key, ()))

    def taken(self) -> dict[int, str]:
        """Return the action of each decision that was accepted."""
        found: dict[int, str] = {}
        for key, play in self.plays.items():
            if self.is_taken(key):
                assert play["decision"] not in found, f"decision {play['decision']} is taken twice"
                found[play["decision"]] = play["action"]
        return found


class BrowserTab:
    """One browser tab of a person: a stream of facts, over as many connections as needed."""

    def __init__(self, person: SimulatedPlayer, choice: random.Random) -> None:
        self.person = person
        self.choice = choice
        self.facts: list[Frame] = []
        self.view: Frame = {}
        self.views: dict[int, Frame] = {}
        """Every view, by the number of facts before it."""

    async def play(self) -> None:
        while True:
            try:
                if await self.sit_through():
                    return
            except LOST:
                await asyncio.sleep(AWHILE)

    async def sit_through(self) -> bool:
        """Use one connection; return True when the match is over and everything is answered."""
        person, wild = self.person, self.person.wild
        have = self.claim()
        async with person.guest.socket(person.table, have, self.choice.random() < 0.5) as talk:
            sitting = TabConnection(self, talk, have)
            for play in person.unanswered():
                await sitting.send(play)
            drop = self.choice.randint(2, 12) if wild else -1
            while not sitting.is_done():
                sitting.drops = drop == len(sitting.played) + 1
                if not await sitting.hear():
                    return False
            return True

    def claim(self) -> int:
        """Return how many facts to claim: not always the truth."""
        most = len(self.facts)
        lies = [0, most // 2, -3]
        return self.choice.choice(lies) if self.person.wild and self.choice.random() < 0.3 else most

    def take(self, told: Frame, expected: int) -> None:
        """Check that news have no gaps, and that repeated facts are unchanged."""
        assert told["first"] == expected + 1
        for number, fact in enumerate(told["facts"], told["first"]):
            assert fact["n"] == number
            if number > len(self.facts):
                self.facts.append(fact)
            assert self.facts[number - 1] == fact
        if told["over"]:
            self.view = told.get("view", {})
        if told.get("view"):
            self.views[told["first"] + len(told["facts"]) - 1] = told["view"]


class TabConnection:
    """A tab while it is connected."""

    def __init__(self, tab: BrowserTab, talk: Talk, have: int) -> None:
        self.tab = tab
        self.person = tab.person
        self.choice = tab.choice
        self.talk = talk
        self.have = max(have, 0)
        self.sent: Counter[str] = Counter()
        self.came: Counter[str] = Counter()
        self.played: set[int] = set()
        """The decisions that were answered here."""
        self.drops = False
        """True if the connection drops after the next frame is sent."""
        self.over = False

    def is_done(self) -> bool:
        return self.over and self.sent.keys() == self.came.keys()

    async def send(self, frame: Frame) -> None:
        self.sent[frame["key"]] += 1
        await self.talk.send(**frame)

    async def hear(self) -> bool:
        """Handle the next frame; return False if the connection was dropped."""
        frame = await self.next()
        if frame["is"] in {"welcome", "changed"}:
            await self.begin(frame["table"])
        elif frame["is"] == "answer":
            self.came[frame["key"]] += 1
            assert self.person.is_shaky or self.came <= self.sent, "a frame is answered once"
            self.person.note(frame)
            if code(frame) in AGAIN:
                await asyncio.sleep(AWHILE)
                return False
        elif frame["is"] == "told" and self.is_out_of_order(frame):
            return int(frame["first"]) <= self.have
        elif frame["is"] == "told":
            self.tab.take(frame, self.have)
            self.have += len(frame["facts"])
            self.over = frame["over"]
            if self.over:
                for play in self.person.unsettled():
                    await self.send(play)
            elif frame["decision"] not in {None, *self.played}:
                return await self.answer(frame)
        return bool(frame["is"] != "bye")

    def is_out_of_order(self, told: Frame) -> bool:
        """Return whether facts are missing or repeated, in which case a person reconnects."""
        return self.person.is_shaky and told["first"] != self.have + 1

    async def next(self) -> Frame:
        try:
            async with asyncio.timeout(TIMEOUT):
                raw = await self.talk.connection.recv()
        except TimeoutError:
            raise AssertionError(f"seat {self.person.seat} hears nothing more") from None
        return merged(json.loads(raw))

    async def begin(self, table: Frame) -> None:
        """Start an open table from its first seat, and answer its deal."""
        person, state = self.person, table["state"]
        person.speaks = person.wild and bool(game_spec(table["game"]).speech)
        if state == "open" and person.seat == 0:
            await person.guest.client.post(f"/api/tables/{person.table}/start")
        if state != "starting":
            return
        nonce, hashes = f"{person.seat:032x}", table["hashes"]
        hash = records.nonce_hash(table["commitment"], person.seat, nonce)
        key = f"ready {hashes is not None} {hash}"[:40]
        if key in self.sent:
            return
        if hashes is None:
            await self.send({"do": "ready", "key": key, "hash": hash})
        elif hashes[person.seat] == hash:
            await self.send({"do": "reveal", "key": key, "nonce": nonce})

    async def answer(self, told: Frame) -> bool:
        """Play, among other commands, in any order and without waiting."""
        self.played.add(told["decision"])
        if self.person.pause:
            await asyncio.sleep(self.choice.uniform(0, 2 * self.person.pause))
        if told["decision"] == self.person.stops_at:
            await self.person.goes_on.wait()
        play = self.person.decide(told["decision"], told["legal"], self.choice)
        frames = [play]
        if self.person.wild:
            frames += self.mischief(play, told["legal"])
            self.choice.shuffle(frames)
        if self.drops and self.choice.random() < 0.3:
            return False
        for frame in frames:
            await self.send(frame)
        if self.drops and self.choice.random() < 0.5:
            self.talk.connection.transport.abort()
        return not self.drops

    def mischief(self, play: Frame, legal: Sequence[str]) -> list[Frame]:
        number = play["decision"]
        early = {"do": "play", "decision": number + 1, "action": self.choice.choice(legal)}
        late = {**play, "key": f"late {number}", "decision": number - 1}
        rival = {**play, "key": f"rival {number}", "action": self.choice.choice(legal)}
        wrong = {**play, "key": f"wrong {number}", "action": "dance"}
        frames = [
            play, late, rival, wrong,
            {**early, "key": f"early {number}"},
            {"do": "why_not", "key": f"why {number}", "action": play["action"]},
            {"do": "say", "key": f"say {number}", "text": "…"},
        ]  # fmt: skip
        chosen = [frame for frame in frames if self.choice.random() < 0.2]
        for frame in chosen:
            if frame["do"] == "play":
                self.person.plays.setdefault(frame["key"], frame)
        return [self.person.plays.get(frame["key"], frame) for frame in chosen]


def code(answer: Frame) -> str | None:
    return None if answer["ok"] else str(answer["fault"]["code"])


# Checks ----------------------------------------------------------------------------------------


async def check_match(people: Sequence[SimulatedPlayer], table: str) -> Match:
    """Check that the final record is what people were told and answered, and an honest one."""
    guest = people[0].guest
    answer = await guest.client.get(f"/api/tables/{table}/record")
    assert answer.status_code == 200, answer.text
    match = check_record(answer.text)
    for person in people:
        check_person(person, match)
    return match


def check_record(text: str) -> Match:
    """Check that the record verifies, and that a plain match with the same actions is equal."""
    report = verify.verify(text, catalogue())
    assert report.ok
    assert report.not_judged == 0
    kept = records.read(text)
    header = kept.header
    match = start(
        game_spec(header.game), header.seats, header.options,
        kept.seed, header.names, header.nonces, kept.salt, header.hashes,
    )  # fmt: skip
    for deed in verify.deeds(kept):
        if deed.act:
            fact = deed.facts[0]
            assert fact.seat is not None
            assert fact.action is not None
            match.play(fact.seat, fact.action, deed.words())
    assert match.over
    assert match.record() == text
    assert match.truth() == zashiki.replay(text).truth()
    return match


def check_person(person: SimulatedPlayer, match: Match) -> None:
    actions = [action for seat, action in match.journal.actions if seat == person.seat]
    assert person.taken() == dict(enumerate(actions, 1)), "what is acknowledged is there, once"
    told = [(fact.name, dict(fact.arguments)) for fact in match.facts(person.seat)]
    for tab in person.tabs:
        assert [(fact["fact"], fact["with"]) for fact in tab.facts] == told
        assert tab.view == json.loads(json.dumps(match.view(person.seat))) or not tab.view
        assert tab.views == views_of(match, person.seat, tab.views), "no more than it may see then"
    for key, answers in person.answers.items():
        if not key.startswith(("early", "ready")):  # a repetition may succeed later
            assert len({answer["ok"] for answer in answers}) == 1, answers


def views_of(match: Match, seat: int, numbers: Collection[int]) -> dict[int, Frame]:
    """Return a seat's views after these numbers of facts."""
    again, told = Match(match.spec, match.header, None, None), 0
    seen: dict[int, Frame] = {}
    for fact in match.facts():
        follow(again, fact)
        told += records.tells(fact.audience, seat)
        if told in numbers:
            seen[told] = json.loads(json.dumps(again.view(seat)))
    return seen


async def close_clients(people: Sequence[SimulatedPlayer]) -> None:
    for person in people:
        await person.guest.client.aclose()
