"""`cibench data check`: is a set of experiments sound?"""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands._kernel_options import Environment, Sandbox, pattern
from cibench_eval.commands._progress import progress
from cibench_eval.evaluators.profiles import notebook_profiles
from cibench_eval.reports.check_table import print_check
from cibench_eval.schema import CibenchError
from cibench_eval.sets.checking import CheckSettings, Thresholds, check_set
from cibench_eval.sets.checking.static import resolve

Option = typer.Option
Profile = Annotated[
    str,
    Option(
        metavar='NAME',
        help=f'{" or ".join(notebook_profiles())}: by which a trivial answer that passes is a defect, else a note.',
    ),
]
AuditModel = Annotated[
    str | None,
    Option(
        '--audit',
        metavar='MODEL',
        help='Ask a model the questions without the data: a file in configs/models, or a path. What it answers is '
        'scored by strict; a step that it gets right is a defect, unless the gold code needs no data for it either.',
    ),
]
WorkDir = Annotated[
    Path | None,
    Option(
        metavar='DIR',
        help='Folder of the runs of --audit. What is there is not asked again while model and set stay the same.',
        show_default='outputs/audit/SET',
    ),
]
AUDITS = Path('outputs/audit')
Workers = Annotated[int | None, Option(metavar='N', help='Experiments at the same time.', show_default='cores')]


def check(
    path: Annotated[
        str, typer.Argument(metavar='PATH', help='Folder of notebooks, one notebook, or name of a built-in set.')
    ],
    environment: Environment = 'modern',
    sandbox: Sandbox = 'bubblewrap',
    repeats: Annotated[
        int, Option(metavar='N', help='Runs of every step; with --audit, 0 runs no gold code but that of the audit.')
    ] = 3,
    seed: Annotated[int, Option(metavar='N', help='Decides in which order steps run.')] = 0,
    slow: Annotated[float, Option(metavar='SECONDS', help='That a step may take.')] = 60,
    large: Annotated[float, Option(metavar='MB', help='That a data file may have.')] = 50,
    only: Annotated[str | None, pattern('Experiments to check')] = None,
    workers: Workers = None,
    profile: Profile = 'strict',
    trivial_text: Annotated[float, Option(metavar='SCORE', help='That a trivial answer may get.')] = 0.3,
    trivial_vis: Annotated[float, Option(metavar='SCORE', help='That a trivial figure may get.')] = 0.15,
    audit: AuditModel = None,
    work_dir: WorkDir = None,
    report_file: Annotated[Path | None, Option('--json', metavar='FILE', help='Write everything there.')] = None,
) -> int:
    """Run all gold code of a set again and report what is wrong; with --audit, ask a model without the data, too.

    Exit code 0 if there is no defect (notes are none), 1 if there is one, 2 for bad input.
    """
    if not (repeats or audit):
        raise CibenchError('check: repeats is 0; give a number above 0, or a model with --audit')
    if report_file:
        _require_writable(report_file)
    settings = CheckSettings(
        environment=environment,
        sandbox=sandbox,
        repeats=repeats,
        seed=seed,
        workers=workers,
        only=only,
        largest=large * 1e6,
        thresholds=Thresholds(slow, profile, trivial_text, trivial_vis),
    )
    auditor = None
    if audit:
        from cibench_eval.run.audit import Audit

        auditor = Audit(audit, work_dir or AUDITS / resolve(path, environment)[1], settings)
    with progress('checking', 'checked') as observe:
        report = check_set(path, settings, observe, auditor)
    if report_file:
        report_file.write_text(report.model_dump_json(indent=2) + '\n', encoding='utf-8')
    print_check(report)
    return int(bool(report.defects))


def _require_writable(path: Path) -> None:
    """A check takes minutes, so that its report can be written is found out before. What is there stays as it is."""
    there = path.exists()
    try:
        path.open('a').close()
    except OSError as error:
        raise CibenchError(f'{path}: cannot be written ({error.strerror}); give another path') from error
    if not there:
        path.unlink()
