"""The words that agents say to models, in English and in Chinese. Prompts decide scores: change them in the open."""

from __future__ import annotations

from dataclasses import dataclass

from cibench_eval.schema import Language


@dataclass(frozen=True)
class Words:
    """The texts of a protocol in one language."""

    instructions: str
    example: tuple[str, str, str, str]
    """Question, thought, code and output of a worked example."""
    silent: str
    """What the model is told of code that ran and showed nothing."""


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
        example=(
            'Load the file data/example.csv into a DataFrame named df and show its first two rows. '
            'Please use pandas modules.',
            'I read the file with pandas and show the first two rows.',
            "import pandas as pd\ndf = pd.read_csv('data/example.csv')\ndf.head(2)",
            'execute_result:\n\n```\n   id  value\n0   1     10\n1   2     20\n```',
        ),
        silent='The code ran and showed nothing.',
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
        example=(
            '把文件 data/example.csv 读入名为 df 的 DataFrame，并显示前两行。请用 pandas 模块.',
            '我用 pandas 读取文件，并显示前两行。',
            "import pandas as pd\ndf = pd.read_csv('data/example.csv')\ndf.head(2)",
            'execute_result:\n\n```\n   id  value\n0   1     10\n1   2     20\n```',
        ),
        silent='代码运行成功，没有输出。',
    ),
}
