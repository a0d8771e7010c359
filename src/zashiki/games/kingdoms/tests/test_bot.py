"""Kingdoms' bots: greedy uses the open cards, sensible also the other's possible hand."""

from zashiki import Match
from zashiki.bots import make_bot
from zashiki.games.kingdoms.tests.tables import battle, deploy, draft, fought


def chosen(match: Match, bot: str = "sensible") -> str:
    """Return the action that a bot chooses for the seat to act."""
    (seat,) = match.to_act
    view = match.state.views[seat]
    choice = make_bot(bot, match.spec, match.game, 1).choose(view, match.game.legal(view))
    return match.game.actions[choice].text


def test_greedy_drafts_aces_where_there_is_little_room() -> None:
    held = "soldier soldier lancer"
    areas = {"red-city": "red soldier"}
    assert chosen(draft((held, ""), areas), "greedy") == "draft:A2"


def test_greedy_takes_what_pays_most() -> None:
    assert chosen(deploy(("soldier", "")), "greedy") == "occupy:red-city:soldier"


def test_greedy_attacks_only_what_it_sees_to_be_weaker() -> None:
    held = dict.fromkeys(("red-city", "border"), "red shieldman")
    assert (
        chosen(deploy(("lancer", ""), {**held, "blue-city": "blue archer"}), "greedy")
        == "attack:blue-city:lancer"
    )
    assert chosen(deploy(("lancer", ""), {**held, "blue-city": "blue soldier"}), "greedy") == "done"


def test_greedy_adds_its_strongest_shield() -> None:
    match = battle("border", "soldier", "blue soldier", ("", "lancer heavy-guard"))
    assert chosen(match, "greedy") == "defend:heavy-guard"


def test_sensible_fells_a_monarch_that_nobody_can_defend() -> None:
    """Against five shields and no hand a tie is enough."""
    match = deploy(("lancer soldier archer", ""), {"red-city": "blue archer"})
    assert chosen(match) == "attack:blue-capital:lancer+soldier"


def test_sensible_takes_the_fifth_area() -> None:
    held = dict.fromkeys(("red-city", "border", "blue-city"), "red soldier")
    match = deploy(("knight", "princess"), held)
    assert chosen(match) == "occupy:blue-capital:knight"


def test_sensible_adds_what_may_be_needed_for_its_monarch() -> None:
    match = battle("blue-capital", "lancer lancer", "blue princess", ("", "archer shieldman"))
    assert chosen(match) == "defend:shieldman"


def test_sensible_adds_nothing_that_cannot_change_the_battle() -> None:
    """No normal card is strong enough against a Heavy Guard in a city."""
    match = battle("blue-city", "lancer", "blue heavy-guard", ("", "soldier shieldman"))
    assert chosen(match) == "defend:none"


def test_sensible_keeps_its_monarch_out_of_a_battle_that_it_may_lose() -> None:
    match = battle("border", "knight cavalry", "blue archer", ("", "princess"))
    assert chosen(match) == "defend:none"


def test_sensible_leaves_the_card_that_holds_best() -> None:
    match = fought("blue-city", "cavalry city-guard", "blue archer")
    assert chosen(match) == "leave:city-guard"


def test_sensible_takes_back_a_monarch_in_danger() -> None:
    """Blue has five aces and three areas; no card in Red's hand would save the Prince."""
    held = dict.fromkeys(("border", "blue-city"), "blue soldier") | {"red-city": "red shieldman"}
    match = deploy(("liaison archer", "cavalry cavalry knight knight bird-soldier"), held)
    assert chosen(match) == "swap:red-capital:liaison"
