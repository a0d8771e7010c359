"""`zashiki reports`: read what players report, and act on it."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import quote, urlencode

from zashiki.cli.server_options import add_options, check_packages, read_settings, variables_help
from zashiki.core.rulings import Malformed
from zashiki.server.settings import OperatorSettings

DESCRIPTION = """\
Read the reports of players and act on them, through the server that runs on this machine. The
command signs in with the operator's key, which is derived from the secret key of the server. Each
act is kept with its reason: zashiki reports acts.
"""
EPILOG = f"""\
{variables_help(OperatorSettings)}
what to do:
  list                  reports that are not done, the newest first (the default)
  show REPORT           a report with its context: the chat around it, what was done before
  mute PLAYER           no chat at any table, for --hours
  ban PLAYER            no sign-in, no seat, no socket, for --hours
  ban-address PLAYER    no guests from the address from which the player came, for --hours
  unmute, unban, unban-address PLAYER
  close TABLE           close a table, even in the middle of a match, which then gets no result
  done REPORT           take a report off the list
  acts                  what operators did, the newest first
  key                   print the key for the page /operator, which works on this machine only

examples:
  zashiki reports
  zashiki reports show k3x9q2m7ab
  zashiki reports mute abcdefghij --hours 24 --report k3x9q2m7ab --why "insults in chat"
"""
TIMED = ("mute", "ban", "ban-address")
ON_PLAYERS = (*TIMED, "unmute", "unban", "unban-address")
WHATS = ("list", "show", *ON_PLAYERS, "close", "done", "acts", "key")
Fields = Mapping[str, Any]


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what",
        nargs="?",
        choices=WHATS,
        default="list",
        metavar="WHAT",
        help="what to do, as listed below (default: list)",
    )
    parser.add_argument(
        "subject", nargs="?", metavar="ID", help="id of a report, a player or a table"
    )
    parser.add_argument(
        "--hours",
        type=float,
        metavar="N",
        help="duration of a mute or a ban, in hours (required for them)",
    )
    parser.add_argument(
        "--why", metavar="TEXT", help="reason, kept with the act (required for every act)"
    )
    parser.add_argument(
        "--report", metavar="REPORT", help="id of the report that is the reason (default: none)"
    )
    parser.add_argument("--all", action="store_true", help="also list reports that are done")
    add_options(parser, OperatorSettings)


def run(arguments: Namespace) -> int:
    check_packages("reports")
    settings = read_settings(OperatorSettings, arguments)
    from zashiki.server.operator_client import OperatorClient

    client = OperatorClient(settings)
    what: str = arguments.what
    if what == "key":
        print(client.key)
    elif what == "list":
        which = "all" if arguments.all else "open"
        listed = client.get(f"/reports?{urlencode({'which': which})}")
        print_each(listed, report_line, "No reports.")
    elif what == "acts":
        print_each(client.get("/acts"), act_line, "No acts.")
    elif what == "show":
        print_case(client.get(f"/reports/{quote(subject_of(arguments), safe='')}"))
    else:
        print(act_line(client.act(wanted_act(arguments))))
    return 0


def subject_of(arguments: Namespace) -> str:
    if not arguments.subject:
        raise Malformed(f"{arguments.what}: expected an id after it, found nothing")
    return str(arguments.subject)


def wanted_act(arguments: Namespace) -> dict[str, Any]:
    """Return the act that the arguments describe, as the server takes it."""
    what, subject = arguments.what, subject_of(arguments)
    if not arguments.why:
        raise Malformed(f'{what}: expected a reason, like --why "insults in chat", found none')
    if (what in TIMED) != (arguments.hours is not None):
        expected = "expected --hours N, found none" if what in TIMED else "expected no --hours"
        raise Malformed(f"{what}: {expected}")
    key = "player" if what in ON_PLAYERS else "table" if what == "close" else "report"
    wanted = {"kind": what, "why": arguments.why, "hours": arguments.hours}
    if arguments.report is not None:
        wanted["report"] = arguments.report
    return {**wanted, key: subject}


# Printing ---------------------------------------------------------------------------------------


def print_each(rows: list[dict[str, Any]], line: Callable[[Fields], str], otherwise: str) -> None:
    for row in rows:
        print(line(row))
    if not rows:
        print(otherwise, file=sys.stderr)


def moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).astimezone().isoformat(" ", "minutes")


def person(player: Fields | None) -> str:
    return "nobody" if player is None else f"{player['name']} ({player['id']})"


def report_line(report: Fields) -> str:
    done = " [done]" if report["done"] is not None else ""
    return (
        f"{report['id']}  {moment(report['at'])}{done}  {person(report['about'])}, "
        f"reported by {person(report['by'])}: {report['text']}"
    )


def act_line(act: Fields) -> str:
    whom = person(act["player"]) if act["player"] else act["table"] or act["report"]
    until = f" until {moment(act['until'])}" if act["until"] else ""
    return f"{moment(act['at'])}  {act['operator']}: {act['kind']} {whom}{until}: {act['why']}"


def print_case(case: Fields) -> None:
    """Print a report with everything that helps to judge it."""
    report, standing = case["report"], case["standing"]
    print(report_line(report))
    if report["table"] is not None:
        match = f", match {report['match']}" if report["match"] else ""
        print(f"table {report['table']} ({case['game']}, {case['state']}){match}")
    if standing is not None:
        print(standing_line(standing))
    print("\nchat:")
    for line in case["lines"]:
        mark = ">" if line["n"] == report["line"] else " "
        said = f"{line['player']['name']}: {line['text']}"
        print(f"{mark} {line['n']:>4}  {moment(line['at'])}  {said}")
    for title, rows, shown in (
        ("other reports about this player", case["others"], report_line),
        ("acts", case["acts"], act_line),
    ):
        if rows:
            print(f"\n{title}:")
            print_each(rows, shown, "")


def standing_line(standing: Fields) -> str:
    """Say what is imposed on a player now."""
    imposed = [
        f"{name} until {moment(standing[field])}"
        for field, name in (
            ("muted_until", "muted"),
            ("banned_until", "banned"),
            ("address_banned_until", "address banned"),
        )
        if standing[field] is not None
    ]
    known = "address known" if standing["has_address"] else "address not known"
    owner = [f"bot of {person(standing['owner'])}"] if standing["owner"] else []
    kind = standing["player"]["kind"]
    since = f"{kind} since {moment(standing['created'])}"
    return f"{person(standing['player'])}: {', '.join([since, *owner, known, *imposed])}"
