"""What models without a chat template of their own are shown is their published format."""

import jinja2
import pytest

from cibench_eval.config.config_files import read
from tests.support.notebooks import REPO

CONFIGS = REPO / 'configs'
CONVERSATION = [
    {'role': 'system', 'content': 'S'},
    {'role': 'user', 'content': 'Q1'},
    {'role': 'assistant', 'content': 'A1'},
    {'role': 'user', 'content': 'Q2'},
]
CHATML = (
    '<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nQ1<|im_end|>\n<|im_start|>assistant\nA1<|im_end|>\n'
    '<|im_start|>user\nQ2<|im_end|>\n<|im_start|>assistant\n'
)
VICUNA = '<s>S USER: Q1 ASSISTANT: A1</s>USER: Q2 ASSISTANT:'
INTERNLM = '<s><|System|>:S\n<|User|>:Q1\n<|Bot|>:A1<eoa>\n<|User|>:Q2\n<|Bot|>:'


@pytest.mark.parametrize(
    ('name', 'rendered'),
    [
        *[(f'vllm_qwen_{size}_chat', CHATML) for size in ('1_8b', '7b', '14b', '72b')],
        *[(f'vllm_vicuna_{size}_v1_5', VICUNA) for size in ('7b', '13b')],
        *[(f'vllm_internlm_chat_{size}', INTERNLM) for size in ('7b_v1_1', '20b')],
    ],
)
def test_chat_templates(name, rendered):
    """What models without a chat template of their own are shown is their published format."""
    (model,) = read(CONFIGS / f'models/{name}.py')['models']
    template = jinja2.Environment().from_string(model['arguments']['chat_template'])
    names = {'bos_token': '<s>', 'eos_token': '</s>', 'add_generation_prompt': True}
    assert template.render(messages=CONVERSATION, **names) == rendered
