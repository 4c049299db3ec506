"""Run by a Python that has inspect-ai: `logs FOLDER` reads logs; `task FOLDER ONLY FILE` runs a task on the replies in
FILE, a JSON list of codes, one for each request."""

import json
import sys
from pathlib import Path

from inspect_ai import eval as evaluate
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model


def told(log):
    """What a log says, as JSON."""
    return {
        'status': log.status,
        'error': log.error.message if log.error else '',
        'task': log.eval.task,
        'model': log.eval.model,
        'means': {one.name: one.metrics['mean'].value for one in log.results.scores} if log.results else {},
        'samples': [
            {
                'id': one.id,
                'roles': [message.role for message in one.messages],
                'said': [message.text for message in one.messages],
                'steps': one.store.get('cibench_scores'),
                'scores': {name: score.value for name, score in one.scores.items()},
                'tokens': sum(usage.total_tokens for usage in one.model_usage.values()),
            }
            for one in log.samples or []
        ],
    }


def reply(code):
    output = ModelOutput.for_tool_call('mockllm', 'IPythonInterpreter', {'code': code})
    output.usage = ModelUsage(input_tokens=5, output_tokens=7, total_tokens=12)
    return output


def run(folder, only, replies, logs):
    from cibench_eval.integrations.inspect_task import notebooks

    codes = json.loads(Path(replies).read_text(encoding='utf-8'))
    model = get_model('mockllm/model', custom_outputs=[reply(code) for code in codes])
    task = notebooks(folder, only=only, sandbox='auto')
    return evaluate(task, model=model, log_dir=logs, display='none', max_samples=1)


if __name__ == '__main__':
    what, *words = sys.argv[1:]
    found = run(*words) if what == 'task' else [read_eval_log(one) for one in list_eval_logs(words[0])]
    print(json.dumps([told(one) for one in found]))
