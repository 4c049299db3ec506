"""The prompts of the published runs, to the letter, from the source code of the installed packages.

The source is parsed and not imported, because importing `opencompass.models` takes six seconds and 600 MB.
"""

import functools
from collections.abc import Mapping
from types import MappingProxyType

from cibench_eval.agents.prompts import Prompt, PromptTemplates, packaged
from cibench_eval.schema import INTERPRETER, CibenchError, Language
from cibench_eval.syntax import published_text

REACT = 'lagent.agents.react'
ONE_SHOT = 'opencompass.configs.datasets.compassbench_v1_3.compassbench_v1_3_prompt'
"""Has the very instructions of OpenCompass's `examples/eval_cibench.py`, which is not in its package."""
BEGINS = {
    'thought': 'Thought:',
    'action': 'Action:',
    'action_input': 'Action Input:',
    'response': 'Response:',
    'finish': 'Final Answer:',
}
"""How the parts of a reply begin where a config of lagent's protocol says nothing."""


@functools.cache
def paper() -> Prompt:
    """The prompt of CIBench's configs: in English, with a worked example.

    CIBench has no Chinese prompt, so in Chinese it is lagent's ReAct prompt. Both describe the tool by the `str` of a
    dict, and by a list in brackets.

    Raises:
        CibenchError: OpenCompass or lagent is not installed, or its version has other names.
    """
    return Prompt(en=_templates('en'), cn=_templates('cn'))


def _templates(language: Language) -> PromptTemplates:
    english = published_text(ONE_SHOT, 'FEWSHOT_INSTRUCTION')
    return PromptTemplates(
        instructions=with_tool(published_text(REACT, 'CALL_PROTOCOL_CN') if language == 'cn' else english),
        role='user',
        silent=english.rpartition('{response} ')[2].partition('\n')[0],  # the tool's answer in the worked example
        figure='',
        left_out=packaged('common')[language]['left_out'],
    )


def with_tool(call_protocol: str, description: str = '', begins: Mapping[str, str] = MappingProxyType({})) -> str:
    """The instructions that lagent makes of a `call_protocol`.

    Args:
        call_protocol: with the fields `{tool_description}`, `{action_names}`, `{thought}`, … of lagent's protocol.
        description: of the tool; by default the one in OpenCompass's configs.
        begins: how parts of a reply begin, where it is not as in `BEGINS`.

    Raises:
        CibenchError: it has other fields.
    """
    tool = {INTERPRETER: description or published_text(ONE_SHOT, 'IPYTHON_INTERPRETER_DESCRIPTION')}
    try:
        return call_protocol.format(tool_description=tool, action_names=list(tool), **{**BEGINS, **begins})
    except (KeyError, IndexError, ValueError) as error:
        raise CibenchError(
            f'call_protocol: {error}: no field of it; there are {{tool_description}}, {{action_names}}, '
            '{thought}, {action}, {action_input}, {response}, {finish}; braces of the text are doubled'
        ) from error
