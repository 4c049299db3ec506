"""Our own words for function calling."""

from __future__ import annotations

from dataclasses import dataclass

from cibench_eval.agents.prompts.words import SILENT, Words
from cibench_eval.schema import Language


@dataclass(frozen=True)
class ToolWords(Words):
    """The texts of a protocol whose tool is a function of the request.

    Args:
        description: of the function.
        argument: of its one parameter.
        one_only: what the model is told of its further calls in a reply.
    """

    description: str = ''
    argument: str = ''
    one_only: str = ''


TOOL_CALLS: dict[Language, ToolWords] = {
    'en': ToolWords(
        instructions="""\
You solve data science questions step by step by running Python code with the function {tool}.

Rules:
1. Answer every question with one call of {tool}; code that stands in your text is not run.
2. Only do what the current question asks; do not repeat earlier steps.
3. Show the answer: end with an expression or print it; show a figure with plt.show().
4. If the result is an error, correct the code and call {tool} again.""",
        silent=SILENT['en'],
        description=(
            'Runs Python code in one IPython session and returns what it printed or returned, or its error. '
            'Variables, imports and functions of earlier calls are still there. '
            'Data files are in the working directory.'
        ),
        argument='The Python code to run.',
        one_only='Not run: only the first call of a turn is run. Put all code into one call.',
    ),
    'cn': ToolWords(
        instructions="""\
你要通过函数 {tool} 运行 Python 代码，一步一步地解决数据科学问题。

要求：
1. 每个问题都用一次 {tool} 调用来回答；写在正文中的代码不会被运行。
2. 只完成当前问题，不要重复前面的步骤。
3. 要显示答案：以表达式结尾或用 print 打印；图像用 plt.show() 显示。
4. 如果结果是错误信息，请改正代码并再次调用 {tool}。""",
        silent=SILENT['cn'],
        description=(
            '在同一个 IPython 会话中运行 Python 代码，返回代码打印或返回的内容，或者错误信息。'
            '前面调用中的变量、导入和函数仍然可用。数据文件在当前工作目录中。'
        ),
        argument='要运行的 Python 代码。',
        one_only='没有运行：每轮只运行第一个调用，请把全部代码放进一次调用。',
    ),
}
