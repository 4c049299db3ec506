"""Where a model's turn ends, if a server lets the marks of the chat template into the text of a reply.

Some servers stop there and leave the mark behind; others go on, and let the model write the user's next turn, too.
"""

import re

from cibench_eval.fences import blocks
from cibench_eval.schema import Reply

NAMES = r'im_end|eo[mst](?:_id)?|end|end_?of_?(?:text|turn)(?:_token)?|end▁of▁sentence|return|user|observation'
MARK = rf'<[|｜](?i:{NAMES})[|｜]>|<end_of_turn>|</s>'
"""A mark of ChatML, Llama, GLM, Phi, DeepSeek, Command, Gemma and others."""
NEXT = r'\s*(?:\Z|<[|｜](?!start\|)|</s>|<s>\s*\[INST)'
"""What stands behind such a mark: nothing, or another. `<|start|>` begins a message of harmony, maybe the reply."""
BEGINNING = re.compile(rf'(?:\s*(?:{MARK}))+')
END = re.compile(
    rf"""(?s:'{{3}}.*?'{{3}}|"{{3}}.*?"{{3}})|(?P<mark>(?:{MARK})(?={NEXT})|(?!</s>)(?:{MARK})(?=[ \t]*$))""",
    re.MULTILINE,
)
"""A mark before another or, but for what may be HTML, at the end of a line; in a string of several lines it is none."""


def ended(reply: Reply) -> Reply:
    """`reply` up to the first mark that ends its turn; what stands in a whole fenced block is code, and no mark."""
    if not re.search(MARK, reply.text):
        return reply
    text = BEGINNING.sub('', reply.text, count=1) if BEGINNING.match(reply.text) else reply.text
    whole = [block for block in blocks(text) if block.closed]
    starts, ends = [0, *(block.end for block in whole)], [*(block.start for block in whole), len(text)]
    found = (one for start, end in zip(starts, ends, strict=True) for one in END.finditer(text, start, end))
    mark = next((one for one in found if one['mark']), None)
    finish = 'stop' if mark and reply.finish_reason == 'length' else reply.finish_reason
    return reply.model_copy(update={'text': text[: mark.start()] if mark else text, 'finish_reason': finish})
