"""ReAct as in the paper: three attempts a step, a worked example at the start."""

from cibench_eval.agents import ReAct

agents = [
    dict(
        abbr='react',
        protocol=dict(type=ReAct, example=True, observation_limit=1024),
        max_attempts=3,
        history='final',
    )
]
