"""Where a model's turn ends, if a server lets the marks of the chat template into the text of a reply.

Some servers stop there and leave the mark behind; others go on, and let the model write the user's next turn, too.
"""

import re

from cibench_eval.fences import blocks, first_outside
from cibench_eval.schema import Reply

NAMES = (
    r'im_end|eo[mst](?:_id)?|end|end_?of_?(?:text|turn)(?:_token)?|end▁of▁sentence|return|user|observation|action_end'
)
MARK = rf'<[|｜](?i:{NAMES})[|｜]>|<\|im_start\|>user|<start_of_turn>user|<end_of_turn>|</s>'
"""A mark of ChatML, Llama, GLM, Phi, DeepSeek, Command, Gemma and others."""
ANOTHER = r'\s*(?:\Z|<[|｜](?!start\|)|</s>|(?:<s>\s*)?\[INST)'
"""The end of the text, or another mark. `<|start|>` begins a message of harmony, which may be the reply."""
END = re.compile(rf'(?:{MARK})(?={ANOTHER})|(?!</s>)(?:{MARK})(?=[ \t]*$)', re.MULTILINE)
"""A mark before another, or at the end of a line; `</s>` there may be HTML."""


def ended(reply: Reply) -> Reply:
    """`reply` up to the first mark that ends its turn; what stands in a whole fenced block is code, and no mark."""
    text = reply.text
    if not END.search(text):
        return reply
    mark = first_outside(END, text, [(block.start, block.end) for block in blocks(text) if block.closed])
    if mark is None:
        return reply
    finish = 'stop' if reply.finish_reason == 'length' else reply.finish_reason
    return reply.model_copy(update={'text': text[: mark.start()], 'finish_reason': finish})
