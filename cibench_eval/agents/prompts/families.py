"""The three prompt families of Qwen-Agent's code interpreter benchmark (version 20231206), in our own words.

Labels, tool names, descriptions of parameters and the place of the question are the families'; markup
(`<|im_start|>`, `[INST]`, `<|User|>:`) is left to the chat template of the model.
"""

from __future__ import annotations

from cibench_eval.agents.prompts.words import LOAD_A_FILE, SILENT, Words
from cibench_eval.schema import Language

_PARAMETERS: dict[Language, str] = {
    'en': '[{{"name": "code", "type": "string", "description": "the code to run"}}]',
    'cn': '[{{"name": "code", "type": "string", "description": "待执行的代码"}}]',
}
_FORMAT: dict[Language, str] = {
    'en': """\
Answer the question as well as you can. You have this tool:

{about}

Keep to this format:

Question: the question that you have to answer
{thought}: what is to be done next
{action}: the tool to use, one of [{tool}]
{action_input}: the input of the tool
{response}: what the tool gave back
… ({thought}, {action}, {action_input} and {response} may come again, or not at all)
{thought}: the answer is known now
{final}: the answer to the question

Go!""",
    'cn': """\
请尽力回答问题。你可以使用以下工具：

{about}

请遵循以下格式：

Question: 你要回答的问题
{thought}: 接下来要做什么
{action}: 要使用的工具，必须是 [{tool}] 之一
{action_input}: 工具的输入
{response}: 工具返回的结果
……（{thought}、{action}、{action_input} 和 {response} 可以重复，也可以没有）
{thought}: 我已经知道答案
{final}: 问题的答案

开始！""",
}
_QWEN_TOOL: dict[Language, str] = {
    'en': f"""\
{{tool}}: call it to use the code interpreter, which runs Python code. Parameters: {_PARAMETERS['en']} \
Put the code between triple backticks (```).""",
    'cn': f"""\
{{tool}}：代码解释器，用来执行 Python 代码。Parameters: {_PARAMETERS['cn']} \
请把代码放在三个反引号（```）之间。""",
}
_LLAMA_TOOL: dict[Language, str] = {
    'en': """\
{tool}: call it to use the code interpreter, which runs Python code:
1. to solve mathematical problems
2. to analyse data and to draw charts
3. to turn files of one format into another
Parameters:
```py
code
```
Put the code between triple backticks (```).""",
    'cn': """\
{tool}：代码解释器，用来执行 Python 代码：
1. 解决数学问题
2. 分析数据和绘制图表
3. 转换文件格式
Parameters:
```py
code
```
请把代码放在三个反引号（```）之间。""",
}


def _family(about: dict[Language, str], system: str) -> dict[Language, Words]:
    return {
        language: Words(
            instructions=_FORMAT[language].replace('{about}', about[language]),
            silent=SILENT[language],
            example=LOAD_A_FILE[language],
            system=system,
            as_user=True,
            question='Question: {question}',
        )
        for language in about
    }


QWEN = _family(_QWEN_TOOL, 'You are a helpful assistant.')
LLAMA = _family(_LLAMA_TOOL, '')

INTERNLM: dict[Language, Words] = {
    'en': Words(
        instructions="""\
You are an assistant who can call tools. The tools are:
{{'{tool}': 'Runs Python code. The code has to be a function of the name solution, which follows your thoughts:
```python
import math
def solution():
    radius = 2
    area = math.pi * radius ** 2
    return area
```'}}
To use a tool, answer in this format:
```
{thought}: what is to be solved in this step, and whether a tool is needed
{action}: the tool, one of ['{tool}']
{action_input}: the input of the tool
```
The tool answers in this format:
```
{response}: what the tool gave back
```
If you know the answer, or no tool is needed, answer in this format:
```
{thought}: how the answer is found
{final}: the answer
```
Go!""",
        silent=SILENT['en'],
        example=LOAD_A_FILE['en'],
    ),
    'cn': Words(
        instructions="""\
你是一个能够调用工具的助手，工具有：
{{'{tool}': '执行 Python 代码。代码必须是名为 solution 的函数，与你的思考过程对应：
```python
import math
def solution():
    radius = 2
    area = math.pi * radius ** 2
    return area
```'}}
使用工具时，请按以下格式回答：
```
{thought}:这一步要解决什么问题，是否需要工具
{action}:工具的名称，必须是 ['{tool}'] 之一
{action_input}:工具的输入
```
工具会按以下格式回复：
```
{response}:工具返回的结果
```
如果已经知道答案，或者不需要工具，请按以下格式回答：
```
{thought}:得到答案的思考过程
{final}:答案
```
开始！""",
        silent=SILENT['cn'],
        example=LOAD_A_FILE['cn'],
    ),
}
