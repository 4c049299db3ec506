"""The command `cibench`: what is there, kernel environments, the embedded model, the built-in data.

Experiments are run by `run.py`. Every sub-command imports what it needs when it is called.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from cibench_eval import __version__
from cibench_eval.schema import CibenchError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command and return its exit code: 2 for bad input or a missing part, said in one line."""
    options = parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except CibenchError as error:
        print(f'cibench: error: {" ".join(str(error).split())}', file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print('cibench: interrupted', file=sys.stderr)
        return 130
    return code


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog='cibench', description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('--version', action='version', version=f'cibench-eval {__version__}')
    commands = parser.add_subparsers(metavar='COMMAND', required=True)
    doctor = commands.add_parser(
        'doctor',
        help='what is there, what is missing, and how to mend it',
        description='Exit code 0 when everything is there that the demo needs, else 1. Where pip picks a '
        "CUDA build of torch and there is no GPU, set pip's index to a CPU build to save space.",
    )
    doctor.set_defaults(run=_doctor)
    _add_kernel(commands.add_parser('kernel', help='environments in which model code runs'))
    _add_model(commands.add_parser('model', help='the embedded model'))
    _add_data(commands.add_parser('data', help='the built-in experiments'))
    return parser


def _add_kernel(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar='COMMAND', required=True)
    commands.add_parser('list', help='all environments and where they are').set_defaults(run=_kernel_list)
    build = commands.add_parser('build', help='build one from its lock, unless it is complete')
    build.add_argument('name', help='modern or paper')
    build.add_argument('--python', default=sys.executable, help='interpreter to build with (CPython 3.11)')
    build.set_defaults(run=_kernel_build)
    check = commands.add_parser('check', help='import the ten modules in one')
    check.add_argument('name', help='name, or path of a python')
    check.set_defaults(run=_kernel_check)
    path = commands.add_parser('path', help="print the path of one's python")
    path.add_argument('name', help='name, or path of a python')
    path.set_defaults(run=_kernel_path)


def _add_model(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar='COMMAND', required=True)
    commands.add_parser('fetch', help='download it into the cache').set_defaults(run=_model_fetch)
    commands.add_parser('path', help='print the path of its file').set_defaults(run=_model_path)


def _add_data(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar='COMMAND', required=True)
    build = commands.add_parser('build', help='execute the sources of a set into notebooks')
    build.add_argument('name', nargs='?', default='demo', help='name of the set (default: demo)')
    build.add_argument('--environment', default='modern', help='kernel environment (default: modern)')
    build.set_defaults(run=_data_build)


def _say(line: str) -> None:
    print(line, flush=True)


def _doctor(options: argparse.Namespace) -> int:
    from cibench_eval.doctor import report

    return report()


def _kernel_list(options: argparse.Namespace) -> int:
    from cibench_eval.interpreter.environments import KernelEnvironment, names

    for name in names():
        try:
            _say(f'{name:<8} {KernelEnvironment.find(name).root}')
        except CibenchError:
            _say(f'{name:<8} not built (cibench kernel build {name})')
    return 0


def _kernel_build(options: argparse.Namespace) -> int:
    from cibench_eval.interpreter.environments import build

    environment = build(options.name, python=options.python, progress=_say)
    _say(f'kernel environment {environment.name}: {environment.root}')
    return 0


def _kernel_check(options: argparse.Namespace) -> int:
    from cibench_eval.interpreter.environments import MODULES, KernelEnvironment

    failed = KernelEnvironment.find(options.name).failed_imports()
    for line in failed:
        _say(f'does not import: {line}')
    _say(f'kernel environment {options.name}: {len(MODULES) - len(failed)} of {len(MODULES)} modules import')
    return int(bool(failed))


def _kernel_path(options: argparse.Namespace) -> int:
    from cibench_eval.interpreter.environments import KernelEnvironment

    _say(str(KernelEnvironment.find(options.name).python))
    return 0


def _model_fetch(options: argparse.Namespace) -> int:
    from cibench_eval.models.embedded import fetch_embedded_model

    _say(f'embedded model: {fetch_embedded_model(progress=_say)}')
    return 0


def _model_path(options: argparse.Namespace) -> int:
    from cibench_eval.models.embedded import embedded_model

    _say(str(embedded_model()))
    return 0


def _data_build(options: argparse.Namespace) -> int:
    from cibench_eval.datasets.build import build_set

    for path in build_set(options.name, options.environment):
        _say(str(path))
    return 0


if __name__ == '__main__':
    sys.exit(main())
