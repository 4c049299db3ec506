"""Where a model's turn ends, if a server lets the marks of the chat template into the text of a reply.

Some servers stop there and leave the mark behind; others go on, and let the model write the user's next turn, too.
"""

import re

from cibench_eval.fences import blocks
from cibench_eval.schema import Reply

NAMES = r'im_end|eo[mst](?:_id)?|end|end_?of_?(?:text|turn)(?:_token)?|end▁of▁sentence|return|user|observation'
END = re.compile(
    rf'(?:<[|｜](?i:{NAMES})[|｜]>|<end_of_turn>|</s>)[ \t]*(?=$|<[|｜](?!start\|)|</?s>)',
    re.MULTILINE,
)
"""A mark at the end of a line or before another, of ChatML, Llama, GLM, Phi, DeepSeek, Command, Gemma and others.
Before `<|start|>` it ends a message of harmony, and the reply may come behind it."""


def ended(reply: Reply) -> Reply:
    """`reply` up to the first mark that ends its turn; what stands in a whole fenced block is code, and no mark."""
    text = reply.text
    if not END.search(text):
        return reply
    whole = [block for block in blocks(text) if block.closed]
    starts, ends = [0, *(block.end for block in whole)], [*(block.start for block in whole), len(text)]
    marks = (END.search(text, start, end) for start, end in zip(starts, ends, strict=True))
    mark = next(filter(None, marks), None)
    if mark is None:
        return reply
    finish = 'stop' if reply.finish_reason == 'length' else reply.finish_reason
    return reply.model_copy(update={'text': text[: mark.start()], 'finish_reason': finish})
