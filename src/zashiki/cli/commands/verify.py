"""`zashiki verify`: a check whether a record is honest."""

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from zashiki.cli.arguments import add_language, add_record
from zashiki.cli.files import read_text
from zashiki.cli.terminal.console import make_console
from zashiki.cli.terminal.stdio import printable
from zashiki.cli.terminal.wording import damage_hint, terminal_texts
from zashiki.core.rulings import Malformed
from zashiki.core.verify import NO_HASHES, Finding, Verdict, verify
from zashiki.core.witness import Witness, parse_witness
from zashiki.games import catalogue

DESCRIPTION = """\
Check a record in four ways, each with its own answer:

  chain   no line was changed, lost or moved
  seed    seed and salt match the commitment that was shown before the deal, and
          the draws follow from this seed ("not revealed": the record has none)
  rules   every action was legal, and its facts follow from the rules
  nonces  if people dealt in two phases: every nonce fits the hash that was fixed
          before any was revealed, and with --witness: your own nonce took part,
          one commitment was shown, and you were told what the record says
"""
EPILOG = """\
The exit status is 0 if nothing failed, else 1. An answer that cannot be given is not a failure.

examples:
  zashiki verify evening.jsonl
  zashiki verify evening.jsonl --lang ja
  zashiki verify - < evening.jsonl
  zashiki verify evening.jsonl --witness evening.witness.json
"""
STYLES = {Verdict.OK: "matsu", Verdict.FAILED: "bold shu", Verdict.NOT_JUDGED: "usuzumi"}


def add_arguments(parser: ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument(
        "--witness",
        metavar="FILE",
        help="what your browser kept of the deal (from its verify page)",
    )
    add_language(parser)


def run(arguments: Namespace) -> int:
    record = read_text(arguments.file)
    path = arguments.witness
    witness = None if path is None else read_witness(path)
    report = verify(record, catalogue(), witness)
    texts = terminal_texts(arguments.lang)["verify"]
    checks, verdicts = padded(texts["checks"]), padded(texts["verdicts"])
    console = make_console()
    for name in ("chain", "seed", "rules", "nonces"):
        finding: Finding = getattr(report, name)
        if finding.message.key == NO_HASHES and witness is None:
            continue  # nobody dealt in two phases, and nobody asks whether they took part
        line = Text(checks[name])
        line.append(verdicts[finding.verdict.name.lower()], style=STYLES[finding.verdict])
        line.append(printable(finding.words(arguments.lang)))
        console.print(line)
    hint = damage_hint(record, arguments.lang)
    if not report.ok and hint:
        console.print(f"{checks['hint']}{hint}")
    return 0 if report.ok else 1


def read_witness(path: str) -> Witness:
    try:
        return parse_witness(read_text(path, "witness"))
    except Malformed as fault:
        raise Malformed(f"{path}: {str(fault).removeprefix(f'{path}: ')}") from None


def padded(words: Mapping[str, str]) -> dict[str, str]:
    """Pad words to the same number of columns; a Japanese letter takes two."""
    width = max(map(cell_len, words.values())) + 2
    return {key: set_cell_size(word, width) for key, word in words.items()}
