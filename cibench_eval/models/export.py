"""The embedded model as a Hugging Face folder, for vLLM and for OpenCompass's own classes."""

from pathlib import Path
from typing import Any

from cibench_eval.models.embedded import embedded_model
from cibench_eval.packages import require
from cibench_eval.schema import CibenchError


def export(folder: Path) -> Path:
    """Write the embedded model into `folder` as bfloat16 weights with its tokenizer and chat template (270 MB).

    Weights are dequantised, so the model is the same up to rounding.

    Raises:
        CibenchError: the embedded model or the package `gguf` is missing, or the folder is in use.
    """
    require('model export', 'gguf', 'torch', 'transformers')
    if folder.exists() and any(folder.iterdir()):
        raise CibenchError(f'{folder}: it is not empty; give a new folder')
    import torch
    from transformers import AutoModelForCausalLM

    file = embedded_model()
    model = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.bfloat16)
    _tokenizer(file, model.config).save_pretrained(folder)
    model.save_pretrained(folder)
    return folder


def _tokenizer(file: Path, config: Any) -> Any:
    """The file's tokenizer as the generic class: transformers 5 would build another one with Llama's class.

    The special tokens come from the model's config; transformers takes one token of this file for all of them.
    """
    from tokenizers.processors import ByteLevel
    from transformers import AutoTokenizer, PreTrainedTokenizerFast

    read = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    names = ('bos_token', 'eos_token', 'unk_token', 'pad_token')
    special = {name: read.convert_ids_to_tokens(getattr(config, f'{name}_id')) for name in names}
    backend = read.backend_tokenizer
    backend.post_processor = ByteLevel(trim_offsets=False)  # adds no token: chat templates write the first one
    inputs = ['input_ids', 'attention_mask']
    return PreTrainedTokenizerFast(
        tokenizer_object=backend, model_input_names=inputs, chat_template=read.chat_template, **special
    )
