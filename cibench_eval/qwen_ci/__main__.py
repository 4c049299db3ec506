"""`python -m cibench_eval.qwen_ci`."""

import sys

from cibench_eval.qwen_ci.program import main

if __name__ == '__main__':
    sys.exit(main())
