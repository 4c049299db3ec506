"""Run by a Python that has OpenEnv, and imports nothing of ours: plays notebooks with its own client, by scripts."""

import asyncio
import json
import sys

from openenv.core import GenericEnvClient


async def play(address, options, name, replies):
    """The observations of a session whose replies, step by step, a script gives."""
    async with GenericEnvClient(base_url=address, **options) as client:
        result = await client.reset(experiment=name, seed=None, episode_id='one')
        seen = [result]
        while not result.done:
            due = result.observation['step'] - 1
            result = await client.step({'code': replies[due].pop(0)})
            seen.append(result)
        state = await client.state()
    told = [{'observation': one.observation, 'reward': one.reward, 'done': one.done} for one in seen]
    return {'seen': told, 'state': state}


def in_sync(address, options, name):
    """What its synchronous client says while all places are taken, and of an action that is none."""
    said = []
    with (
        GenericEnvClient(base_url=address, **options).sync() as first,
        GenericEnvClient(base_url=address, **options).sync() as other,
    ):
        first.reset(experiment=name)
        for ask in (other.reset, lambda: first.step({'nothing': 1})):
            try:
                ask()
            except RuntimeError as error:
                said.append(str(error))
        said.append(first.step({'end': True}).done)
    return said


def refused(address):
    try:
        GenericEnvClient(base_url=address).sync().connect()
    except ConnectionError as error:
        return str(error)


if __name__ == '__main__':
    url, token, scripts = sys.argv[1:]
    with_password = url.replace('//', f'//any:{token}@')
    ways = [(with_password, {})]
    if 'headers' in GenericEnvClient.__init__.__code__.co_varnames:
        ways.append((url, {'headers': {'Authorization': f'Bearer {token}'}}))
    played = []
    for address, options in ways:
        for name, replies in json.loads(scripts).items():
            played.append(asyncio.run(play(address, options, name, replies)))
    said = in_sync(*ways[-1], name)
    print(json.dumps({'played': played, 'said': said, 'refused': refused(url)}))
