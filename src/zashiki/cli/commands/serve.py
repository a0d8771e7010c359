"""`zashiki serve`: run the server until it is stopped."""

from argparse import ArgumentParser, Namespace

from zashiki.cli.server_options import add_options, check_packages, read_settings, variables_help
from zashiki.server.settings import Settings

DESCRIPTION = """\
Serve tables over HTTP and WebSocket. All data is in one folder, and a restarted server continues
every match. SIGINT or SIGTERM stops the server. Acknowledged moves are always on disk.
"""
EPILOG = f"""\
{variables_help(Settings)}
examples:
  zashiki serve                                 on this machine only
  zashiki serve --host 0.0.0.0 --origin https://play.example
"""


def add_arguments(parser: ArgumentParser) -> None:
    add_options(parser, Settings)


def run(arguments: Namespace) -> int:
    check_packages("serve")
    settings = read_settings(Settings, arguments)
    from zashiki.server.serve import serve

    return serve(settings)
