"""`cibench data`: the sets of experiments that are there, building them, checking them, fetching the published ones."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cibench_eval.commands import archives, check


def add_commands(commands: Any) -> None:
    """Add `data` to the sub-commands of `cibench`."""
    parser = commands.add_parser('data', help='sets of experiments: list, fetch, check, build, vary')
    groups = parser.add_subparsers(metavar='COMMAND', required=True)
    archives.add_commands(groups)
    check.add_commands(groups)
    build = groups.add_parser('build', help='execute the sources of a built-in set into notebooks')
    build.add_argument('name', help='name of the set: builtin')
    build.add_argument('--environment', default='modern', help='kernel environment (default: modern)')
    build.add_argument('--only', metavar='PATTERN', help='sources to build, as pandas/* (default: all)')
    build.set_defaults(run=_build)
    vary = groups.add_parser('vary', help='make a private twin of the template experiments on fresh data')
    vary.add_argument('--seed', type=int, required=True, help='another seed is another twin')
    vary.add_argument('--out', type=Path, required=True, metavar='DIR', help='new folder to write the set into')
    vary.add_argument('--environment', default='modern', help='kernel environment (default: modern)')
    vary.add_argument('--only', metavar='PATTERN', help='templates to vary, as pandas/* (default: all)')
    vary.set_defaults(run=_vary)


def _build(options: argparse.Namespace) -> int:
    from cibench_eval.sets.build import build_set

    for path in build_set(options.name, options.environment, options.only, archives.say):
        print(path, flush=True)
    return 0


def _vary(options: argparse.Namespace) -> int:
    from cibench_eval.sets.vary import vary_set

    for path in vary_set(options.seed, options.out, options.environment, options.only, log=archives.say):
        print(path, flush=True)
    return 0
