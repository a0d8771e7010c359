"""The heuristics of a search of Kingdoms: odds, priors, likely worlds, and evaluation."""

import pytest

import zashiki
from zashiki import Match
from zashiki.bots import LEVELS, make_bot
from zashiki.core.dice import Quick
from zashiki.core.parts import Seat
from zashiki.games.kingdoms.ai.odds import Odds
from zashiki.games.kingdoms.ai.playout_policy import KingdomsPolicy
from zashiki.games.kingdoms.card_set import built_in
from zashiki.games.kingdoms.cards import both, kinds_of
from zashiki.games.kingdoms.forces import AREAS, Forces
from zashiki.games.kingdoms.options import LEVELS as TABLE
from zashiki.games.kingdoms.options import playout_policy
from zashiki.games.kingdoms.play import Kingdoms
from zashiki.games.kingdoms.state import DRAFT
from zashiki.games.kingdoms.tests.tables import battle, deploy, draft, fought

BORDER, BLUE_CAPITAL = AREAS.index("border"), AREAS.index("blue-capital")
SEARCHING = ["regular", "strong", "master"]


@pytest.fixture(scope="module")
def odds() -> Odds:
    return Odds(Forces(built_in("reconstructed")))


def policy_of(match: Match) -> KingdomsPolicy:
    return playout_policy(match.game, 4)


def chosen(match: Match, level: str) -> str:
    """Return the action that a bot with few worlds chooses for the seat to act."""
    (seat,) = match.to_act
    view = match.state.views[seat]
    bot = make_bot(level, match.spec, match.game, 1, worlds=150)
    return match.game.actions[bot.choose(view, match.game.legal(view))].text


def hope(match: Match) -> float:
    """Return the winning probability of the side to move."""
    values = policy_of(match).evaluate(match.state)
    assert sum(values) == pytest.approx(1)
    assert 0 < values[0] < 1
    return values[int(match.state.public.owner)]


# Odds --------------------------------------------------------------------------------------------


def test_one_normal_card_seldom_adds_three_on_the_border(odds: Odds) -> None:
    """Five Shieldmen, and two Priests with a bonus of 1 with the garrison."""
    assert odds.all_below(BORDER, 3, 1, 0) == pytest.approx(23 / 30)
    assert odds.all_below(BORDER, 3, 2, 0) == pytest.approx((23 / 30) ** 2)


def test_guards_add_more_in_a_capital(odds: Odds) -> None:
    assert odds.all_below(BORDER, 4, 1, 0) == 1
    assert odds.all_below(BLUE_CAPITAL, 4, 1, 0) == pytest.approx(28 / 30)


def test_an_empty_hand_adds_nothing_and_strikes_at_nobody(odds: Odds) -> None:
    assert odds.all_below(BORDER, 0, 0, 0) == 1
    assert odds.all_below(BORDER, 0, 1, 0) == 0
    assert odds.reach(BORDER, 1, 0, 0) == 0


def test_the_more_cards_and_aces_the_further_they_reach(odds: Odds) -> None:
    few, more, aces = (odds.reach(BORDER, 5, *hand) for hand in ((1, 0), (5, 0), (0, 5)))
    assert few < more < aces
    assert odds.reach(BLUE_CAPITAL, 99, 0, 5) == 0
    assert odds.reach(BLUE_CAPITAL, -3, 1, 0) == 1


def test_backs_tell_how_much_attackers_may_have(odds: Odds) -> None:
    """Two normal cards have at most two Lancers, two aces at most two Cavalries."""
    assert odds.strike(2, 0, 6) > 0.01
    assert odds.strike(2, 0, 7) == pytest.approx(0, abs=1e-9)
    assert odds.strike(0, 2, 10) > 0.01
    assert odds.strike(0, 2, 11) == pytest.approx(0, abs=1e-9)
    assert odds.strike(1, 0, 0) == 1


# What a search asks ------------------------------------------------------------------------------


@pytest.mark.parametrize("card_set", ["balanced", "reconstructed", "huge"])
def test_it_leans_to_something_in_every_decision_of_a_match(card_set: str) -> None:
    chosen = built_in("balanced")
    if card_set == "huge":
        chosen["name"] = "huge"
        for card in chosen["cards"] + chosen["monarchs"]:
            card["attack"], card["defence"] = 99, 99
    elif card_set == "reconstructed":
        chosen = built_in(card_set)
    match = zashiki.start("kingdoms", 2, seed=3, options={"card_set": chosen})
    game, policy, chance = match.game, policy_of(match), Quick(5)
    choices = game.choices()
    for _ in range(60):
        if match.over:
            break
        (seat,) = match.to_act
        view = match.state.views[seat]
        choices.clear()
        game.offer(view, choices)
        leanings = list(policy.priors(view, choices))
        assert len(leanings) == choices.count
        assert min(leanings) >= 0
        assert sum(leanings) == pytest.approx(1)
        action = policy.pick(view, choices, chance)
        assert action in game.legal(view)
        match.play(seat, game.actions[action].text)


def test_it_judges_where_a_turn_begins() -> None:
    match = draft(("soldier", "soldier"))
    assert policy_of(match).is_quiet(match.state.public)
    assert match.state.public.phase == DRAFT
    match = deploy(("soldier", "soldier"))
    assert not policy_of(match).is_quiet(match.state.public)


def test_a_stage_is_a_turn() -> None:
    match, later = deploy(("soldier", "")), deploy(("soldier", ""))
    policy, view = policy_of(match), match.state.views[0]
    assert policy.stage_values(view, match.state) is None
    later.play(0, "done")
    assert policy.stage_values(view, later.state) == [0.0, 0.0]


def test_a_likely_world_agrees_with_the_view_and_attacks_boldly() -> None:
    hands = ("lancer lancer archer", "soldier")
    match = battle("border", "lancer", "blue soldier", hands)
    policy, view, chance = policy_of(match), match.state.views[1], Quick(7)
    assert isinstance(match.game, Kingdoms)
    game, bold = match.game, []
    for _ in range(200):
        world = policy.world(game, view, chance)
        assert game.show(world.views[1]) == game.show(view)
        red = world.own[0]
        assert len(kinds_of(both(red.hand, red.attackers))) == 4
        (attacker,) = kinds_of(red.attackers)
        held = kinds_of(both(red.hand, red.attackers))
        swords = [int(game.forces.attack[kind]) for kind in held]
        bold.append(int(game.forces.attack[attacker]) - sum(swords) / len(swords))
    assert sum(bold) / len(bold) > 0.3


# The outlook -------------------------------------------------------------------------------------


def test_it_is_good_to_be_able_to_fell_the_other_monarch() -> None:
    full = "soldier soldier shieldman shieldman lancer"
    weak, strong = "archer archer priest liaison liaison", "archer archer cavalry cavalry liaison"
    assert hope(draft((weak, full))) + 0.2 < hope(draft((strong, full)))


@pytest.mark.parametrize("area", ["red-city", "border", "blue-city"])
def test_what_the_other_holds_when_its_turn_is_over_is_bad(area: str) -> None:
    full = "soldier soldier shieldman shieldman lancer"
    assert hope(draft((full, full[8:]), {area: "red heavy-guard"}, turn=1)) < hope(
        draft((full, full[8:]), turn=1)
    )


def test_a_huge_hand_of_a_scene_is_judged_too() -> None:
    many = "soldier soldier soldier lancer lancer lancer shieldman shieldman archer priest liaison"
    assert hope(draft((many, "soldier"))) > 0.5


# Levels ------------------------------------------------------------------------------------------


def test_the_five_levels_look_at_more_and_more() -> None:
    table = TABLE
    assert list(table) == list(LEVELS)
    worlds = [level.worlds for level in table.values() if not level.bot]
    assert worlds == sorted(worlds)
    assert table["casual"].bot == "greedy"


@pytest.mark.parametrize("level", SEARCHING)
def test_every_level_with_ideas_fells_a_monarch_that_nobody_can_defend(level: str) -> None:
    """Against five shields and no hand a tie is enough; a master may take its time in the turn."""
    match = deploy(("lancer soldier archer", ""), {"red-city": "blue archer"})
    while not match.over:
        (seat,) = match.to_act
        action = chosen(match, level) if seat == 0 else "defend:none"
        assert action != "done"
        match.play(seat, action)
    assert match.outcome is not None
    assert match.outcome.ranks == (1, 2)


@pytest.mark.parametrize("level", ["strong", "master"])
def test_a_win_that_no_card_can_stop_is_taken(level: str) -> None:
    """Princess, offset and the best that a normal card can add make nine."""
    hands = ("cavalry cavalry soldier lancer", "soldier")
    areas = dict.fromkeys(("red-city", "border"), "blue shieldman")
    assert chosen(deploy(hands, areas), level) == "attack:blue-capital:cavalry+cavalry"


@pytest.mark.parametrize("level", ["regular", "strong", "master"])
def test_the_fifth_area_is_taken(level: str) -> None:
    held = dict.fromkeys(("red-city", "border", "blue-city"), "red soldier")
    match = deploy(("knight soldier", "princess soldier"), held)
    assert chosen(match, level).startswith("occupy:blue-capital:")


@pytest.mark.parametrize("level", ["regular", "strong"])
def test_a_monarch_under_attack_is_defended_by_what_is_needed(level: str) -> None:
    match = battle("blue-capital", "lancer lancer", "blue princess", ("", "archer shieldman"))
    assert chosen(match, level) == "defend:shieldman"


def test_strong_leaves_the_card_that_holds_best() -> None:
    match = fought("blue-city", "cavalry city-guard", "blue archer")
    assert chosen(match, "strong") == "leave:city-guard"


def test_a_choice_depends_on_view_and_seed_alone() -> None:
    match = deploy(("lancer soldier archer", "soldier knight"), {"border": "blue soldier"})
    before = match.truth()
    assert chosen(match, "strong") == chosen(match, "strong")
    assert match.truth() == before
    other = deploy(("lancer soldier archer", "lancer cavalry"), {"border": "blue soldier"})
    assert chosen(other, "strong") == chosen(match, "strong")


def test_seats_are_judged_from_their_own_side() -> None:
    match = draft(("cavalry cavalry", ""), turn=0)
    assert policy_of(match).evaluate(match.state)[Seat(0)] > 0.5
