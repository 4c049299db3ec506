"""ReAct for steps that need a look at the data first: a step ends with a Final Answer, or after six attempts."""

from cibench_eval.agents import ReAct

agents = [
    dict(
        abbr='react_explore',
        protocol=dict(type=ReAct, example=False, explore=True, observation_limit=4096),
        max_attempts=6,
        history='all',
    )
]
