"""Our own words for code blocks: short, for small models."""

from __future__ import annotations

from cibench_eval.agents.prompts.words import LOAD_A_FILE, SILENT, Words
from cibench_eval.schema import Language

CODE_BLOCK: dict[Language, Words] = {
    'en': Words(
        instructions="""\
You are a Python data analyst in a Jupyter notebook. Answer every question with one ```python code block. \
The code is run and you are shown its output. Variables of earlier blocks are still there. \
End the block with the value to show, print it, or call plt.show(). If there is an error, write the block again \
without it.""",
        example=LOAD_A_FILE['en'],
        silent=SILENT['en'],
    ),
    'cn': Words(
        instructions="""\
你是在 Jupyter 笔记本中工作的 Python 数据分析师。每个问题都用一个 ```python 代码块回答。\
代码会被运行，然后你会看到它的输出。前面代码块中的变量仍然可用。\
代码块以要显示的值结尾，或用 print 打印，或调用 plt.show()。如果出错，请改正后重新写出代码块。""",
        example=LOAD_A_FILE['cn'],
        silent=SILENT['cn'],
    ),
}
