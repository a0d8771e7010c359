"""Every law over every game that is found, its options and seats."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zashiki.core.dice import Chance, Quick
from zashiki.core.game import members
from zashiki.core.parts import Seat
from zashiki.games import catalogue
from zashiki.laws import LAWS, Form, Tally, check_form, check_match, distribution, exact, forms
from zashiki.laws.playing import MAX_ACTIONS, check_outcome
from zashiki.laws.run import WHOLE

FORMS = [form for spec in catalogue().values() for form in forms(spec)]
LONG, LONG_WINDED = 1000, {"kingdoms": 300, "red-town": 280}
"""Matches per game with --long, under every law; fewer if they are long."""
MANY, SELDOM = 2000, 40
"""Matches per form with --long by the bare rules, and how often cards are counted."""

bounded = settings(derandomize=True, deadline=None, database=None, print_blob=False)
seeds = st.integers(0, 2**32)
every_form = pytest.mark.parametrize("form", FORMS, ids=str)

RED_TOWN = ("red-town 2 form=two hitmen=hidden", "red-town 3 form=standard hitmen=hidden")
"""Its two kinds of rules. A match of more seats takes several times as long."""
INTERPRETED = {
    *RED_TOWN,
    *({form.spec.id: str(form) for form in FORMS if form.spec.id != "red-town"}.values()),
}
"""The forms whose interpreted matches are not long: Red Town's two, and the last of other games."""


@pytest.mark.compiled
@every_form
def test_laws_of_a_form(form: Form) -> None:
    tally = Tally()
    check_form(form, LAWS, tally)
    assert skipped(form, tally) == []


@pytest.mark.compiled
@every_form
@settings(bounded, max_examples=2)
@given(seed=seeds)
def test_laws_of_a_match(form: Form, seed: int) -> None:
    check_laws(form, seed)


@pytest.mark.parametrize(
    "form",
    [
        pytest.param(form, marks=[] if str(form) in INTERPRETED else pytest.mark.long)
        for form in FORMS
    ],
    ids=str,
)
def test_laws_of_an_interpreted_match(form: Form) -> None:
    """Plain Python obeys the laws too; many matches check the compiled modules."""
    check_laws(form, seed=0, whole=2)


def check_laws(form: Form, seed: int, whole: int = WHOLE) -> None:
    tally = Tally()
    check_match(form, seed, LAWS, tally, whole=whole)
    assert skipped(form, tally) == []


def skipped(form: Form, tally: Tally) -> list[str]:
    """Return the laws that were skipped; a game from outside need not support all of them."""
    inside = str(form.spec.make.__module__).startswith("zashiki.")
    return [name for name, count in tally.laws.items() if count.skipped and inside]


@pytest.mark.compiled
@settings(bounded, max_examples=15)
@given(form=st.sampled_from(FORMS), seed=seeds, picks=st.lists(st.integers(0, 59), max_size=40))
def test_laws_of_a_match_that_is_searched_for(form: Form, seed: int, picks: list[int]) -> None:
    quick = [law for law in LAWS if law.name in QUICK]
    check_match(form, seed, quick, picks=picks)


QUICK = {
    "legal ⇔ not refused",
    "a view equals the fold of what its seat saw",
    "scenario(truth) = truth",
    "simultaneous choices commute",
    "a sampled world has the same view",
    "cards are conserved",
}


@pytest.mark.compiled
@pytest.mark.long
@every_form
def test_laws_of_many_matches(form: Form) -> None:
    alike = sum(other.spec.id == form.spec.id for other in FORMS)
    for seed in range(-(-LONG_WINDED.get(form.spec.id, LONG) // alike)):
        check_match(form, 1_000_000 + seed)


@pytest.mark.compiled
@pytest.mark.long
@every_form
def test_random_play_of_the_bare_rules_ends(form: Form) -> None:
    """Without a journal, as in playouts: a match ends, with ranks, and no card is lost."""
    game, conserved = form.game, form.statement("conserved")
    for seed in range(MANY):
        chance, state = Quick(seed), game.empty()
        game.start(state, chance)
        first = conserved(game.truth(state)) if conserved else None
        for step in range(MAX_ACTIONS):
            seats = members(game.to_act(state.public))
            if not seats:
                break
            seat = seats[int(chance.below(len(seats), "seat"))]
            legal = game.legal(state.views[seat])
            game.apply(state, Seat(seat), legal[int(chance.below(len(legal), "pick"))], chance)
            if conserved and (step + seed) % SELDOM == 0:
                assert conserved(game.truth(state)) == first
        outcome = game.outcome(state.public)
        assert outcome is not None
        check_outcome(outcome, form.seats)


def test_every_game_has_an_interpreted_match_that_is_not_long() -> None:
    short = [form for form in FORMS if str(form) in INTERPRETED]
    assert {form.spec.id for form in short} == {form.spec.id for form in FORMS}
    assert set(RED_TOWN) <= {str(form) for form in short}


def test_every_game_of_the_package_is_found() -> None:
    assert {"kamiza-2014", "kamiza-second", "kingdoms", "red-town"} <= {
        form.spec.id for form in FORMS
    }
    assert {law.name for law in LAWS} > QUICK


@pytest.mark.compiled
@pytest.mark.parametrize(
    "form", [form for form in FORMS if getattr(form.stated, "PRIOR", "") == "even"], ids=str
)
def test_a_sampler_is_as_designed_where_it_is_even(form: Form) -> None:
    """Two ways to compute likelihoods agree for every game with `PRIOR = "even"`."""
    for family in exact.openings(form):
        histories = exact.histories(form.game, exact.standing(family))
        exact.check_exactly(form.game, histories, "designed")


def test_a_distribution_is_exact() -> None:
    def two_dice(chance: Chance) -> int:
        return int(chance.below(6, "die") + chance.below(6, "die")) + 2

    found = distribution(two_dice)
    assert sum(found.values()) == 1
    assert found[7] == Fraction(1, 6)
    assert found[2] == Fraction(1, 36)
