"""Evaluate models: python run.py configs/eval_demo.py (see --help)."""

import sys
from pathlib import Path


def start() -> int:
    """Run the command line, or say which Python can do it; Ctrl-C ends it in a line, while it is imported, too."""
    try:
        try:
            from cibench_eval.run.main import main
        except SyntaxError as error:
            raise ImportError(error) from error
        return main()
    except ImportError as error:  # of a Python that is too old, or lacks what `make setup` installs
        own = Path(__file__).parent / '.venv/bin/python'
        use = f'{own} run.py' if own.exists() else '`make setup`, and then .venv/bin/python run.py'
        print(f'error: {sys.executable} cannot run this ({error}); use {use}', file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print('interrupted before anything was run', file=sys.stderr)
        return 130


if __name__ == '__main__':
    sys.exit(start())
