"""Games over HTTP: seats, options and bots, texts and rules in every language."""

from collections.abc import Sequence
from typing import Any

from litestar import get
from litestar.params import FromPath, FromQuery

import zashiki
from zashiki.bots import LEVELS, bot_names
from zashiki.core.rulebook import chapter_of_game, credits_chapter
from zashiki.core.rulings import Malformed
from zashiki.core.spec import GameSpec, Option
from zashiki.core.text import LANGUAGES
from zashiki.core.wording import Wording
from zashiki.games import game_spec
from zashiki.server.errors import ApiError
from zashiki.server.protocol import rest


@get("/api/games", sync_to_thread=False)
def list_games() -> list[rest.OfferedGame]:
    """List all games with their seats, options and bots."""
    return offered_games()


def offered_games() -> list[rest.OfferedGame]:
    return [describe_game(spec) for spec in zashiki.games().values()]


def describe_game(spec: GameSpec) -> rest.OfferedGame:
    wordings = {language: Wording(spec, language) for language in LANGUAGES}
    return rest.OfferedGame(
        spec.id,
        spec.title,
        list(spec.seats),
        [describe_option(option, spec.seats) for option in spec.options.values()],
        list(bot_names(spec)),
        list(LEVELS),
        {language: wording.title() for language, wording in wordings.items()},
        {language: wording.summary() for language, wording in wordings.items()},
        spec.speech,
        list(spec.sides),
        spec.minutes,
        spec.difficulty,
        {language: wording.credits() for language, wording in wordings.items()},
        spec.credits.website if spec.credits else "",
    )


def describe_option(option: Option, seats: Sequence[int]) -> rest.OfferedOption:
    by_seats: dict[str, list[Any]] = {}
    for count in seats:
        default = option.default_for(count)
        others = [value for value in option.values_for(count) if value != default]
        by_seats[str(count)] = [default, *others]
    return rest.OfferedOption(
        option.name,
        list(option.values),
        option.default,
        by_seats,
        option.content is not None,
        option.is_form,
    )


@get("/api/games/{game:str}/texts", sync_to_thread=False)
def show_texts(game: FromPath[str], language: FromQuery[rest.Language] = "en") -> rest.GameTexts:
    """Return the texts of a game in one language."""
    return texts_of(find_game(game), language)


def texts_of(spec: GameSpec, language: rest.Language) -> rest.GameTexts:
    wording = Wording(spec, language)
    own = wording.texts.game
    rules = spec.rules(spec.seats[0], spec.check_options({}, spec.seats[0])).game
    return rest.GameTexts(
        wording.title(),
        wording.summary(),
        {**wording.texts.core.get("words", {}), **own.get("words", {})},
        dict(own.get("options", {})),
        wording.texts.hints(spec.id),
        wording.phrases(rules),
        dict(own.get("client", {})),
        wording.goal(),
    )


@get("/api/games/{game:str}/rules", sync_to_thread=False)
def show_rules(game: FromPath[str], language: FromQuery[rest.Language] = "en") -> rest.GameRules:
    """Return the numbered rules of a game, as Markdown."""
    spec = find_game(game)
    for name in (f"rules.{language}.md", "rules.en.md"):
        file = spec.folder / name
        if file.is_file():
            wording = Wording(spec, language)
            own = chapter_of_game(file.read_text("utf-8"), spec.id)
            text = f"{own}\n\n{credits_chapter(wording)}".strip() + "\n"
            return rest.GameRules(wording.title(), text)
    raise ApiError(404, "no-rules", "this game has no written rules")


def find_game(game: str) -> GameSpec:
    try:
        return game_spec(game)
    except Malformed as fault:
        raise ApiError(404, "no-game", str(fault)) from None


HANDLERS = (list_games, show_texts, show_rules)
