"""Run by a Python that has AgentCompass: a benchmark that does all that one can do in its environment, in ours."""

import json
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

import cibench_eval.integrations.agentcompass_environment  # noqa: F401  registers the environment


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


if __name__ == '__main__':
    out = Path(sys.argv[1])
    (out / 'up/empty').mkdir(parents=True)
    (out / 'up/data.bin').write_bytes(bytes(range(256)) * 5000)
    run_evaluation(
        benchmark='tour',
        harness='none',
        model='any',
        environment='cibench',
        environment_params={'kernel': {'sandbox': sys.argv[2]}},
        results_dir=str(out / 'results'),
        progress='none',
        log_level='ERROR',
    )
    results = [json.loads(path.read_text()) for path in out.rglob('details/**/*.json')]
    (result,) = [one for one in results if 'trajectory' in one]
    print(json.dumps([result['status'], result['issues'], result['meta'].get('benchmark')]))
