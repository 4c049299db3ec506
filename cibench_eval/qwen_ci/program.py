"""`python -m cibench_eval.qwen_ci`: the command line of Qwen-Agent's Code Interpreter Benchmark, over our own runs.

It takes the flags of `inference_and_execute.py` and writes the files that that writes. What it runs is what
`run.py configs/eval_qwen_ci.py` runs: the sessions of each task are in a run folder below `<output-path>/runs/`, so an
interrupted task goes on where it was, and `cibench show`, `score` and `judge` take it.
"""

import argparse
import asyncio
import json
import logging
import os
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.config import config_files
from cibench_eval.config.session_tasks import Run
from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.datasets.formats import gsm8k, qwen_ci
from cibench_eval.evaluators.judges.running import LoadedJudge, judge_run
from cibench_eval.qwen_ci.output_lines import line_of, write_task
from cibench_eval.qwen_ci.suite_tables import SuiteScores, joined
from cibench_eval.qwen_ci.summarizer import print_suites, suite_of
from cibench_eval.run import arguments, stages
from cibench_eval.run.judged import judged_datasets, load_judges
from cibench_eval.run.running import begin, prepared
from cibench_eval.run.summarizer import run_results
from cibench_eval.run_paths import new_stamp
from cibench_eval.schema import CibenchError, HarnessError
from cibench_eval.terminal import accept_any_text, ended_as_by_ctrl_c, log_to_stderr, new_console, say

logger = logging.getLogger(__name__)
MODELS = {
    'gpt-4': ('gpt_4', 'qwen'),
    'gpt-3.5-turbo-0613': ('gpt_3_5_turbo', 'qwen'),
    'qwen-72b-chat': ('vllm_qwen_72b_chat', 'qwen'),
    'qwen-14b-chat': ('vllm_qwen_14b_chat', 'qwen'),
    'qwen-7b-chat': ('vllm_qwen_7b_chat', 'qwen'),
    'qwen-7b-chat-1.1': ('vllm_qwen_7b_chat', 'qwen'),
    'qwen-1.8b-chat': ('vllm_qwen_1_8b_chat', 'qwen'),
    'llama-2-7b-chat': ('vllm_llama2_7b_chat', 'llama'),
    'llama-2-13b-chat': ('vllm_llama2_13b_chat', 'llama'),
    'codellama-7b-instruct': ('vllm_codellama_7b_instruct', 'llama'),
    'codellama-13b-instruct': ('vllm_codellama_13b_instruct', 'llama'),
    'internlm-7b-chat-1.1': ('vllm_internlm_chat_7b_v1_1', 'internlm'),
    'internlm-20b-chat': ('vllm_internlm_chat_20b', 'internlm'),
    'internlm': ('vllm_internlm_chat_20b', 'internlm'),
}
"""The benchmark's name of a model -> its file in `configs/models`, and the family of its prompt."""
TASKS = {
    'gsm8k': ('gsm8k',),
    'visualization': ('visualization_hard', 'visualization_easy'),
    'ci_plot': ('visualization_hard', 'visualization_easy'),
    'general': ('general',),
    'ci_open_questions': ('general',),
    'math': ('math',),
    'ci_math_code': ('math',),
    'all_ci': ('math', 'visualization_hard', 'visualization_easy', 'general'),
}
"""Task -> the groups of questions that it has."""
ALL = ('gsm8k', 'visualization', 'general')
"""What `--task all` is."""
JUDGES = {name: f'{name.replace("-", "_")}.py' for name in ('gpt-4-vision-preview', 'qwen-vl-plus', 'qwen-vl-chat')}
BUILTIN = 'builtin'
"""The `--input-path` of the questions that come with the package."""
WORK_DIR = 'CODE_INTERPRETER_WORK_DIR'


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line.

    Returns:
        0 if everything was done, 1 if sessions failed by a fault of the harness, 2 if something is wrong or missing,
        130 if it was interrupted.
    """
    args = parser().parse_args(argv)
    accept_any_text()
    log_to_stderr('%(asctime)s %(message)s', logging.WARNING, '%H:%M:%S')
    logging.getLogger('cibench_eval').setLevel(logging.INFO)
    try:
        with ended_as_by_ctrl_c():
            return _run(args)
    except CibenchError as error:
        say('\n'.join(f'error: {line}' for line in str(error).splitlines()), error=True)
        return 2
    except KeyboardInterrupt:
        say('interrupted; what is done is kept, and the same command without --force goes on', error=True)
        return 130


def parser() -> argparse.ArgumentParser:
    """The flags of the benchmark's own program, and a few of ours."""
    made = argparse.ArgumentParser(
        prog='python -m cibench_eval.qwen_ci', description=(__doc__ or '').partition('\n')[0]
    )
    made.add_argument(
        '--model', default='qwen-14b-chat', help=f'{", ".join(MODELS)}, or a file in configs/models (%(default)s)'
    )
    made.add_argument('--task', default='all', choices=['all', *TASKS], help='(%(default)s)')
    made.add_argument('--output-path', type=Path, default=Path('output_data'), help='folder of results (%(default)s)')
    made.add_argument(
        '--input-path',
        type=Path,
        default=Path('eval_data'),
        help=f"folder of the data (%(default)s; without it data/); '{BUILTIN}' is the stand-in of the package",
    )
    made.add_argument('-o', '--output-fname', default='', help='name of the result file ({task}_{model}_res.jsonl)')
    made.add_argument('-i', '--input-fname', default=qwen_ci.ROWS, help='name of the data file (%(default)s)')
    made.add_argument('-f', '--force', action='store_true', help='begin anew, whatever has been done')
    made.add_argument('--eval-only', action='store_true', help='score what has been run, run nothing')
    made.add_argument('--eval-code-exec-only', action='store_true', help='executable rates alone, no judge')
    made.add_argument('--gen-exec-only', action='store_true', help='run, score nothing')
    made.add_argument('--gen-only', action='store_true', help='ask once and run no code; replies are kept')
    made.add_argument(
        '--vis-judger',
        default='gpt-4-vision-preview',
        help=f'{", ".join(JUDGES)}, or a file in configs/judges (%(default)s)',
    )
    ours = made.add_argument_group('not of the benchmark')
    ours.add_argument('--agent', help='a file in configs/agents; by default that of the family of the model')
    ours.add_argument('--config-dir', default=str(config_files.folder()), help='(%(default)s)')
    ours.add_argument('--max-sessions', type=int, metavar='N', help='sessions at the same time')
    return made


@dataclass(frozen=True)
class QwenTask:
    """A task of a command line."""

    name: str
    """`gsm8k`, `visualization`, …"""
    args: Namespace

    @property
    def runs(self) -> Path:
        """The folder of its run folders."""
        kind = '_gen_only' if self.args.gen_only else ''
        return self.args.output_path / 'runs' / f'{self.name}_{_file_name(self.args.model)}{kind}'

    @property
    def file(self) -> Path:
        """The file of its lines."""
        name = self.args.output_fname or f'{self.name}_{_file_name(self.args.model)}_res.jsonl'
        return self.args.output_path / name

    @property
    def draws(self) -> bool:
        return any(group.startswith('visualization') for group in TASKS[self.name])

    def words(self) -> list[str]:
        """The command line of `run.py` that it stands for."""
        args = self.args
        model, family = MODELS.get(args.model, (args.model, 'qwen'))
        mode = 'eval' if args.eval_only else 'infer'
        sessions = ['--max-sessions', str(args.max_sessions)] if args.max_sessions else []
        earlier = [] if args.force else ['-r']
        if not self.runs.is_dir():
            earlier = []
            if args.eval_only:
                raise CibenchError(f'--eval-only: nothing is in {self.runs} yet; run the task without it first')
        return [
            str(Path(args.config_dir, 'eval_qwen_ci.py')),
            *('--config-dir', args.config_dir, '--models', model, '--agents', args.agent or f'qwen_ci_{family}'),
            *('-w', str(self.runs), '-m', mode, *earlier, *sessions),
        ]

    def change(self, cfg: dict[str, Any]) -> None:
        """Set what `run.py` has no flag for: the data, the name of the model, what is done with replies."""
        groups = [group for group in TASKS[self.name] if self._has_rows(group)] or TASKS[self.name]
        for group in TASKS[self.name]:
            if group not in groups:
                logger.warning('%s has no questions of %s, which are left out', rows_file(self.args, group), group)
        cfg['datasets'] = [self._dataset(one) for one in cfg['datasets'] if self._group(one) in groups]
        cfg['reply_cache'] = True
        if self.args.model in MODELS:
            for model in cfg['models']:
                model['abbr'] = self.args.model
        for agent in cfg['agents'] if self.args.gen_only else ():
            agent['runs_code'] = False

    def _group(self, dataset: Any) -> str:
        return str(dataset['abbr'].rpartition('/')[2])

    def _has_rows(self, group: str) -> bool:
        """Whether the data have questions of a group: one's own may have, say, no easy ones."""
        return group == 'gsm8k' or any(
            id_.startswith(f'{group}/') for id_ in qwen_ci.row_ids(rows_file(self.args, group))
        )

    def _dataset(self, dataset: Any) -> Any:
        source = rows_file(self.args, self._group(dataset))
        name = f'{"builtin_" if SETS in source.parents else ""}qwen_ci/{self._group(dataset)}'
        found = {**dataset, 'path': str(source), 'abbr': name, 'split': name}
        if work := os.environ.get(WORK_DIR):
            uploads = Path(work, 'upload_file')
            beside = any((source.parent / folder).is_dir() for folder in qwen_ci.UPLOADS)
            found |= {'datasources': str(uploads)} if uploads.is_dir() and not beside else {}
        return found


def rows_file(args: Namespace, group: str) -> Path:
    """The file with the questions of a group; a `CibenchError` where it is nowhere."""
    if str(args.input_path) == BUILTIN:
        return SETS / 'builtin_qwen_ci' / ('gsm8k/test.jsonl' if group == 'gsm8k' else qwen_ci.ROWS)
    name, folder = (gsm8k.ROWS[0], 'gsm8k') if group == 'gsm8k' else (args.input_fname, 'qwen_ci')
    places = [args.input_path / folder / name, args.input_path / name, Path('data', folder, name)]
    for place in places:
        if place.is_file():
            return place
    where = ', '.join(map(str, places))
    raise CibenchError(
        f'{name}: there is none of {where}; run `cibench data fetch {folder}`, or take the questions of the package '
        f'with --input-path {BUILTIN}'
    )


def _file_name(model: str) -> str:
    return Path(model).name.removesuffix('.py')


def _run(args: Namespace) -> int:
    if args.vis_judger == 'qwen-vl-chat':
        logger.warning(
            'qwen-vl-chat is no judge of version 20231206 any more; figures that it judges differ from the published '
            'results'
        )
    tasks = [QwenTask(name, args) for name in (ALL if args.task == 'all' else [args.task])]
    if args.output_fname and len(tasks) > 1:
        raise CibenchError('--output-fname: --task all writes a file a task; name one task with --task')
    if _judges(args) and any(task.draws for task in tasks):
        _loaded_judges(args, args.output_path)  # its key and its config, before anything is run
    failed: dict[str, CibenchError] = {}
    suites = []
    for task in tasks:
        missed, suite = _run_task(task)
        failed |= missed
        suites.append(suite)
    if not (args.gen_only or args.gen_exec_only):
        print_suites([joined(suites)], new_console())
    for name, cause in failed.items():
        say(f'failed: {name}: {cause}', error=True)
    return int(bool(failed))


def _judges(args: Namespace) -> bool:
    return not (args.gen_only or args.gen_exec_only or args.eval_code_exec_only)


def _run_task(task: QwenTask) -> tuple[dict[str, CibenchError], SuiteScores]:
    """Run, score and judge a task, and write its files; return what failed, and the scores."""
    args = arguments.parser().parse_args(task.words())
    stamp = new_stamp()
    run = prepared(args, stamp, task.change)
    begin(run, stamp)
    failed: stages.Causes = {}
    try:
        if not task.args.eval_only:
            failed |= stages.infer(run, args)
        if not (task.args.gen_only or task.args.gen_exec_only):
            failed |= stages.evaluate(run, args)
            if task.draws and _judges(task.args) and (causes := _judge(task.args, run.folder)):
                failed[f'the judging of {task.file}'] = CibenchError('; '.join(causes))
    finally:
        lines, suite = _collected(task, run)
        if lines:
            write_task(task.file, lines)
            say(f'{task.file}: {len(lines)} lines')
    return failed, suite


def _judge(args: Namespace, run: Path) -> list[str]:
    """Have the figures of a run judged; return what was wrong, which costs neither the tables nor the next task."""
    try:
        return asyncio.run(judge_run(judged_datasets(run), _loaded_judges(args, run), say))
    except HarnessError as error:
        return [str(error)]


def _loaded_judges(args: Namespace, run: Path) -> list[LoadedJudge]:
    """The judges for figures in the file of --vis-judger; verdicts of the first are `vis_acc`."""
    file = config_files.find(Path(args.config_dir), 'judges', JUDGES.get(args.vis_judger, args.vis_judger))
    judges = load_judges(file, 'qwen', run)
    for one in judges:
        try:
            one.judge.check()
        except CibenchError as error:
            mend = '--eval-code-exec-only needs no judge'
            raise CibenchError(f'--vis-judger {args.vis_judger}: {error}; {mend}') from error
    return judges


def _collected(task: QwenTask, run: Run) -> tuple[list[dict[str, Any]], SuiteScores]:
    """The lines of a task's finished questions in the order of the data, and its scores."""
    results = run_results(run)
    suite = suite_of(results, run)
    asks = suite.verdicts and _judges(task.args)
    judged = suite.verdicts.get(_loaded_judges(task.args, run.folder)[0].name, {}) if asks else {}
    found: dict[int, Any] = {}
    for one, part in zip(results, run.tasks, strict=True):
        group = one.split.partition('/')[2]
        source = rows_file(task.args, group)
        rows = [json.loads(line) for line in source.read_text(encoding='utf-8-sig').split('\n') if line.strip()]
        scores = {score.experiment: score for score in one.results.steps} if one.results else {}
        right = {name.rpartition('@')[0]: value for name, value in judged.get(group, {}).items()}
        store = part.traces
        for name, trace in store.load().items():
            number = int(name.rpartition('/')[2])
            found[number] = line_of(rows[number], number, trace, store.figures, scores.get(name), right.get(name))
    return [found[number] for number in sorted(found)], suite
