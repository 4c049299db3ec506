"""Run by a Python that has AgentCompass: evaluates our benchmark over endpoints, once for each of a JSON list of jobs
(address and parameters), and says what AgentCompass reports and has written of each task; then, what a benchmark finds
that does all that one can do in its environment, in ours; then how our own program ends that is given wrong words."""

import json
import runpy
import sys
from pathlib import Path

from agentcompass import run_evaluation
from agentcompass.errors import EnvironmentInteractionError
from agentcompass.runtime import (
    BENCHMARKS,
    HarnessFreeBenchmark,
    Meta,
    PreparedTask,
    RunResult,
    TaskInput,
    TaskOutput,
    TaskSpec,
    TaskStatus,
)


def run(folder, **options):
    options |= dict(harness='none', model='any', results_dir=str(folder), progress='none', log_level='ERROR')
    report = run_evaluation(**options)
    results = [json.loads(path.read_text()) for path in folder.rglob('details/**/*.json')]
    return report, [one for one in results if 'trajectory' in one]


def ours(folder, url, params):
    params = {'sandbox': 'auto', **params}
    given = dict(model_base_url=url, model_api_key='any-key')
    report, attempts = run(folder, benchmark='cibench', benchmark_params=params, **given)
    return {
        'series': {one['metric_id']: [one['value'], one['counts']] for one in report['metrics']['series']},
        'attempts': attempts,
    }


@BENCHMARKS.register()
class Tour(HarnessFreeBenchmark):
    id, description, collect_artifacts = 'tour', 'commands and files', False

    def load_tasks(self, req):
        return [TaskSpec('tour', '', '', None, run_env_variables={'PLACE': 'here'})]

    async def prepare_task(self, task, env, req, plan):
        return PreparedTask(task.task_id, '', None, TaskInput(''), TaskOutput())

    async def run_task(self, task, prepared, req, plan, env=None):
        await env.write_text('deep/ä.txt', 'one\n')
        await env.upload_dir(out / 'up', 'up')
        commands = {
            'shell': await env.exec('echo $PLACE; echo no >&2; exit 3', shell=True),
            'cwd': await env.exec(['cat', 'ä.txt'], cwd='deep'),
            'missing': await env.exec(['no-such-command']),
            'late': await env.exec('echo before; sleep 60', shell=True, timeout=1),
            'secret': await env.exec(['cat', str(out / 'up/data.bin')]),
        }
        found = {name: [one.returncode, one.stdout, one.stderr, one.timed_out] for name, one in commands.items()}
        await env.exec(['ln', '-s', '/etc/passwd', 'up/link'])
        for name, path in (('link', 'up'), ('gone', 'no-such-file')):
            try:
                await env.download_dir(path, out / 'refused')
            except (EnvironmentInteractionError, FileNotFoundError) as error:
                found[name] = f'{type(error).__name__}: {error}'
        await env.exec(['rm', 'up/link'])
        await env.download_dir('up', out / 'down')
        found['text'] = await env.read_text('deep/ä.txt')
        found['is'] = [await env.is_dir('up'), await env.is_file('up'), await env.is_file('up/data.bin')]
        return RunResult('tour', TaskStatus.COMPLETED, metrics={'correct': True}, meta=Meta(extra=found))

    async def evaluate(self, task, prepared, result, req, plan, env=None):
        return result


def tour(folder):
    (folder / 'up/empty').mkdir(parents=True)
    (folder / 'up/data.bin').write_bytes(bytes(range(256)) * 5000)
    sandboxed = dict(environment='cibench', environment_params={'kernel': {'sandbox': 'bubblewrap'}})
    _, (result,) = run(folder / 'results', benchmark='tour', **sandboxed)
    return [result['status'], result['issues'], result['meta'].get('benchmark')]


def refused(*words):
    """The words with which our program ends, which registers the benchmark and the environment as well."""
    sys.argv[1:] = words
    try:
        runpy.run_module('cibench_eval.integrations.agentcompass_benchmark', run_name='__main__')
    except SystemExit as end:
        return end.code


if __name__ == '__main__':
    out, jobs = Path(sys.argv[1]), json.loads(sys.argv[2])
    said = refused(
        'run', 'cibench', 'none', 'any', '--results-dir', str(out), '--benchmark-params', '{"split": "easy"}'
    )
    played = [ours(out / str(number), *job) for number, job in enumerate(jobs)]
    print(json.dumps([played, tour(out), said]))
