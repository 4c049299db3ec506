"""Run by a Python that has AgentCompass: evaluates our benchmark over an endpoint, once for each of a JSON list of its
parameters, and says what AgentCompass reports and has written of each task."""

import json
import sys
from pathlib import Path

from agentcompass import run_evaluation

import cibench_eval.integrations.agentcompass_benchmark  # noqa: F401  registers the benchmark


def run(url, folder, params):
    report = run_evaluation(
        benchmark='cibench',
        harness='none',
        model='any',
        model_base_url=url,
        model_api_key='any-key',
        benchmark_params={'sandbox': 'auto', **params},
        results_dir=str(folder),
        progress='none',
        log_level='ERROR',
    )
    results = [json.loads(path.read_text()) for path in folder.rglob('details/**/*.json')]
    return {
        'series': {one['metric_id']: [one['value'], one['counts']] for one in report['metrics']['series']},
        'attempts': [one for one in results if 'trajectory' in one],
    }


if __name__ == '__main__':
    address, out, jobs = sys.argv[1:]
    print(json.dumps([run(address, Path(out, str(number)), job) for number, job in enumerate(json.loads(jobs))]))
