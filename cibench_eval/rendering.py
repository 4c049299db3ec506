"""An execution as text: what models are shown, and what the `official` profile reads."""

from __future__ import annotations

from cibench_eval.schema import Execution, Output


def render(execution: Execution) -> str:
    """The outputs as upstream's interpreter writes them: a titled fenced block each, in order.

    Figures show up as nothing: upstream keeps them apart from the text. An error is the last block.
    """
    blocks = [_block(output.type, output.text) for output in execution.outputs if _is_text(output)]
    if execution.status == 'timeout':
        blocks.append(_block('error', f'Timeout. No end after {execution.seconds:.0f} seconds.'))
    elif execution.error:
        error = execution.error
        blocks.append(_block('error', error.traceback or f'{error.name}: {error.value}'))
    elif execution.status == 'kernel_died':
        blocks.append(_block('error', 'KernelDied: the kernel process ended'))
    return '\n\n'.join(blocks)


def _is_text(output: Output) -> bool:
    return bool(output.text) and not (output.figure and output.type == 'display_data')


def _block(title: str, text: str) -> str:
    return f'{title}:\n\n```\n{text}\n```'
