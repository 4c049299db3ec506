"""The prompts of the published runs, to the letter, from the source code of the installed packages.

The source is parsed and not imported, because importing `opencompass.models` takes six seconds and 600 MB.
"""

import functools

from cibench_eval.agents.prompts import Prompt, PromptTemplates, packaged
from cibench_eval.schema import INTERPRETER, CibenchError, Language
from cibench_eval.syntax import published_text

REACT = 'lagent.agents.react'
ONE_SHOT = 'opencompass.configs.datasets.compassbench_v1_3.compassbench_v1_3_prompt'
"""The instructions with the worked example, whose first sentence differs from CIBench's."""
BEGIN = 'Begin!\n'


@functools.cache
def paper() -> Prompt:
    """The prompt of CIBench's configs: in English, OpenCompass's instructions with a worked example.

    CIBench has no Chinese prompt, so in Chinese it is lagent's ReAct prompt. Both describe the tool by the `str` of a
    dict, and by a list in brackets.

    Raises:
        CibenchError: OpenCompass or lagent is not installed, or its version has other names.
    """
    return Prompt(en=_templates('en'), cn=_templates('cn'))


def _templates(language: Language) -> PromptTemplates:
    example = _worked_example()
    instructions = published_text(REACT, 'CALL_PROTOCOL_CN') if language == 'cn' else _english() + example
    return PromptTemplates(
        instructions=with_tool(instructions),
        role='user',
        silent=example.partition('{response} ')[2].partition('\n')[0],
        figure='',
        left_out=packaged('common')[language]['left_out'],
    )


def _english() -> str:
    """OpenCompass's instructions, up to the worked example."""
    instructions = published_text('opencompass.models.lagent', 'FEWSHOT_INSTRUCTION')
    if not instructions.endswith(BEGIN):
        raise CibenchError(f"agents: prompt='paper': OpenCompass's FEWSHOT_INSTRUCTION does not end with {BEGIN!r}")
    return instructions.removesuffix(BEGIN)


def _worked_example() -> str:
    """The worked example; its last label shows the answer of the tool to code that shows nothing."""
    instructions = published_text(ONE_SHOT, 'FEWSHOT_INSTRUCTION')
    return instructions[instructions.index('For example:') :]


def with_tool(call_protocol: str, description: str = '') -> str:
    """The instructions of a `call_protocol` of lagent: the tool filled in, and each label as a field with its colon.

    Args:
        call_protocol: with the fields `{tool_description}`, `{action_names}`, `{thought}`, … of lagent's protocol.
        description: of the tool; by default the one in OpenCompass's configs.

    Raises:
        CibenchError: it has other fields.
    """
    tool = {INTERPRETER: description or published_text(ONE_SHOT, 'IPYTHON_INTERPRETER_DESCRIPTION')}
    labels = {name: f'{{{name}}}:' for name in ('thought', 'action', 'action_input', 'response')}
    try:
        return call_protocol.format(tool_description=tool, action_names=list(tool), finish='{final}:', **labels)
    except (KeyError, IndexError, ValueError) as error:
        raise CibenchError(
            f'call_protocol: {error}: no field of it; there are {{tool_description}}, {{action_names}}, '
            '{thought}, {action}, {action_input}, {response}, {finish}; braces of the text are doubled'
        ) from error
