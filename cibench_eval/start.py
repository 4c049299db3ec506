"""Where the program `cibench` starts: Ctrl-C ends it in a line, also while the rest of it is imported."""

import sys


def main() -> int:
    """Run one command, and end with its exit code; return 130 if it was interrupted."""
    try:
        from cibench_eval.cli import main as cibench
        from cibench_eval.terminal import leave

        leave(cibench())
    except KeyboardInterrupt:
        print('cibench: interrupted', file=sys.stderr)
        return 130


if __name__ == '__main__':
    sys.exit(main())
