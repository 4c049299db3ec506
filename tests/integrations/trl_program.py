"""Run by a Python that has TRL: steps of its GRPO trainer, whose model is tiny and says what a script tells it.

Tokenizer, chat template, calls of tools, rewards and the training itself are TRL's; only sampling is not.
"""

import json
import os
import signal
import sys
import tempfile
from functools import partial

import torch
from datasets import Dataset
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
from trl import GRPOConfig, GRPOTrainer
from trl.chat_template_utils import qwen3_chat_template

from cibench_eval.integrations.trl_env import TRLNotebookEnv, experiments_of

WORDS = ('<|endoftext|>', '<|im_start|>', '<|im_end|>', '<tool_call>', '</tool_call>')
"""What the chat template has for tokens of their own."""


def tokenizer():
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE(vocab={letter: index for index, letter in enumerate(letters)}, merges=[]))
    made.pre_tokenizer, made.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    made.add_tokens([AddedToken(word, special=word.startswith('<|')) for word in WORDS])
    fast = PreTrainedTokenizerFast(tokenizer_object=made, eos_token='<|im_end|>', pad_token='<|endoftext|>')
    fast.chat_template = qwen3_chat_template
    return fast


def model(words):
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=8,
        intermediate_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        num_key_value_heads=1,
        max_position_embeddings=32768,
    )
    return LlamaForCausalLM(config)


class Scripted(GRPOTrainer):
    """A trainer whose model answers the last question in its prompt by a script: question -> replies."""

    def __init__(self, *arguments, script, ends, **options):
        self.script, self.ends = script, ends
        super().__init__(*arguments, **options)

    def _generate_single_turn(self, prompt_ids, *_, **__):
        if self.ends and prompt_ids:  # the server is killed when it has asked its first question
            os.kill(self.ends, signal.SIGKILL)
            self.ends = None
        texts = [self._reply(self.processing_class.decode(ids)) for ids in prompt_ids]
        return [self.processing_class.encode(text) for text in texts], None

    def _reply(self, prompt):
        due = max(self.script, key=prompt.rfind)
        replies = self.script[due]
        tried = prompt[prompt.rfind(due) :].count('<tool_call>')
        if tried == len(replies):
            return 'That is all.<|im_end|>'
        call = {'name': 'run_code', 'arguments': {'code': replies[tried]}}
        return f'<tool_call>\n{json.dumps(call)}\n</tool_call><|im_end|>'


def train(url, token, name, script, ends):
    """Rewards of a group of two rollouts, and what the trainer says of the step."""
    assert name in experiments_of(url, token)
    found = []

    def look(environments, **_):
        found.extend({'right': one.right, 'invalid': one.invalid} for one in environments)
        return [None] * len(environments)

    words = tokenizer()
    with tempfile.TemporaryDirectory() as folder:
        trainer = Scripted(
            model(words),
            [look],
            GRPOConfig(
                folder,
                per_device_train_batch_size=2,
                num_generations=2,
                max_steps=1,
                max_completion_length=30000,
                use_cpu=True,
                bf16=False,
                logging_steps=1,
                save_strategy='no',
                report_to='none',
            ),
            train_dataset=Dataset.from_list([{'prompt': [{'role': 'user', 'content': ''}], 'experiment': name}]),
            processing_class=words,
            environment_factory=partial(TRLNotebookEnv, url, token),
            script=script,
            ends=ends,
        )
        tools = [tool.__name__ for tool in trainer.tools]
        trainer.train()
    return {'tools': tools, 'found': found, 'log': trainer.state.log_history[0]}


if __name__ == '__main__':
    torch.manual_seed(0)
    print(json.dumps([train(*job) for job in json.loads(sys.argv[1])]))
