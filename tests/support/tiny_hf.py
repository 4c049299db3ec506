"""A Hugging Face model directory small enough for tests: random weights, a byte tokenizer, a chat template."""

from pathlib import Path

TEMPLATE = (
    '{% for m in messages %}<{{ m.role }}>{{ m.content }}\n{% endfor %}'
    '{% if add_generation_prompt %}<assistant>{% endif %}'
)


def save(folder: Path) -> Path:
    """Write the model into `folder`; real classes answer with it, though only noise."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: index for index, letter in enumerate([*letters, '<s>', '</s>'])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = {'bos_token': '<s>', 'eos_token': '</s>', 'pad_token': '</s>'}
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, model_input_names=['input_ids', 'attention_mask'], **special
    )
    fast.chat_template = TEMPLATE
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=8192,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder
