"""Run by a Python that has inspect-ai: `logs FOLDER` reads logs; `tasks FOLDER JOBS LOGS` runs tasks.

JOBS is a file with a JSON object: name -> experiments, codes, one for each request, and limits of Inspect's. A null for
a code is a reply that never comes; what begins with a brace stands for all arguments of a call, as a model wrote them.
"""

import json
import sys
from pathlib import Path

from anyio import sleep_forever
from inspect_ai import eval as evaluate
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import ContentReasoning, ModelOutput, ModelUsage, get_model
from inspect_ai.model._call_tools import parse_tool_call  # as Inspect's own providers call it


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
                'limit': one.limit.type if one.limit else '',
                'error': one.error.message if one.error else '',
                'roles': [message.role for message in one.messages],
                'said': [message.text for message in one.messages],
                'steps': one.store.get('cibench_scores'),
                'scores': {name: score.value for name, score in (one.scores or {}).items()},
                'tokens': sum(usage.total_tokens for usage in one.model_usage.values()),
            }
            for one in log.samples or []
        ],
    }


def reply(code):
    arguments = code if code.startswith('{') else json.dumps({'code': code})
    output = ModelOutput.from_content('mockllm', '', stop_reason='tool_calls')
    output.message.content = [ContentReasoning(reasoning='Let me see.')]
    output.message.tool_calls = [parse_tool_call('any', 'IPythonInterpreter', arguments)]
    output.usage = ModelUsage(input_tokens=5, output_tokens=7, total_tokens=12)
    return output


def run(folder, only, codes, limits, logs):
    from cibench_eval.integrations.inspect_task import notebooks

    left = iter(codes)

    async def answer(messages, *_):
        assert 'Let me see.' not in str(messages), 'thoughts go back'
        code = next(left)
        return await sleep_forever() if code is None else reply(code)

    model = get_model('mockllm/model', custom_outputs=answer)
    task = notebooks(folder, only=only, sandbox='auto')
    (log,) = evaluate(task, model=model, log_dir=logs, display='none', max_samples=1, **limits)
    return told(log)


if __name__ == '__main__':
    what, *words = sys.argv[1:]
    if what == 'logs':
        print(json.dumps([told(read_eval_log(one)) for one in list_eval_logs(words[0])]))
    else:
        notebooks_of, jobs, out = words
        jobs = json.loads(Path(jobs).read_text(encoding='utf-8'))
        print(json.dumps({name: run(notebooks_of, *job, out) for name, job in jobs.items()}))
