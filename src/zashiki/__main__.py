"""`python -m zashiki`: the command line."""

import sys

from zashiki.cli import main

if __name__ == "__main__":
    sys.exit(main())
