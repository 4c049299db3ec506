"""Draw sessions of rules or of claims from many seeds; drawing runs their gold and naive code and refuses a defect.

    python benchmarks/seeds.py rules 1000
    python benchmarks/seeds.py claims 1000

`python -m tests.support.long_sessions 112` does it for the long set, whose code runs in a kernel's Python.
"""

import argparse
import time
import traceback
from itertools import islice, product

from cibench_eval.schema import CibenchError
from cibench_eval.sets.levels import LevelSource, SeededSession
from cibench_eval.sets.sources import sources_of

FIRST = 10_000
"""The built-in sessions have smaller seeds."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('kind', choices=('rules', 'claims'))
    parser.add_argument('sessions', type=int)
    parser.add_argument('--first', type=int, default=FIRST, help='the first seed')
    args = parser.parse_args()
    sources = [one for one in sources_of(f'builtin_{args.kind}') if isinstance(one, LevelSource)]
    levels = {source.name.name: source.level for source in sources}
    began, steps, defects = time.process_time(), 0, 0
    for seed, level in islice(product(range(args.first, args.first + args.sessions), levels), args.sessions):
        try:
            _, drawn = levels[level].draw(SeededSession(seed=0), f'{level}/{seed}', 'data/s')
        except (AssertionError, CibenchError, ArithmeticError, LookupError, TypeError, ValueError):
            defects += 1
            print(f'{args.kind}, {level}, seed {seed}: {traceback.format_exc()}', flush=True)
        else:
            steps += len(drawn['en'])
    spent = (time.process_time() - began) / args.sessions
    print(
        f'{args.sessions} sessions of {args.kind}, {steps} steps: {defects} with a defect; {spent:.1f} CPU-s a session'
    )
    return 1 if defects else 0


if __name__ == '__main__':
    raise SystemExit(main())
