"""An MCP client sits the run: what `cibench serve` uses."""

from cibench_eval.agents import FunctionAgent

agents = [
    dict(
        abbr='mcp',
        protocol=dict(type=FunctionAgent, path='cibench_eval.agents.mcp_server:ServedAgent', observation_limit=8192),
        max_attempts=6,
        history='final',
    )
]
