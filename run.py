"""Evaluate models: python run.py configs/eval_demo.py (see --help)."""

import sys

from cibench_eval.opencompass.main import main

if __name__ == '__main__':
    sys.exit(main())
