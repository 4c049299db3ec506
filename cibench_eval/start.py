"""Where the program `cibench` starts: Ctrl-C ends it in a line, also while the rest of it is imported."""

import sys


def main() -> int:
    """Run one command and return its exit code, 130 if it was interrupted."""
    try:
        from cibench_eval.cli import main as cibench

        return cibench()
    except KeyboardInterrupt:
        print('cibench: interrupted', file=sys.stderr)
        return 130


if __name__ == '__main__':
    sys.exit(main())
