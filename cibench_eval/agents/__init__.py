"""experiment + chat model + interpreter -> trace. One file a protocol; one loop for all of them."""

from cibench_eval.agents.react import ReAct
from cibench_eval.agents.session import AgentSettings, run_session
from cibench_eval.agents.sessions import run_sessions

__all__ = ['AgentSettings', 'ReAct', 'run_session', 'run_sessions']
