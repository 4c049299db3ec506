"""ReAct with the prompt of CIBench's configs, to the letter; it is in English on Chinese data, too."""

from cibench_eval.agents import ReAct

agents = [
    dict(
        abbr='react_paper',
        protocol=dict(type=ReAct, prompt='paper', prompt_language='en', observation_limit=1024),
        max_attempts=3,
        history='final',
    )
]
