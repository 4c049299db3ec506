"""experiment + chat model + interpreter -> trace. One file a protocol; one loop for all of them."""

from cibench_eval.agents.protocols.code_block import CodeBlock
from cibench_eval.agents.protocols.internlm_react import InternLMReAct
from cibench_eval.agents.protocols.llama_react import LlamaReAct
from cibench_eval.agents.protocols.qwen_react import QwenReAct
from cibench_eval.agents.protocols.react import ReAct
from cibench_eval.agents.protocols.tool_calls import ToolCalls
from cibench_eval.agents.runner import run_sessions
from cibench_eval.agents.session import AgentSettings, run_session

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
