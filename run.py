"""Evaluate models: python run.py configs/eval_demo.py (see --help)."""

import sys

from cibench_eval.run.main import main

if __name__ == '__main__':
    sys.exit(main())
