"""OpenCompass's own program, for the flags that only it has."""

import sys


def main(words: list[str]) -> None:
    """Run `opencompass` with the words of a command line."""
    from opencompass.cli.main import main as opencompass_main  # it takes many seconds to import

    sys.argv = [sys.argv[0], *words]
    opencompass_main()
