"""`python -m cibench_eval.qwen_ci`: Ctrl-C ends it in a line, also while the rest of it is imported."""

import sys

if __name__ == '__main__':
    try:
        from cibench_eval.qwen_ci.program import main
    except KeyboardInterrupt:
        print('interrupted before anything was run', file=sys.stderr)
        sys.exit(130)
    sys.exit(main())
