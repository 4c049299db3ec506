"""The words that agents say to models, in English and in Chinese. Prompts decide scores: change them in the open."""

from __future__ import annotations

from cibench_eval.agents.prompts.code_block import CODE_BLOCK
from cibench_eval.agents.prompts.families import INTERNLM, LLAMA, QWEN
from cibench_eval.agents.prompts.react import REACT
from cibench_eval.agents.prompts.tool_calls import TOOL_CALLS, ToolWords
from cibench_eval.agents.prompts.upstream import paper
from cibench_eval.agents.prompts.words import Words

__all__ = ['CODE_BLOCK', 'INTERNLM', 'LLAMA', 'QWEN', 'REACT', 'TOOL_CALLS', 'ToolWords', 'Words', 'paper']
