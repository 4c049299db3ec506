"""Run by a Python that has verifiers: runs environments over endpoints, of a JSON object name -> address and options.

Those of the name `slow` run beside the others.
"""

import asyncio
import json
import os
import sys

import verifiers.v1 as vf
from verifiers.v1.utils.loaders import load_environment, resolve_env_config


def told(episode):
    """What a rollout says, as JSON."""
    (trace,) = episode.traces
    record = trace.to_record()
    return {
        'task': trace.task.data.name,
        'seed': trace.task.data.seed,
        'ok': [episode.ok, trace.ok],
        'rewards': {name: one and one.value for name, one in trace.rewards.items()},
        'metrics': trace.metrics,
        'error': trace.last_error and [trace.last_error.type, trace.last_error.message],
        'stop': trace.stop_condition,
        'info': {**record['info'], 'turns': record['info'].get('turns', [])},
        'branches': [[message.role for message in branch.messages] for branch in trace.branches],
        'sampled': [index for index, node in enumerate(trace.nodes) if node.sampled],
    }


async def run(url, taskset, agent, tasks, rollouts):
    options = {'id': 'cibench-eval', 'sandbox': 'auto', **taskset}
    environment = load_environment(resolve_env_config({'taskset': options, 'agent': agent}))
    endpoint = vf.EvalClientConfig(base_url=url, api_key_var='ANY_KEY')
    context = vf.ModelContext(client=endpoint, model='any', sampling=vf.SamplingConfig())
    chosen = environment.taskset.take(tasks)
    async with environment.serving():
        slots = [slot for task in chosen for slot in environment.slots(task, rollouts)]
        return [told(one) for one in await asyncio.gather(*(environment.run_slot(slot, context) for slot in slots))]


async def played(jobs):
    beside = {name: asyncio.create_task(run(*jobs.pop(name))) for name in {'slow'} & jobs.keys()}
    found = {name: await run(*job) for name, job in jobs.items()}
    return found | {name: await task for name, task in beside.items()}


if __name__ == '__main__':
    os.environ['ANY_KEY'] = 'any'
    print(json.dumps(asyncio.run(played(json.loads(sys.argv[1])))))
