"""Our own words for ReAct."""

from __future__ import annotations

from cibench_eval.agents.prompts.words import LOAD_A_FILE, SILENT, Words
from cibench_eval.schema import Language

REACT: dict[Language, Words] = {
    'en': Words(
        instructions="""\
You solve data science questions step by step by running Python code with a tool.

The tool is {tool}: it runs Python code in one IPython session. Variables, imports and functions of earlier
steps are still there. Data files are in the working directory.

To use the tool, answer in exactly this format and then stop:
{thought}: what you are going to do
{action}: {tool}
{action_input}:
```python
the code
```

The result comes back as:
{response}: what the code printed or returned, or its error

Rules:
1. Always use the tool; never write the {response} yourself.
2. Only do what the current question asks; do not repeat earlier steps.
3. Show the answer: end with an expression or print it; show a figure with plt.show().
4. If the {response} is an error, correct the code and use the tool again.""",
        example=LOAD_A_FILE['en'],
        silent=SILENT['en'],
    ),
    'cn': Words(
        instructions="""\
你要通过工具运行 Python 代码，一步一步地解决数据科学问题。

工具是 {tool}：它在同一个 IPython 会话中运行 Python 代码，前面步骤的变量、导入和函数仍然可用。数据文件在当前工作目录中。

使用工具时，请严格按照下面的格式回答，然后停止：
{thought}: 你打算做什么
{action}: {tool}
{action_input}:
```python
代码
```

运行结果会以下面的形式返回：
{response}: 代码打印或返回的内容，或者错误信息

要求：
1. 始终使用工具，不要自己写 {response}。
2. 只完成当前问题，不要重复前面的步骤。
3. 要显示答案：以表达式结尾或用 print 打印；图像用 plt.show() 显示。
4. 如果 {response} 是错误信息，请改正代码并再次使用工具。""",
        example=LOAD_A_FILE['cn'],
        silent=SILENT['cn'],
    ),
}
