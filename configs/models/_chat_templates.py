"""Published chat formats of models whose tokenizers come without a chat template."""

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
INTERNLM = (
    "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'system' %}{{ '<|System|>:' + m['content'] + '\\n' }}"
    "{% elif m['role'] == 'user' %}{{ '<|User|>:' + m['content'] + '\\n' }}"
    "{% else %}{{ '<|Bot|>:' + m['content'] + '<eoa>\\n' }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|Bot|>:' }}{% endif %}"
)
VICUNA = (
    "{{ bos_token }}{% for m in messages %}{% if m['role'] == 'system' %}{{ m['content'] + ' ' }}"
    "{% elif m['role'] == 'user' %}{{ 'USER: ' + m['content'] + ' ' }}"
    "{% else %}{{ 'ASSISTANT: ' + m['content'] + eos_token }}{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}{{ 'ASSISTANT:' }}{% endif %}"
)
