"""How often a command line of `run.py` opens each notebook and each file of traces, as JSON on the last line.

    python benchmarks/opened.py configs/eval_demo.py -w outputs/demo -r

The `open` events of an audit hook are counted, in this process alone: kernels and jobs have their own.
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
SUFFIXES = ('.ipynb', '.traces.jsonl')
opened: Counter[str] = Counter()


def count(event: str, arguments: tuple[Any, ...]) -> None:
    """Count an event of the audit hook."""
    if event == 'open' and str(arguments[0]).endswith(SUFFIXES):
        opened[str(Path(str(arguments[0])).absolute())] += 1


def main() -> int:
    sys.addaudithook(count)
    started = time.monotonic()
    from cibench_eval.run.main import main as run

    code = run(sys.argv[1:])
    print(json.dumps({'seconds': round(time.monotonic() - started, 2), 'opened': opened}))
    return code


if __name__ == '__main__':
    sys.exit(main())
