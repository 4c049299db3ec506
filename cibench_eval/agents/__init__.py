"""Experiment + chat model + interpreter -> trace. Each protocol is a file; all share one loop."""

from cibench_eval.agents.protocols.code_block import CodeBlock
from cibench_eval.agents.protocols.function import FunctionAgent
from cibench_eval.agents.protocols.qwen_agent import InternLMReAct, LlamaReAct, QwenReAct
from cibench_eval.agents.protocols.react import ReAct
from cibench_eval.agents.protocols.tool_calls import ToolCalls
from cibench_eval.agents.runner import Batch, run_sessions
from cibench_eval.agents.session import Session
from cibench_eval.agents.settings import AgentSettings, SessionSettings
from cibench_eval.agents.task import Task

__all__ = [
    'AgentSettings',
    'Batch',
    'CodeBlock',
    'FunctionAgent',
    'InternLMReAct',
    'LlamaReAct',
    'QwenReAct',
    'ReAct',
    'Session',
    'SessionSettings',
    'Task',
    'ToolCalls',
    'run_sessions',
]
