"""`zashiki verify`: is a record honest?"""

from argparse import ArgumentParser, Namespace

from rich.text import Text

from zashiki.cli.files import hint, read_text
from zashiki.cli.terminal.console import screen
from zashiki.cli.terminal.stdio import printable
from zashiki.core.verify import Finding, Verdict, verify
from zashiki.games import catalogue

DESCRIPTION = """\
Three separate answers about a record:

  chain   no line was changed, lost or moved
  seed    seed and salt open the commitment that was shown before the deal, and
          what was drawn is what this seed gives ("not revealed": none is told)
  rules   every action was legal, and its facts are those that the rules tell
"""
EPILOG = """\
The status is 0 if nothing failed (what cannot be judged is no failure), else 1.

examples:
  zashiki verify evening.jsonl
  zashiki verify - < evening.jsonl
"""
STYLES = {Verdict.OK: "matsu", Verdict.FAILED: "bold shu", Verdict.NOT_JUDGED: "usuzumi"}


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a record (-: from standard input)")


def run(arguments: Namespace) -> int:
    text = read_text(arguments.file)
    report = verify(text, catalogue())
    console = screen()
    for name in ("chain", "seed", "rules"):
        finding: Finding = getattr(report, name)
        line = Text(f"{name:<7}")
        line.append(f"{finding.verdict.value:<12}", style=STYLES[finding.verdict])
        line.append(printable(finding.text))
        console.print(line)
    if not report.ok and hint(text):
        console.print(f"hint   {hint(text)}")
    return 0 if report.ok else 1
