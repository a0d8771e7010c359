"""The arena: fair to every bot and seat, the same in every run, and never played twice."""

import csv
import json
import math
import random
import re
import sys
import tracemalloc
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import zashiki
from tests.commands import lines_in, run_process, was_killed
from zashiki.cli import main
from zashiki.core.game import ActionId
from zashiki.core.rulings import Malformed
from zashiki.lab.arena import (
    Judge,
    Plan,
    Schedule,
    Standing,
    Verdict,
    cluster,
    contest,
    measure,
    opened,
)
from zashiki.lab.arena.entrants import Entrant
from zashiki.lab.arena.match_result import MatchResult, Times, class_time, time_class
from zashiki.lab.arena.playing import MatchRunner
from zashiki.lab.arena.ratings import mean_ranks
from zashiki.lab.arena.report import report
from zashiki.lab.arena.sequential import Finding
from zashiki.lab.arena.sums import Clock, Spread, student, win_credits
from zashiki.lab.arena.words import sentence
from zashiki.lab.results import MATCHES, PLAN
from zashiki.lab.simulate import Interval, wilson

BOTS = ("random", "greedy")
TIMES = ("seconds", "longest")

OWN = """
class First:
    def __init__(self, game, seed):
        pass

    def choose(self, view, legal):
        return legal[0]


class Also(First):
    pass


class Third(First):
    pass


class Raises(First):
    def choose(self, view, legal):
        return legal[len(legal)]


class Cheats(First):
    def choose(self, view, legal):
        legal.append(10**6)
        return 10**6


class Leaves(First):
    def choose(self, view, legal):
        raise SystemExit(0)


class LeavesAtOnce(First):
    def __init__(self, game, seed):
        raise SystemExit(0)


class Closes(First):
    def choose(self, view, legal):
        raise GeneratorExit


class Unspeakable(Exception):
    def __str__(self):
        raise SystemExit(0)


class Mutters(First):
    def choose(self, view, legal):
        raise Unspeakable


class Any:
    def __eq__(self, other):
        return True

    def __int__(self):
        return 10**6

    def __repr__(self):
        raise SystemExit(0)


class Lies(First):
    def choose(self, view, legal):
        return Any()


class Number(int):
    def __eq__(self, other):
        return True

    def __int__(self):
        return 10**6

    __hash__ = int.__hash__


class Seems(First):
    def choose(self, view, legal):
        return Number(legal[0])


class Huge(First):
    def choose(self, view, legal):
        return 10**9999


class Mute:
    def __init__(self, game, seed):
        pass


class Picky(First):
    def __init__(self, game):
        pass


def made(game, seed):
    return First(game, seed)


number = 5
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.py"
    path.write_text(OWN, "utf-8")
    return path


def plan(
    bots: Sequence[object] = BOTS, matches: int = 24, game: str = "kamiza-second", **more: Any
) -> Plan:
    seats = more.pop("seats", 3)
    return Plan.checked(game, seats, bots, matches, **more)


def play_all(plan: Plan, workers: int = 1, folder: Path | None = None) -> list[MatchResult]:
    """Return results without their times, which differ from run to run."""
    with opened(folder, plan) as results:
        for _ in contest(plan, results, workers):
            pass
        return [played._replace(times=()) for played in results.in_order(len(results))]


def standing(plan: Plan) -> Standing:
    with opened(None, plan) as results:
        for _ in contest(plan, results):
            pass
        return measure(plan, results.in_order(plan.matches))


# Seating ---------------------------------------------------------------------------------------

SIZES = [(bots, seats) for bots in range(2, 6) for seats in range(2, 6)]


def lineups(schedule: Schedule, rounds: int = 1) -> list[tuple[int, ...]]:
    return [schedule.lineup_of(match) for match in range(rounds * schedule.matches_a_round)]


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_after_a_round_every_bot_sat_on_every_seat_equally_often(bots: int, seats: int) -> None:
    where = Counter(
        (bot, seat) for lineup in lineups(Schedule(bots, seats)) for seat, bot in enumerate(lineup)
    )
    assert len(where) == bots * seats
    assert len(set(where.values())) == 1


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_after_a_round_every_bot_met_every_other_equally_often(bots: int, seats: int) -> None:
    met: Counter[tuple[int, int]] = Counter()
    for lineup in lineups(Schedule(bots, seats)):
        met.update((one, other) for one in lineup for other in lineup if one < other)
    assert len(met) == bots * (bots - 1) // 2
    assert len(set(met.values())) == 1


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_after_all_orders_every_bot_sat_beside_every_other_equally_often(
    bots: int, seats: int
) -> None:
    schedule = Schedule(bots, seats)
    beside: Counter[tuple[int, int]] = Counter()
    for lineup in lineups(schedule, rounds=len(schedule.orders)):
        neighbours = zip(lineup, lineup[1:] + lineup[:1], strict=True)
        beside.update((one, other) for one, other in neighbours if one != other)
    assert len(beside) == bots * (bots - 1)
    assert len(set(beside.values())) == 1


@pytest.mark.parametrize(("bots", "seats"), SIZES)
def test_a_deal_is_played_in_every_rotation_of_its_lineups(bots: int, seats: int) -> None:
    schedule = Schedule(bots, seats)
    for deal in range(2 * schedule.deals_a_round):
        group = schedule.lineups(deal)
        assert len(group) == schedule.matches_a_deal
        turned = {lineup[-1:] + lineup[:-1] for lineup in group}
        assert turned == set(group)


def test_two_bots_on_more_than_two_seats_sit_alone_in_a_field_of_the_other() -> None:
    assert set(Schedule(2, 2).lineups(0)) == {(0, 1), (1, 0)}
    fields = Schedule(2, 4).lineups(0)
    assert len(fields) == 8
    assert set(fields[:4]) == {(0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)}
    assert {lineup.count(0) for lineup in fields[4:]} == {3}
    assert Schedule(2, 4, first_alone=True).lineups(0) == fields[:4]


def test_matches_are_rounded_up_until_all_have_played_equally_often() -> None:
    assert Schedule(3, 2).whole_rounds(1) == 6
    assert Schedule(3, 2).whole_rounds(6) == 6
    assert Schedule(5, 4).whole_rounds(21) == 40
    assert plan(matches=7).matches == 12


def test_a_deal_falls_alike_in_all_its_matches(own: Path) -> None:
    """Bots that choose alike have the same result on every seat."""
    names = [f"{own}:{name}" for name in ("First", "Also", "Third")]
    chosen = plan(names, 12, "red-town")
    runner = MatchRunner(chosen)
    ends = [(played.ranks, played.scores) for played in map(runner.play, range(chosen.matches))]
    groups = [set(ends[start : start + 3]) for start in range(0, 12, 3)]
    assert all(len(group) == 1 for group in groups)
    assert len(set.union(*groups)) > 1
    seeds = {(match, seat): chosen.bot_seed(match, seat) for match in range(12) for seat in (0, 1)}
    assert len(set(seeds.values())) == 24


# The same however it is played -----------------------------------------------------------------


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    assert play_all(plan()) == play_all(plan(), workers=2)


def test_a_longer_arena_begins_as_the_shorter_one_and_goes_on_with_it(tmp_path: Path) -> None:
    first = play_all(plan(matches=12), folder=tmp_path)
    before = (tmp_path / MATCHES).read_bytes()
    whole = play_all(plan(matches=24), folder=tmp_path)
    assert whole[:12] == first
    assert whole == play_all(plan(matches=24))
    assert (tmp_path / MATCHES).read_bytes().startswith(before)
    with pytest.raises(
        zashiki.Malformed, match="longer arena: expected at least its 24 matches, found 12"
    ):
        play_all(plan(matches=12), folder=tmp_path)


def test_other_seeds_give_other_matches() -> None:
    assert play_all(plan(seed=1)) != play_all(plan(seed=2))


def arena(folder: Path, *more: str) -> list[str]:
    return ["arena", "kamiza-second", "--bots", ",".join(BOTS), "--seats", "3", "--matches", "90",
            "--out", str(folder), *more]  # fmt: skip


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_killed_at_any_moment_it_goes_on_without_losing_or_repeating_a_match(
    tmp_path: Path,
) -> None:
    folders = (tmp_path / f"killed-{number}" for number in count())
    killed = next(folder for folder in folders if was_killed_twice(folder))
    alone, journal = tmp_path / "alone", killed / MATCHES
    before = journal.read_bytes().rpartition(b"\n")[0]
    assert main(arena(killed, "--workers", "1")) == 0
    assert journal.read_bytes().startswith(before)
    played = [json.loads(line)["match"] for line in journal.read_bytes().splitlines()]
    assert sorted(played) == list(range(90))
    assert main(arena(alone, "--workers", "1")) == 0
    one, other = rows(killed / "results.csv"), rows(alone / "results.csv")
    for row in [*one, *other]:
        for name in TIMES:
            assert float(row.pop(name)) >= 0
    assert one == other


def was_killed_twice(folder: Path) -> bool:
    """Killed, resumed and killed again, each time before the last of 90 matches."""
    journal = folder / MATCHES
    for _ in range(2):
        wanted = lines_in(journal) + random.randrange(1, 25)
        if not was_killed(arena(folder, "--workers", "2"), journal, wanted):
            return False
        assert lines_in(journal) > 0
    return lines_in(journal) < 90


def test_what_is_missing_is_gone_through_one_by_one() -> None:
    chosen = plan(matches=9_999_996)
    with opened(None, chosen) as results, closing(contest(chosen, results)) as matches:
        tracemalloc.start()
        try:
            assert [next(matches).match for _ in range(3)] == [0, 1, 2]
            assert tracemalloc.get_traced_memory()[1] < 10**7
        finally:
            tracemalloc.stop()


def test_a_match_is_in_the_file_before_anybody_hears_of_it(tmp_path: Path) -> None:
    with opened(tmp_path, plan()) as results:
        for count, played in enumerate(contest(plan(), results), start=1):
            lines = (tmp_path / MATCHES).read_bytes().splitlines()
            assert (len(lines), json.loads(lines[-1])["match"]) == (count, played.match)
            assert results[played.match] == played


def test_what_is_left_of_a_torn_line_is_removed(tmp_path: Path) -> None:
    whole = play_all(plan(), folder=tmp_path)
    journal = tmp_path / MATCHES
    content = journal.read_bytes()
    for cut in (1, 40, len(content.splitlines()[-1])):
        journal.write_bytes(content[:-cut])
        with opened(tmp_path, plan()) as results:
            assert len(results) == 23
        assert play_all(plan(), folder=tmp_path) == whole
    whole_file = journal.read_bytes()
    journal.write_bytes(whole_file + b'{"match":' + b" " * 5000)
    with opened(tmp_path, plan()) as results:
        assert len(results) == 24
    assert journal.read_bytes() == whole_file
    journal.write_bytes(b"\0" * 20)
    assert play_all(plan(), folder=tmp_path) == whole


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    play_all(plan(), folder=tmp_path)
    journal = tmp_path / MATCHES
    content = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*content[:4], b"{}\n", *content[5:]]))
    with pytest.raises(zashiki.Malformed, match="line 5 is damaged"):
        play_all(plan(), folder=tmp_path)
    journal.write_bytes(b"".join([*content, content[3]]))
    with pytest.raises(zashiki.Malformed, match=r"line 25 is damaged: expected .* only once"):
        play_all(plan(), folder=tmp_path)


EARLIER_PLAN = {
    "format": 1,
    "game": "kamiza-second",
    "rules_version": 1,
    "seats": 3,
    "bots": [
        {
            "name": "Fixed",
            "path": "elsewhere/fixed.py",
            "sha256": "4edba4499830b875947be4f6bc208ecee29894a66abacb3e641057577a303b58",
        },
        {"name": "random", "path": None, "sha256": None},
    ],
    "seed": 0,
    "options": {"open_start": False, "underboss_shield": False, "tie_break": "chicken"},
    "until_clear": None,
    "matches": 6,
}
EARLIER_LINES = b"""\
{"match":0,"ranks":[1,2,3],"scores":[12,8,5],"times":[[9,3e-06,6e-07,[0,9]],[9,0.0003079,\
5.12e-05,[39,3,40,2,41,3,45,1]],[9,0.0002754,3.48e-05,[38,2,39,3,40,2,41,2]]]}
{"match":1,"ranks":[2,1,2],"scores":[4,13,4],"times":[[9,0.0002376,3.39e-05,[35,2,36,1,37,1,\
38,1,39,2,40,1,41,1]],[9,1.8e-06,3e-07,[0,9]],[9,0.0002393,3.36e-05,[34,1,36,2,37,1,38,1,39,2,\
40,1,41,1]]]}
"""
FIXED = """\
import helper
class Fixed:
    def __init__(self, game, seed): pass
    def choose(self, view, legal): return legal[helper.N]
"""


def test_a_folder_that_an_earlier_version_wrote_is_resumed(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("N = 0\n", "utf-8")
    (tmp_path / "fixed.py").write_text(FIXED, "utf-8")
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / PLAN).write_text(json.dumps(EARLIER_PLAN), "utf-8")
    (folder / MATCHES).write_bytes(EARLIER_LINES)
    chosen = plan([f"{tmp_path / 'fixed.py'}:Fixed", "random"], 6)
    with opened(folder, chosen) as results:
        assert list(results.missing()) == [2, 3, 4, 5]
    assert play_all(chosen, folder=folder) == play_all(chosen)
    assert (folder / MATCHES).read_bytes().startswith(EARLIER_LINES)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({"seed": 5}, "seed 0, not 5"),
        ({"bots": ("greedy", "random")}, "bots random,greedy, not greedy,random"),
        ({"seats": 4}, "seats 3, not 4"),
        ({"options": {"tie_break": "shared"}}, "options"),
        ({"until_clear": 0.5}, "until_clear None, not 0.5"),
    ],
)
def test_another_plan_is_refused(tmp_path: Path, other: dict[str, Any], what: str) -> None:
    with opened(tmp_path, plan()):
        pass
    with (
        pytest.raises(zashiki.Malformed, match=f"holds another arena .*{what}"),
        opened(tmp_path, plan(**other)),
    ):
        pass


def changed(folder: Path, number: int, **values: object) -> None:
    """Change values in a line of the results, which remains valid JSON."""
    journal = folder / MATCHES
    content = journal.read_text("utf-8").splitlines()
    content[number - 1] = json.dumps(json.loads(content[number - 1]) | values)
    journal.write_text("\n".join([*content, ""]), "utf-8")


SPENT = [2, 0.1, 0.1, [80, 2]]


@pytest.mark.parametrize("number", [2, 6])
@pytest.mark.parametrize(
    "wrong",
    [
        {"match": -1}, {"match": 6}, {"match": 1.0}, {"match": True}, {"match": "1"},
        {"match": None},
        {"ranks": [1, 2]}, {"ranks": [1, 2, 3, 4]}, {"ranks": [2, 2, 2]}, {"ranks": [1, 2, 2.0]},
        {"ranks": [0, 1, 2]}, {"ranks": [1, 1, 2]}, {"ranks": [True, 2, 3]}, {"ranks": 5},
        {"ranks": "123"},
        {"scores": [1, 2]}, {"scores": [1, 2, "3"]}, {"scores": [1, 2, None]}, {"scores": None},
        {"scores": [1, 2, math.nan]}, {"scores": [1, 2, 10**400]}, {"scores": [1, 2, True]},
        {"times": []}, {"times": [SPENT, SPENT]}, {"times": [SPENT, SPENT, []]},
        {"times": [SPENT, SPENT, [3, 0.1, 0.1, [80, 2]]]},
        {"times": [SPENT, SPENT, [2, -0.1, 0.1, [80, 2]]]},
        {"times": [SPENT, SPENT, [2, 0.1, "0.1", [80, 2]]]},
        {"times": [SPENT, SPENT, [2, 0.1, 0.1, [80]]]},
        {"times": [SPENT, SPENT, [2, 0.1, 0.1, [10**6, 2]]]},
    ],
)  # fmt: skip
def test_a_line_that_says_what_cannot_be_is_named(
    tmp_path: Path, wrong: dict[str, object], number: int
) -> None:
    """Even the last line: it was written completely, so it was not torn."""
    fake = {"ranks": [1, 2, 3], "scores": [3, 2, 1], "times": [SPENT] * 3}
    with opened(tmp_path, plan(matches=6)):
        pass
    whole = [json.dumps({"match": match, **fake}) for match in range(6)]
    (tmp_path / MATCHES).write_text("\n".join([*whole, ""]), "utf-8")
    with opened(tmp_path, plan(matches=6)) as results:
        assert len(results) == 6
    changed(tmp_path, number, **wrong)
    before = (tmp_path / MATCHES).read_bytes()
    with (
        pytest.raises(zashiki.Malformed, match=rf"matches.jsonl: line {number} is damaged"),
        opened(tmp_path, plan(matches=6)),
    ):
        pass
    assert (tmp_path / MATCHES).read_bytes() == before


@pytest.mark.parametrize("line", ["[]", "5", "null", '"match"', "{}"])
def test_a_line_that_is_no_object_is_named(tmp_path: Path, line: str) -> None:
    with opened(tmp_path, plan()):
        pass
    (tmp_path / MATCHES).write_text(f"{line}\n", "utf-8")
    with pytest.raises(zashiki.Malformed, match="line 1 is damaged"):
        play_all(plan(), folder=tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [
        {"bots": 5}, {"bots": ["random", "greedy"]}, {"bots": {"name": "random"}}, {"bots": [{}]},
        {"bots": None}, {"bots": [{"name": "random", "sha256": 5}]},
        {"bots": [{"name": 5, "sha256": None}]},
        {"matches": "6"}, {"matches": -6}, {"matches": True}, {"matches": None},
    ],
)  # fmt: skip
def test_a_plan_that_is_none_is_named(tmp_path: Path, wrong: dict[str, object]) -> None:
    with opened(tmp_path, plan()):
        pass
    path = tmp_path / PLAN
    path.write_text(json.dumps(json.loads(path.read_bytes()) | wrong), "utf-8")
    with pytest.raises(
        zashiki.Malformed, match=r"plan.json: expected the plan of an earlier arena"
    ):
        play_all(plan(), folder=tmp_path)


def test_results_without_a_plan_are_refused(tmp_path: Path) -> None:
    play_all(plan(), folder=tmp_path)
    (tmp_path / PLAN).unlink()
    before = (tmp_path / MATCHES).read_bytes()
    with pytest.raises(
        zashiki.Malformed, match=r"matches.jsonl: plan.json is missing, .*; restore"
    ):
        play_all(plan(seed=5), folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [MATCHES]
    assert (tmp_path / MATCHES).read_bytes() == before


def test_a_start_that_was_killed_before_its_plan_stood_there_is_harmless(tmp_path: Path) -> None:
    (tmp_path / MATCHES).touch()
    (tmp_path / ".0123456789abcdef.part").write_text("{", "utf-8")
    assert play_all(plan(), folder=tmp_path) == play_all(plan())


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear", "utf-8")
    with pytest.raises(zashiki.Malformed, match="holds other files; use a new or empty folder"):
        play_all(plan(), folder=tmp_path)
    with pytest.raises(zashiki.Malformed, match="exists"):
        play_all(plan(), folder=tmp_path / "letter.txt")
    other = tmp_path / "other"
    other.mkdir()
    (other / PLAN).write_text("[]", "utf-8")
    with pytest.raises(zashiki.Malformed, match="expected the plan of an earlier arena"):
        play_all(plan(), folder=other)


def test_two_arenas_do_not_share_a_folder(tmp_path: Path) -> None:
    with (
        opened(tmp_path, plan()),
        pytest.raises(zashiki.Malformed, match="another arena is writing there"),
        opened(tmp_path, plan()),
    ):
        pass


# Bots of one's own -----------------------------------------------------------------------------


def test_own_bots_play_from_their_file_in_any_process(own: Path) -> None:
    chosen = plan([f"{own}:First", f"{own}:made"], 12)
    assert play_all(chosen, workers=2) == play_all(chosen)


def test_another_content_is_another_bot(own: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    play_all(plan([f"{own}:First", "random"], 6), folder=folder)
    own.write_text(f"{OWN}\n# changed", "utf-8")
    with pytest.raises(zashiki.Malformed, match=r"bots First \(\w{8}\),random, not First"):
        play_all(plan([f"{own}:First", "random"], 6), folder=folder)


VERSION = """
import {helper}
import random

class Bot{number}:
    def __init__(self, game, seed):
        pass

    def choose(self, view, legal):
        import lazy
        from . import lazy as same
        assert lazy.NUMBER == same.NUMBER == {number}
        return legal[{helper}.place(len(legal))]
"""


def version(folder: Path, number: int, helper: str = "helper") -> str:
    """A bot of several files: the first version takes the first action, others the last."""
    folder.mkdir()
    place = "0" if number == 1 else "count - 1"
    (folder / "random.py").write_text("1 / 0  # no file of a bot replaces Python's own", "utf-8")
    (folder / "lazy.py").write_text(f"NUMBER = {number}", "utf-8")
    module = folder.joinpath(*helper.split(".")).with_suffix(".py")
    module.parent.mkdir(exist_ok=True)
    module.write_text(f"def place(count):\n    return {place}\n", "utf-8")
    path = folder / "bot.py"
    path.write_text(VERSION.format(number=number, helper=helper), "utf-8")
    return f"{path}:Bot{number}"


def answers(chosen: Plan) -> list[ActionId]:
    """Return each bot's choice among five actions."""
    spec = zashiki.games()[chosen.game]
    game = spec.make(chosen.seats, chosen.options)
    bots = [entrant.factory(spec)(game, 0) for entrant in chosen.entrants]
    view: Any = None
    return [bot.choose(view, [ActionId(action) for action in range(5)]) for bot in bots]


@pytest.mark.parametrize("helper", ["helper", "pack.helper"])
def test_each_bot_imports_the_modules_of_its_own_folder(tmp_path: Path, helper: str) -> None:
    path, modules, finders = list(sys.path), set(sys.modules), list(sys.meta_path)
    bots = [version(tmp_path / str(number), number, helper) for number in (1, 2)]
    chosen = plan(bots, 12)
    assert answers(chosen) == [0, 4]
    assert sys.path == path
    assert sys.meta_path == finders
    assert not {"helper", "lazy", "pack", "bot"} & (set(sys.modules) - modules)


def test_the_files_of_a_bot_go_with_it_to_other_processes(tmp_path: Path) -> None:
    """They play as they were when the arena began, even if their files are gone."""
    chosen = plan([version(tmp_path / "1", 1), version(tmp_path / "2", 2)], 12)
    here = play_all(chosen)
    for folder in ("1", "2"):
        (tmp_path / folder / "helper.py").unlink()
        (tmp_path / folder / "lazy.py").write_text("NUMBER = 3", "utf-8")
    assert play_all(chosen, workers=2) == here


@pytest.mark.parametrize("name", ["helper", "lazy"])
def test_another_content_of_an_imported_file_is_another_bot(tmp_path: Path, name: str) -> None:
    bots = [version(tmp_path / "1", 1), "random"]
    folder = tmp_path / "out"
    play_all(plan(bots, 6), folder=folder)
    play_all(plan(bots, 6), folder=folder)
    with (tmp_path / "1" / f"{name}.py").open("a", encoding="utf-8") as file:
        file.write("\n# changed")
    with pytest.raises(zashiki.Malformed, match=r"bots Bot1 \(\w{8}\),random, not Bot1"):
        play_all(plan(bots, 6), folder=folder)


def test_where_the_files_of_a_bot_are_does_not_matter(tmp_path: Path) -> None:
    one, other = (plan([version(tmp_path / name, 1), "random"], 6) for name in ("1", "other"))
    assert one.entrants[0].digest == other.entrants[0].digest


def test_the_files_of_a_bot_may_import_each_other(tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "__init__.py").write_text("from .inner import place", "utf-8")
    (pack / "inner.py").write_text("import helper\nfrom . import other\nplace = other.X", "utf-8")
    (pack / "other.py").write_text("from helper import *\nX = NUMBER", "utf-8")
    (tmp_path / "helper.py").write_text("import pack\nNUMBER = 7", "utf-8")
    path = tmp_path / "bot.py"
    path.write_text(f"import pack.other as other, helper\n{OWN}\nassert other.X == 7", "utf-8")
    (entrant, _) = plan([f"{path}:First", "random"]).entrants
    names = [module.name for module in entrant.modules]
    assert names == ["helper", "pack", "pack.inner", "pack.other"]


def test_a_name_in_the_bots_file_does_not_hide_a_module(tmp_path: Path) -> None:
    (tmp_path / "value.py").write_text("def value():\n    return 7", "utf-8")
    (tmp_path / "later.py").write_text("import value\nassert value.value() == 7", "utf-8")
    path = tmp_path / "bot.py"
    path.write_text(f"from value import value\nimport later\n{OWN}", "utf-8")
    assert [one.name for one in plan([f"{path}:First", "random"]).entrants] == ["First", "random"]


def test_a_package_may_have_the_name_of_the_bots_file(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "__init__.py").write_text(OWN, "utf-8")
    path = tmp_path / "agent.py"
    path.write_text("import agent\nclass Mine(agent.First): pass", "utf-8")
    (entrant, _) = plan([f"{path}:Mine", "random"]).entrants
    assert [module.path for module in entrant.modules] == ["agent/__init__.py"]


def test_a_bot_may_add_its_own_folder_to_the_path(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("import lazy\nNUMBER = lazy.NUMBER", "utf-8")
    (tmp_path / "lazy.py").write_text("NUMBER = 7", "utf-8")
    path = tmp_path / "bot.py"
    added = "import sys, os\nsys.path.insert(0, os.path.dirname(__file__))\nimport helper"
    path.write_text(f"{added}\nassert helper.NUMBER == 7\n{OWN}", "utf-8")
    before = list(sys.path)
    chosen = plan([f"{path}:First", "random"], 12)
    assert play_all(chosen, workers=2) == play_all(chosen)
    assert sys.path == before


def test_what_a_bot_adds_to_the_path_is_for_itself(tmp_path: Path) -> None:
    for number in (1, 2):
        folder = tmp_path / str(number)
        (folder / "lib").mkdir(parents=True)
        (folder / "lib" / "added.py").write_text(f"NUMBER = {number}", "utf-8")
        (folder / "bot.py").write_text(
            "import sys, pathlib\n"
            "sys.path.insert(0, str(pathlib.Path(__file__).parent / 'lib'))\n"
            f"import added\nassert added.NUMBER == {number}\n"
            f"{OWN.replace('First', f'First{number}')}",
            "utf-8",
        )
    before = list(sys.path)
    plan([f"{tmp_path}/{number}/bot.py:First{number}" for number in (1, 2)])
    assert sys.path == before
    assert "added" not in sys.modules


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("def", r"SyntaxError: .* \(helper.py, line 1\)"),
        ("\n1 / 0", r"ZeroDivisionError: division by zero \(helper.py, line 2\)"),
        ("import nowhere", r"No module named 'nowhere' \(helper.py, line 1\)"),
        ("import sys\nsys.exit()", r"SystemExit \(helper.py, line 2\)"),
    ],
)
def test_a_module_that_cannot_be_imported_is_named(
    tmp_path: Path, content: str, fault: str
) -> None:
    bot = version(tmp_path / "1", 1)
    (tmp_path / "1" / "helper.py").write_text(content, "utf-8")
    with pytest.raises(zashiki.Malformed, match=rf"bot.py: it cannot be imported: .*{fault}"):
        plan([bot, "random"])


def test_a_module_in_another_encoding_is_named(tmp_path: Path) -> None:
    bot = version(tmp_path / "1", 1)
    (tmp_path / "1" / "helper.py").write_bytes(b"# \xff")
    with pytest.raises(zashiki.Malformed, match=r"helper.py: expected Python in UTF-8"):
        plan([bot, "random"])


def test_a_file_may_begin_with_a_byte_order_mark(own: Path) -> None:
    plain = plan([f"{own}:First", "random"])
    own.write_text(OWN, "utf-8-sig")
    assert plan([f"{own}:First", "random"]) == plain


def test_two_files_with_a_bot_of_the_same_name_are_told_apart_by_renaming(
    own: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.py"
    other.write_text(OWN, "utf-8")
    with pytest.raises(zashiki.Malformed, match=r"'First': it is named twice, .* rename one"):
        plan([f"{own}:First", f"{other}:First"])


@pytest.mark.parametrize("leaves", ["raise SystemExit(0)", "import sys; sys.exit()"])
def test_a_file_that_ends_python_does_not_end_the_arena(
    tmp_path: Path, leaves: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "own.py"
    path.write_text(f"{OWN}\n{leaves}", "utf-8")
    assert main(["arena", "kamiza-second", "--bots", f"{path}:First,random"]) == 2
    assert "own.py: it cannot be imported: SystemExit" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{own}:LeavesAtOnce", r"LeavesAtOnce\(game, seed\) fails: SystemExit: 0"),
        ("{folder}/none.py:First", "none.py: No such file"),
        ("{own}:Nobody", "own.py: no class or function Nobody is in it"),
        ("{own}:number", "no class or function number"),
        ("{own}:Mute", r"Mute\(game, seed\): expected a bot with choose\(view, legal\)"),
        ("{own}:Picky", r"Picky\(game, seed\) fails: TypeError"),
        ("{own}", "own.py:NAME"),
        ("{own}:", "name of a class"),
        ("{own}:greedy", "greedy is the name of another bot"),
        (
            "clever",
            "bot of kamiza-second: expected one of random, .*, or FILE.py:NAME, found 'clever'",
        ),
        ("random", "'random': it is named twice"),
        (5, "bot of kamiza-second: expected one of .*, found 5"),
    ],
)
def test_a_bot_that_cannot_be_made_is_refused_before_it_begins(
    own: Path, text: object, fault: str
) -> None:
    named = text.format(own=own, folder=own.parent) if isinstance(text, str) else text
    with pytest.raises(zashiki.Malformed, match=fault):
        plan(["random", named])


def test_a_file_that_is_no_python_says_where(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text("class First:\n    def", "utf-8")
    with pytest.raises(zashiki.Malformed, match=r"wrong.py: it cannot be imported: SyntaxError"):
        plan(["random", f"{path}:First"])


@pytest.mark.parametrize(
    ("name", "fault", "workers"),
    [
        pytest.param(
            "Raises",
            r"raised IndexError: list index out of range \(own.py, line 20\)",
            2,
            marks=pytest.mark.long,
        ),
        ("Raises", r"raised IndexError: list index out of range \(own.py, line 20\)", 1),
        ("Cheats", r"chose 1000000, expected one of the \d+ actions in `legal`", 1),
        ("Leaves", r"raised SystemExit: 0 \(own.py, line \d+\)", 2),
        ("Closes", r"raised GeneratorExit \(own.py, line \d+\)", 1),
        ("Mutters", r"raised Unspeakable: something of type Unspeakable \(own.py, line \d+\)", 2),
        ("Lies", r"chose something of type Any, expected an integer of `legal`", 1),
        ("Huge", r"chose something of type int, expected one of the \d+ actions in `legal`", 1),
    ],
)
def test_a_bot_that_plays_wrong_is_named_with_its_match_and_seat(
    own: Path, name: str, fault: str, workers: int
) -> None:
    where = r"match \d+, seat \d, seed 0, deal \d+"
    with pytest.raises(zashiki.Malformed, match=f"bot '{name}' {fault}: {where}"):
        play_all(plan([f"{own}:{name}", "random"]), workers)


def test_what_a_bot_answers_is_read_once_as_a_plain_number(own: Path) -> None:
    bots = [f"{own}:Seems", f"{own}:First"]
    assert play_all(plan(bots, 12)) == play_all(plan([f"{own}:Also", f"{own}:First"], 12))


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        ({"matches": 10_000_001}, "matches 10000001: expected at most 10,000,000"),
        ({"matches": 10**23}, "at most 10,000,000"),
        ({"matches": 10**9999}, "at most 10,000,000"),
        ({"bots": ["random"]}, "bots: expected at least 2, found 1"),
        ({"bots": "random"}, "expected a list of names"),
        ({"matches": 0}, "matches 0: expected an integer of at least 1"),
        ({"seed": 1.5}, "seed 1.5: expected an integer or a text"),
        ({"seats": 9}, "seats of kamiza-second: expected 3 or 4, found 9"),
        ({"until_clear": 1.5}, "until clear 1.5: expected a share between 0 and 1"),
        (
            {"until_clear": 0.5, "bots": ["random", "greedy", "sensible"]},
            "expected exactly 2 bots, found 3",
        ),
    ],
)
def test_what_cannot_be_played_is_refused(wrong: dict[str, Any], fault: str) -> None:
    with pytest.raises(zashiki.Malformed, match=fault):
        plan(**wrong)


# Reports ---------------------------------------------------------------------------------------


def test_intervals_are_over_deals() -> None:
    """Two matches of a deal with equal results count as one, opposite ones are exact."""
    same, mixed = Spread(), Spread()
    for deal in range(100):
        same.add([float(deal % 2)] * 2)
        mixed.add([0.0, 1.0])
    alike = same.share()
    assert alike.low == pytest.approx(wilson(50, 100).low, abs=0.003)
    assert mixed.share().mean == alike.mean == 0.5
    few = Spread()
    few.add([1.0, 0.0])
    assert few.share() == wilson(0.5, 1)


def test_matches_of_a_deal_that_always_end_alike_are_worth_one() -> None:
    chosen = plan(matches=200, game="kingdoms", seats=2)
    spent = Times(1, 0.1, 0.1, {100: 1})
    played = []
    for match in range(200):
        winner = match // 2 % 2  # of both matches of a deal
        ranks = tuple(1 + (bot != winner) for bot in chosen.schedule.lineup_of(match))
        played.append(MatchResult(match, ranks, (0.0, 0.0), (spent, spent)))
    share = measure(chosen, played).bots[0].share
    assert share.low == pytest.approx(wilson(50, 100).low, abs=0.003)
    assert share.low < wilson(100, 200).low - 0.02


def test_of_few_deals_no_interval_is_narrower_than_independent_matches_make_it() -> None:
    """A bot on several seats, or against several others, gives the evidence of one match."""
    chosen = plan(matches=120)
    spent = Times(1, 0.1, 0.1, {100: 1})
    played = []
    for match in range(120):
        lineup = chosen.schedule.lineup_of(match)
        best = lineup.index(match % 6 < 3 + match // 6 % 2)
        ranks = tuple(1 if seat == best else 2 for seat in range(3))
        played.append(MatchResult(match, ranks, (0.0,) * 3, (spent,) * 3))
    found = measure(chosen, played)
    assert found.deals == 20
    for entry in found.bots:
        for share in filter(None, (entry.share, *entry.versus, *entry.ranks)):
            independent = wilson(share.mean * 120, 120)
            assert share.low <= independent.low + 1e-9
            assert share.high >= independent.high - 1e-9


def test_of_few_deals_intervals_are_wider() -> None:
    assert student(2) == pytest.approx(4.303, rel=0.05)
    assert student(9) == pytest.approx(2.262, rel=0.001)
    assert student(1000) == pytest.approx(1.962, rel=0.001)


@pytest.mark.parametrize(("deals", "likeness"), [(10, 0.9), (40, 0.0), (40, 0.9)])
def test_intervals_cover_the_truth_as_often_as_they_say(deals: int, likeness: float) -> None:
    """Matches of a deal that follow the deal with this probability, and otherwise chance."""
    source, covered = random.Random(3), 0
    for _ in range(400):
        spread = Spread()
        for _ in range(deals):
            deal = source.random() < 0.3
            matches = [
                deal if source.random() < likeness else source.random() < 0.3 for _ in range(4)
            ]
            spread.add([float(won) for won in matches])
        covered += spread.share().low <= 0.3 <= spread.share().high
    assert covered / 400 > 0.92


def test_a_shared_first_place_counts_in_parts() -> None:
    assert win_credits([1, 1, 3]) == [0.5, 0.5, 0]
    assert win_credits([2, 1]) == [0, 1]


def test_a_bot_on_several_chairs_is_rated_by_the_mean_of_its_ranks() -> None:
    assert mean_ranks((0, 1, 1, 1), [2, 1, 3, 4]) == {0: 2, 1: 8 / 3}


def test_times_are_known_to_a_few_percent() -> None:
    for seconds in (2e-6, 3.3e-4, 0.05, 1.9, 700.0):
        assert class_time(time_class(seconds)) == pytest.approx(seconds, rel=0.05)
    clock = Clock()
    classes = Counter(time_class(seconds) for seconds in [0.001] * 90 + [0.1] * 9 + [2.0])
    clock.add(Times(100, 2.99, 2.0, dict(classes)))
    spent = clock.thinking()
    assert (spent.decisions, spent.longest) == (100, 2.0)
    assert spent.mean == pytest.approx(0.0299)
    assert spent.median == pytest.approx(0.001, rel=0.05)
    assert spent.nearly_all == pytest.approx(0.1, rel=0.05)


def test_a_standing_adds_up() -> None:
    found = standing(plan(matches=48))
    assert (found.matches, found.deals, found.fair) == (48, 8, 1 / 3)
    assert sum(entry.share.mean for entry in found.bots) * 3 / 2 == pytest.approx(1)
    assert sum(share.mean for share in found.seats) == pytest.approx(1)
    for entry in found.bots:
        assert entry.chairs == 72
        assert sum(place.mean for place in entry.ranks) == pytest.approx(1)
        assert entry.alone is not None
        assert entry.share.low <= entry.share.mean <= entry.share.high
    first, second = (entry.versus for entry in found.bots)
    assert first[1] is not None
    assert second[0] is not None
    assert first[1].mean + second[0].mean == pytest.approx(1)
    assert first[0] is second[1] is None
    assert sum(entry.thinking.decisions for entry in found.bots) == sum(
        length * count for length, count in found.lengths.items()
    )


@pytest.mark.compiled
def test_ratings_know_who_is_stronger() -> None:
    pytest.importorskip("openskill")
    found = standing(plan(["sensible", "random", "greedy"], 60))
    strengths = {entry.name: entry.rating.strength for entry in found.bots if entry.rating}
    assert strengths["random"] < strengths["greedy"] < strengths["sensible"]


def test_between_two_draws_are_told() -> None:
    found = standing(plan(matches=8, game="kingdoms", seats=2))
    assert found.draws is not None
    assert found.bots[0].alone is None


# Until it is clear -----------------------------------------------------------------------------


@pytest.mark.parametrize("workers", [1, 2])
def test_it_ends_when_it_is_clear_and_counts_the_same_for_any_workers(workers: int) -> None:
    chosen = plan(["greedy", "random"], 4000, "kingdoms", seats=2, until_clear=0.6)
    with opened(None, chosen) as results:
        for _ in contest(chosen, results, workers):
            pass
        finding = Judge(chosen, results).finding()
        assert finding is not None
        assert finding.verdict is Verdict.ABOVE
        assert finding.estimate.low > 0.6
        assert finding.matches < 200
        assert finding.matches <= len(results) < 4000  # a delayed worker lets others go ahead
        assert finding.matches == 2 * finding.deals
        assert finding == one_finding(chosen)
        assert list(contest(chosen, results, workers)) == []


def one_finding(chosen: Plan) -> object:
    with opened(None, chosen) as results:
        for _ in contest(chosen, results):
            pass
        return Judge(chosen, results).finding()


def test_the_weaker_bot_is_clearly_not_above() -> None:
    chosen = plan(["random", "greedy"], 400, "kingdoms", seats=2, until_clear=0.5)
    finding = one_finding(chosen)
    assert getattr(finding, "verdict", None) is Verdict.NOT_ABOVE


def found(verdict: Verdict) -> Finding:
    return Finding(verdict, 1 / 3, 10, 30, Interval(0.5, 0.4, 0.6))


@pytest.mark.parametrize("verdict", [Verdict.ABOVE, Verdict.NOT_ABOVE])
def test_alone_in_a_field_it_is_not_said_who_is_stronger(verdict: Verdict) -> None:
    """Equal bots in a field hinder each other, so either may exceed its share there."""
    said = sentence(plan(["greedy", "random"], until_clear=1 / 3), found(verdict))
    assert said.startswith(f"greedy, alone in a field of random, is {verdict.value} 33.33 %")
    assert "This alone does not show which is the stronger: random, alone in a field of" in said


def test_between_two_and_of_what_is_not_clear_nothing_is_added() -> None:
    two = plan(["greedy", "random"], 4, "kingdoms", seats=2, until_clear=0.5)
    assert sentence(two, found(Verdict.ABOVE)).endswith("(40.0–60.0) %")
    three = plan(["greedy", "random"], until_clear=1 / 3)
    assert sentence(three, found(Verdict.UNCLEAR)).endswith("(40.0–60.0) %")


def test_what_is_not_clear_says_so() -> None:
    finding = one_finding(plan(["random", "greedy"], 3, until_clear=1 / 3))
    assert getattr(finding, "verdict", None) is Verdict.UNCLEAR
    assert getattr(finding, "matches", None) == 3


# Files and the command -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("arena") / "out"
    path = folder.parent / "mine.py"
    path.write_text(OWN, "utf-8")
    bots = f"random,greedy,{path}:First"
    assert main(["arena", "kamiza-second", "--bots", bots, "--seats", "3", "--matches", "12",
                 "--workers", "1", "--out", str(folder)]) == 0  # fmt: skip
    return folder


def test_csv_and_parquet_say_the_same(written: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(written / "results.parquet").to_pylist()
    listed = rows(written / "results.csv")
    assert len(listed) == 36
    assert [{name: str(value) for name, value in row.items()} for row in table] == listed
    assert list(listed[0]) == [
        "match", "deal", "seed", "seat", "bot", "rank", "score", "decisions", "seconds", "longest",
    ]  # fmt: skip
    assert {row["bot"] for row in listed} == {"random", "greedy", "First"}


def test_the_summary_is_json(written: Path) -> None:
    summary = json.loads((written / "summary.json").read_bytes())
    assert summary["plan"]["matches"] == summary["standing"]["matches"] == 12
    assert [bot["name"] for bot in summary["standing"]["bots"]] == ["random", "greedy", "First"]


class Elements(HTMLParser):
    """The elements of a page; checks that every opened one is closed."""

    EMPTY = ("meta", "line", "circle", "path", "rect")

    def __init__(self) -> None:
        super().__init__()
        self.seen: Counter[str] = Counter()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] += 1
        self.attributes += attrs
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] += 1
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_report_is_one_page_that_needs_nothing_else(written: Path) -> None:
    text = (written / "report.html").read_text("utf-8")
    page = Elements()
    page.feed(text)
    assert page.open == []
    assert page.seen["svg"] >= 6
    assert not page.seen.keys() & {"script", "link", "img", "iframe", "object"}
    assert not {name for name, _ in page.attributes} & {"src", "href", "xlink:href", "srcset"}
    assert not re.search(r"https?:|url\(|@import|//", text.replace("<!doctype", ""))
    for drawing in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        svg = ElementTree.fromstring(drawing)
        assert svg[0].tag == "title"
        assert svg[1].tag == "desc"
        assert svg.attrib["role"] == "img"
    ids = [value for name, value in page.attributes if name == "id"]
    assert len(ids) == len(set(ids))


def test_names_in_the_report_are_text(own: Path) -> None:
    chosen = plan([f"{own}:First", "random"], 6)
    found, wrong = standing(chosen), "<b>&"
    first, second = found.bots
    evil = replace(chosen, entrants=(Entrant(wrong), chosen.entrants[1]), seed=wrong)
    text = report(evil, replace(found, bots=(replace(first, name=wrong), second)))
    assert wrong not in text
    assert "&lt;b&gt;&amp;" in text


def test_a_finished_arena_is_only_reported_again(
    written: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (written / MATCHES).read_bytes()
    report_before = (written / "report.html").read_bytes()
    path = written.parent / "mine.py"
    assert main(["arena", "kamiza-second", "--bots", f"random,greedy,{path}:First", "--seats", "3",
                 "--matches", "12", "--out", str(written)]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert "12 matches are there already" in said
    assert "First" in said
    assert "fair share of wins: 33.3 %" in said
    assert (written / MATCHES).read_bytes() == before
    assert (written / "report.html").read_bytes() == report_before


def test_without_pyarrow_and_openskill_the_rest_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "openskill", None)
    folder = tmp_path / "out"
    assert main(["arena", "kingdoms", "--bots", "random,greedy", "--matches", "4", "--workers", "1",
                 "--out", str(folder)]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert "pip install 'zashiki[parquet]'" in said
    assert "pip install 'zashiki[lab]'" in said
    names = {path.name for path in folder.iterdir()}
    assert names == {PLAN, MATCHES, "report.html", "results.csv", "summary.json"}


def test_until_clear_is_told_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "kingdoms", "--bots", "greedy,random", "--until-clear", "0.6",
                 "--matches", "400", "--workers", "1"]) == 0  # fmt: skip
    said = capsys.readouterr().out
    assert "greedy against random is clearly above 60 % of decisive matches, after " in said


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ("kamiza-second", "--bots"),
        ("kamiza-second --bots random", "bots: expected at least 2, found 1"),
        ("kamiza-second --bots random,clever", "'clever'"),
        ("kamiza-second --bots random,greedy --workers 0", "from 1 to 1024"),
        ("kamiza-second --bots random,greedy --matches 200000000", "at most 10,000,000"),
        ("kamiza-second --bots random,greedy --until-clear much", "--until-clear 'much'"),
        (
            "kamiza-second --bots random,greedy,sensible --until-clear",
            "expected exactly 2 bots, found 3",
        ),
        ("kamiza-second --bots random,greedy --out none/deeper", "none/deeper: No such file"),
        ("kamiza-second --bots random,greedy --ray 127.0.0.1:1", "no cluster is reached there"),
        ("kamiza-second --bots random,greedy --ray host:", "expected local, auto or HOST:PORT"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(
    arguments: str, fault: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *arguments.split()]) == 2
    said = capsys.readouterr().err
    assert fault in said
    assert said.startswith("zashiki: ")
    assert said.count("\n") == 1


# Many machines ---------------------------------------------------------------------------------


class SlowRay:
    """Stands for Ray on a machine so busy that a node starts in time only after some tries."""

    def __init__(self, failures: int, reason: str) -> None:
        self.failures, self.reason = failures, reason
        self.starts = self.stops = 0

    def init(self, **_: object) -> None:
        self.starts += 1
        if self.starts <= self.failures:
            raise RuntimeError(self.reason)

    def shutdown(self) -> None:
        self.stops += 1


def test_a_local_cluster_that_starts_too_slowly_is_started_again() -> None:
    slow = "The current node timed out during startup."
    ray = SlowRay(2, slow)
    cluster.begin(ray, "local", {})
    assert (ray.starts, ray.stops) == (3, 2)
    for address, failures, reason, starts in [
        ("local", 3, slow, 3),
        ("local", 1, "no memory", 1),
        ("127.0.0.1:1", 1, slow, 1),
    ]:
        ray = SlowRay(failures, reason)
        with pytest.raises(Malformed, match=reason):
            cluster.begin(ray, address, {})
        assert ray.starts == starts


@pytest.mark.long
def test_a_ray_cluster_of_two_workers_plays_the_same(tmp_path: Path, own: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed for this Python")
    home, folder = tmp_path / "home", tmp_path / "out"
    home.mkdir()
    (tmp_path / "helper.py").write_text("from random import *", "utf-8")
    own.write_text(f"import helper\n{OWN}", "utf-8")
    names = ["greedy", f"{own}:First"]
    done = run_process(
        "arena", "kamiza-second", "--bots", ",".join(names), "--seats", "3", "--matches", "24",
        "--ray", "local", "--workers", "2", "--out", str(folder), HOME=str(home),
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert list(home.iterdir()) == []
    chosen = plan(names, 24)
    with opened(folder, chosen) as results:
        there = [played._replace(times=()) for played in results.in_order(24)]
    assert there == play_all(chosen)
