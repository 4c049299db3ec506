"""experiment + chat model + interpreter -> trace. One file a protocol; one loop for all of them."""

from cibench_eval.agents.code_block import CodeBlock
from cibench_eval.agents.internlm_react import InternLMReAct
from cibench_eval.agents.llama_react import LlamaReAct
from cibench_eval.agents.qwen_react import QwenReAct
from cibench_eval.agents.react import ReAct
from cibench_eval.agents.session import AgentSettings, run_session
from cibench_eval.agents.sessions import run_sessions
from cibench_eval.agents.tool_calls import ToolCalls

__all__ = [
    'AgentSettings',
    'CodeBlock',
    'InternLMReAct',
    'LlamaReAct',
    'QwenReAct',
    'ReAct',
    'ToolCalls',
    'run_session',
    'run_sessions',
]
