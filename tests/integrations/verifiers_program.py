"""Run by a Python that has verifiers: evaluates environments, a JSON list of their options, over an endpoint."""

import json
import os
import sys

import verifiers
from verifiers.types import ClientConfig


def told(output):
    """What a rollout says, as JSON."""
    return {
        'experiment': output['info']['experiment'],
        'reward': output['reward'],
        'metrics': output['metrics'],
        'error': output['error'] and output['error']['error'],
        'stop': output['stop_condition'],
        'scores': output.get('scores'),
        'turns': [[turn['extras']['step'], turn['reward']] for turn in output['trajectory']],
        'asked': [len(turn['prompt']) for turn in output['trajectory']],
        'completion': [message['role'] for message in output['completion']],
    }


def run(url, options, rollouts, turns):
    environment = verifiers.load_environment('cibench-eval', sandbox='auto', **options)
    environment.max_turns = turns
    client = ClientConfig(api_base_url=url, api_key_var='ANY_KEY', max_retries=0)
    columns = ['trajectory', 'scores']
    found = environment.evaluate_sync(client, 'any', rollouts_per_example=rollouts, state_columns=columns)
    return [told(one) for one in found['outputs']]


if __name__ == '__main__':
    os.environ['ANY_KEY'] = 'any'
    address, jobs = sys.argv[1:]
    print(json.dumps([run(address, job['options'], job['rollouts'], job['turns']) for job in json.loads(jobs)]))
