"""lagent's own ReAct agent, its prompt and its reading of replies, over the interpreter and the limits of this run."""

from cibench_eval.agents import FunctionAgent

agents = [
    dict(
        abbr='lagent_react',
        protocol=dict(type=FunctionAgent, path='cibench_eval.agents.lagent_agent:react', observation_limit=1024),
        max_attempts=3,
        history='final',
    )
]
