"""What a prompt is made of, and the example that several of them show."""

from __future__ import annotations

from dataclasses import dataclass

from cibench_eval.schema import Language

Example = tuple[str, str, str, str]
"""Question, thought, code and output of a worked example."""


@dataclass(frozen=True)
class Words:
    """The texts of a protocol in one language.

    Args:
        instructions: how the tool is used. Names in braces stand for the tool and the labels.
        silent: what the model is told of code that ran and showed nothing.
        example: of a step.
        system: a system message before the instructions, which then stand in front of the first question.
        as_user: whether they stand there without a system message, too.
        question: how a question is put.
    """

    instructions: str
    silent: str
    example: Example | None = None
    system: str = ''
    as_user: bool = False
    question: str = '{question}'


SILENT: dict[Language, str] = {'en': 'The code ran and showed nothing.', 'cn': '代码运行成功，没有输出。'}

_OUTPUT = 'execute_result:\n\n```\n   id  value\n0   1     10\n1   2     20\n```'
_CODE = "import pandas as pd\ndf = pd.read_csv('data/example.csv')\ndf.head(2)"
LOAD_A_FILE: dict[Language, Example] = {
    'en': (
        'Load the file data/example.csv into a DataFrame named df and show its first two rows. '
        'Please use pandas modules.',
        'I read the file with pandas and show the first two rows.',
        _CODE,
        _OUTPUT,
    ),
    'cn': (
        '把文件 data/example.csv 读入名为 df 的 DataFrame，并显示前两行。请用 pandas 模块.',
        '我用 pandas 读取文件，并显示前两行。',
        _CODE,
        _OUTPUT,
    ),
}
