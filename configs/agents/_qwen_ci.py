"""How a session of Qwen-Agent's Code Interpreter Benchmark goes, whatever the family of the model.

A model may go on after code that ran, up to the executions that its question has; code that fails, and a reply without
code, end it. A function called `solution` is called.
"""

settings = dict(
    explore=True,
    retries=False,
    calls_solution=True,
    observation_limit=4096,
    prompt=dict(en=dict(explore=''), cn=dict(explore='')),  # the families' own words say that calls may be repeated
)
