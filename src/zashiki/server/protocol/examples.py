"""One example of each request and answer over HTTP, for the API's description.

They are values of the structs themselves, so that the type checker and a test keep them valid.
"""

from typing import Any, Final

from msgspec import Struct

from zashiki.server.protocol import rest

NOON: Final = 1767268800.0
"""A moment, in seconds since the epoch."""
PLAYER_ID: Final = "k3v9xq2m7drb4wne"
RIVAL_ID: Final = "p8s2hcy5tgfz6jua"
BOT_ID: Final = "b4n7eokw2xmq9rdi"
TABLE_ID: Final = "t6w3ylq8zfhc5gvm"
MATCH_ID: Final = "m2j9rbx4uods7keq"
CARD_SET_ID: Final = "c5f8wvi3ahnt2pyl"
REPORT_ID: Final = "r7d4guk9oexz3bms"
LINK_KEY: Final = "q2hx7mzr"

AKI: Final = rest.Player(PLAYER_ID, "Aki", "account")
BEN: Final = rest.Player(RIVAL_ID, "Ben", "guest")
REGULAR: Final = rest.Player("bot:regular", "Regular", "bot")
OWN_BOT: Final = rest.Player(BOT_ID, "Aki's bot", "bot")
CHANGE: Final = rest.RatingChange(24.1, 25.0, 20.2, 29.8)
RATING: Final = rest.Rating("kamiza-second", "", 3, "people", 25.0, 20.2, 29.8, 31)
HEADER: Final = {
    "zashiki": 1,
    "game": "kamiza-second",
    "rules_version": 1,
    "options": {"open_start": False, "underboss_shield": False, "tie_break": "chicken"},
    "seats": 3,
    "names": ["Aki", "Ben", "Regular"],
}
RECORD: Final = '{"zashiki":1,"game":"kamiza-second","seats":3,"names":["Aki","Ben","Regular"]}\n'
TABLE: Final = rest.Table(
    TABLE_ID,
    "kamiza-second",
    {"open_start": False},
    PLAYER_ID,
    "open",
    True,
    "live",
    [
        rest.Seat("player", AKI, here=True),
        rest.Seat("open"),
        rest.Seat("bot", REGULAR, ready=True),
    ],
    pace=rest.Clock(30, 300),
)
PLAYED: Final = rest.Played(
    MATCH_ID,
    TABLE_ID,
    "kamiza-second",
    3,
    NOON,
    NOON + 720,
    [rest.Sitter("Aki", AKI), rest.Sitter("Ben", BEN), rest.Sitter("Regular")],
    True,
    [1, 2, 3],
    [5.0, 3.0, 1.0],
    rated_ranks=[1, 2, 3],
    changes=[CHANGE, rest.RatingChange(25.0, 24.2, 19.1, 29.3), None],
)
SIGHT: Final = rest.Sight(
    0,
    1,
    36,
    {"round": 1, "hand": ["boss", "underboss"]},
    1,
    "police@top",
    None,
    [{"fact": "placed", "with": {"seat": 1, "area": "top"}}],
    ["Ben lays a card face down at the top."],
)
OK: Final = rest.Finding("ok", "Nothing was changed after the match.")
CARD_SET: Final = {"name": "Short war", "cards": [{"name": "Archer", "attack": 1}]}
CARD_SET_INFO: Final = rest.CardSetInfo(
    CARD_SET_ID, "Short war", "kingdoms", "card_set", AKI, True, NOON
)
OPTION: Final = rest.OfferedOption(
    "open_start", [False, True], False, {"3": [False, True], "4": [False, True]}, False
)
REPORT: Final = rest.Report(
    REPORT_ID, NOON, AKI, BEN, "Chat 12: lose, all of you", TABLE_ID, MATCH_ID, 12, None
)
STANDING: Final = rest.Standing(BEN, NOON - 86400, NOON + 3600, None, None, True)
ACT: Final = rest.Act(
    "a9q3zmt6wkxe2rvo", NOON, "Aki", "mute", BEN, None, REPORT_ID, NOON + 3600, "Insults in chat."
)

REVIEWED_ACTION: Final = rest.ReviewedAction("B", "Place the boss", 0.41, 0.01, 512, 0.6)
REVIEWED_DECISION: Final = rest.ReviewedDecision(
    7, "3", "Place the 3", "B", "Place the boss", 0.06, 0.02, "mistake", 512, 0.1, 0.03,
    [REVIEWED_ACTION, rest.ReviewedAction("3", "Place the 3", 0.35, 0.01, 512, 0.4)],
)  # fmt: skip
EFFECT: Final = rest.ReviewedEffect(0.05, 0.01)
ACCOUNT: Final = rest.ReviewAccount(
    0.5, rest.ReviewedEffect(0.33, 0.01), rest.ReviewedEffect(-0.06, 0.02), EFFECT,
    rest.ReviewedEffect(0.2, 0.02), rest.ReviewedEffect(-0.02, 0.01), 0.0, 0.45,
)  # fmt: skip
REVIEWED_SEAT: Final = rest.ReviewedSeat(0, [0.33, 0.38], [REVIEWED_DECISION], [0], ACCOUNT)
STRUCTS: Final[tuple[Struct, ...]] = (
    # Requests
    rest.NewGuest("Aki"),
    rest.Chair("bot", "regular"),
    rest.Relaxed(),
    rest.Clock(30, 300),
    rest.Days(2),
    rest.NewTable(
        "kamiza-second",
        3,
        {"open_start": True},
        [rest.Chair("open"), rest.Chair("open"), rest.Chair("bot", "regular")],
        pace=rest.Clock(30, 300),
    ),
    rest.PlayOn(0, 12, "regular"),
    rest.PlayerChoice(RIVAL_ID),
    rest.Subscription("https://push.example/send/abc", "BNc…", "k8J…", "ja"),
    rest.Unsubscription("https://push.example/send/abc"),
    rest.NewDigest("mail", "aki@mail.example", 8, "Asia/Tokyo", "ja"),
    rest.DigestLink("v1.WyJ…"),
    rest.SpectatorRules(chat=False),
    rest.Sitting(1, LINK_KEY),
    rest.Placing(2, "regular"),
    rest.Swapping(1),
    rest.Credentials("aki", "four tatami and a half"),
    rest.PasswordChange("four tatami and a half", "eight tatami and a half", True),
    rest.Recovery("aki", "7KQM-2XVD-9HRT", "eight tatami and a half"),
    rest.OwnPassword("four tatami and a half"),
    rest.NewName("Aki"),
    rest.NewBot("Aki's bot", ("sit", "play", "read")),
    rest.NewToken(("play", "read")),
    rest.Mute(RIVAL_ID),
    rest.Complaint("Insults everybody.", line=12),
    rest.RecordText(RECORD),
    rest.CardSetContent("kingdoms", "card_set", CARD_SET),
    rest.NewAct("mute", "Insults in chat.", RIVAL_ID, report=REPORT_ID, hours=1.0),
    # Answers
    AKI,
    TABLE.seats[0],
    rest.Wish(1, 0),
    TABLE,
    rest.Fault("not-host", "only the host of this table may do that"),
    rest.Ticket("w7x2…", 1),
    OPTION,
    rest.OfferedGame(
        "kamiza-second",
        "KAMIZA",
        [3, 4],
        [OPTION],
        ["random", "greedy", "regular", "master"],
        ["greedy", "regular", "master"],
        {"en": "KAMIZA", "ja": "KAMIZA"},
        {"en": "Six cards, two places, and a boss.", "ja": "6枚の手札で上座を争う。"},
        40,
        [],
        10,
        1,
        {"en": ["Design: its designer"], "ja": ["ゲームデザイン：作者"]},
        "https://publisher.example",
    ),
    rest.GameTexts(
        "KAMIZA",
        "Six cards, two places, and a boss.",
        {"boss": "Boss"},
        {"open_start": {"title": "Open start"}},
        {"": {"threat": "A threat may go with a card."}},
        {"greeting": "Good evening."},
        {"top": "Top seat"},
        "Win the most points in three games.",
    ),
    rest.GameRules("KAMIZA", "# KAMIZA\n\n**K1 1.1** Each player has the same six cards.\n"),
    rest.Visitor(RIVAL_ID, "Ben"),
    rest.Audience([rest.Visitor(RIVAL_ID, "Ben")], [], False),
    rest.Invitation(TABLE_ID, "kamiza-second", "Ben", LINK_KEY),
    rest.Calls("BEl6…", 1),
    rest.OwnDigest("mail", "aki@mail.example", 8, "Asia/Tokyo", True),
    rest.Digests(
        ["mail", "webhook"], rest.OwnDigest("mail", "aki@mail.example", 8, "Asia/Tokyo", True)
    ),
    rest.OpenedTable(TABLE, LINK_KEY),
    rest.Me(PLAYER_ID, "Aki", "account", "aki", codes_left=10),
    rest.Session(rest.Me(PLAYER_ID, "Aki", "account", "aki", codes_left=10)),
    rest.BotToken(OWN_BOT, "v1.b4n7…", ["sit", "play", "read"], NOON + 30 * 86400),
    rest.OwnBot(BOT_ID, "Aki's bot", "bot", NOON, ["sit", "play", "read"], NOON + 30 * 86400),
    rest.Done(),
    RATING,
    rest.Profile(AKI, [RATING]),
    rest.RatedPool("kamiza-second", "", 3, "people"),
    rest.Ranked(AKI, RATING),
    rest.Sitter("Aki", AKI),
    CHANGE,
    PLAYED,
    rest.History([PLAYED], NOON),
    rest.Counted(
        MATCH_ID, "kamiza-second", "", 3, NOON, 720.0, 1, 1, 5.0, "people", "regular", CHANGE
    ),
    rest.Statistics(
        [
            rest.Counted(
                MATCH_ID, "kamiza-second", "", 3, NOON, 720.0, 1, 1, 5.0, "people", None, CHANGE
            )
        ],
        False,
    ),
    SIGHT,
    rest.Match(PLAYED, HEADER, 36, SIGHT),
    OK,
    rest.Verified(True, OK, OK, OK, rest.Finding("not judged", "No witness."), "not judged", 0),
    REVIEWED_ACTION,
    REVIEWED_DECISION,
    EFFECT,
    ACCOUNT,
    REVIEWED_SEAT,
    rest.MatchReview(False, 4096, [REVIEWED_SEAT]),
    rest.ContentFault("cards[3].attack: expected 0 to 9, found 12", "cards[3].attack", 14),
    rest.CheckedCardSet(True, "Short war", ["The Archer is weaker than usual."], CARD_SET),
    CARD_SET_INFO,
    rest.CardSet(CARD_SET_INFO, CARD_SET, ["The Archer is weaker than usual."]),
    rest.OperatorSession("Aki", PLAYER_ID),
    REPORT,
    rest.SpokenLine(12, NOON - 5, BEN, 1, "lose, all of you"),
    STANDING,
    ACT,
    rest.Case(
        REPORT,
        STANDING,
        "kamiza-second",
        "playing",
        [rest.SpokenLine(12, NOON - 5, BEN, 1, "lose, all of you")],
        [],
        [ACT],
    ),
)
EXAMPLES: Final[dict[str, Struct]] = {type(example).__name__: example for example in STRUCTS}
"""By the name of the struct."""
PARAMETERS: Final[dict[str, tuple[str, Any]]] = {
    "table_id": ("The id of a table.", TABLE_ID),
    "match_id": ("The id of a match.", MATCH_ID),
    "player_id": ("The id of a player.", PLAYER_ID),
    "bot_id": ("The id of a bot of the player.", BOT_ID),
    "card_set_id": ("The id of a card set.", CARD_SET_ID),
    "game": ("The id of a game.", "kamiza-second"),
    "seats": ("The number of seats.", 3),
    "form": ("The form of the game; the default one if absent.", ""),
    "rival": ("The id of a player or a bot: only matches with them.", RIVAL_ID),
    "rivals": ("Against other people, or alone against bots of the server.", "people"),
    "language": ("The language of texts in the answer.", "en"),
    "token": ("The token of a link in a message.", "v1.WyJ…"),
    "report_id": ("The id of a report.", REPORT_ID),
    "which": ("Reports that are not done, those that are, or all.", "open"),
    "before": (
        "Only matches or reports from before this time, in seconds since the epoch.",
        NOON,
    ),
    "seat": ('The number of the seat whose view is wanted, or "all" for all cards.', "0"),
    "step": ("The number of actions before the view; all of them if absent.", 12),
    "first": ("The step of the first view.", 0),
    "known": ("The number of playouts of the review that the client has.", 0),
    "skip": ("The number of tables before the first one of the answer.", 0),
    "limit": ("The maximum number of tables in the answer.", 20),
}
"""Description and example of each parameter, by name: a name has one meaning everywhere."""
