"""`python -m cibench_eval.qwen_ci`, as users of Qwen-Agent's benchmark type it: real kernels, models on loopback."""

import json
import re
import shutil

import pytest

from cibench_eval import cli
from cibench_eval.opencompass import QwenCISummarizer
from cibench_eval.qwen_ci import program
from cibench_eval.run.main import main as run
from tests.reports.rows import config_of, result, step, write_run
from tests.support.chat_server import chat_server
from tests.support.notebooks import REPO
from tests.support.qwen_rows import write_qwen_rows

pytestmark = pytest.mark.kernel
MODEL = """
from cibench_eval.models import OpenAICompatible

kind = dict(type=OpenAICompatible, path='m', retries=0, generation_kwargs=dict(temperature=0.0))
models = [dict(kind, abbr='mine', base_url={url!r})]
"""
CALL = 'Thought: t\nAction: code_interpreter\nAction Input:\n```py\n{}\n```'


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Configs and data; results go to `output_data` in it."""
    shutil.copytree(REPO / 'configs', tmp_path / 'configs')
    runtime = tmp_path / 'configs' / 'runtimes' / 'local.py'
    runtime.write_text(runtime.read_text().replace("sandbox='bubblewrap'", "sandbox='auto'"))
    write_qwen_rows(tmp_path / 'eval_data')
    monkeypatch.chdir(tmp_path)
    for module in ('run_tasks', 'judged'):
        monkeypatch.setattr(f'cibench_eval.run.{module}.cache_dir', lambda: tmp_path / 'cache')
    monkeypatch.setenv('OPENAI_API_KEY', 'a-key')
    monkeypatch.delenv('CODE_INTERPRETER_WORK_DIR', raising=False)
    return tmp_path


@pytest.fixture
def judged(folder, monkeypatch):
    """A judge that finds everything right."""
    with chat_server(lambda messages: 'As asked.\nVerdict: right') as server:
        monkeypatch.setenv('OPENAI_BASE_URL', server.base_url)
        yield server


def use_model(folder, server):
    (folder / 'configs' / 'models' / 'mine.py').write_text(MODEL.format(url=server.base_url))


def lines(folder, name):
    text = (folder / 'output_data' / name).read_text(encoding='utf-8')
    return [json.loads(line) for line in text.splitlines()]


def row_of(said, model, title):
    """The cells of a model in a table that was printed."""
    table = said.split(title)[1]
    return next(line.split() for line in table.splitlines() if line.startswith(model))[-4:]


def test_the_gold_is_right_everywhere(folder, judged, capsys):
    assert program.main(['--model', 'gold_replay']) == 0
    said = capsys.readouterr().out
    assert row_of(said, 'gold-replay', 'executability')[1:] == ['100.0', '100.0', '0.0']
    table = said.split('correctness')[1]
    judged_line = next(line for line in table.splitlines() if line.startswith(('gold-replay', 'eview')))
    assert table.split(judged_line)[1] and table.count('100.0') == 3  # math, hard, easy
    drawn = lines(folder, 'visualization_gold_replay_res.jsonl')
    assert [(line['executable_code'], line['missing_code'], line['vis_acc']) for line in drawn] == [
        (True, False, True)
    ] * 2
    assert drawn[0]['query'].startswith('Draw') and drawn[0]['code'].startswith('plt.plot')
    assert '![fig-001](/' in drawn[0]['gen'] and drawn[0]['code_error_info'] == ''
    assert 'Glyph' not in drawn[1]['gen'], 'Chinese text is drawn in the theme of seaborn, too'
    assert [line['acc'] for line in lines(folder, 'gsm8k_gold_replay_res.jsonl')] == [True] * 3
    (general,) = lines(folder, 'general_gold_replay_res.jsonl')
    assert general['executable_code'] and 'vis_acc' not in general
    assert len(judged.requests) == 2
    assert 'GPT-4 ' in said and 'Published (20231206)' in said
    (found,) = (folder / 'output_data' / 'runs' / 'visualization_gold_replay').iterdir()
    assert cli.main(['agreement', str(found)]) == 0
    said = capsys.readouterr().out
    assert '## plot' in said and '| gold-replay | 2 | 100.0 |' in said
    with chat_server(lambda messages: 'Verdict: wrong') as second:
        config = (folder / 'configs/judges/gpt_4_vision_preview.py').read_text().replace("abbr='gpt-4", "abbr='second")
        config = re.sub(r"os.environ.get\('OPENAI_BASE_URL'.*\)", repr(second.base_url), config)
        (folder / 'configs/judges/second.py').write_text(config)
        words = ['--model', 'gold_replay', '--task', 'visualization', '--eval-only', '--vis-judger', 'second']
        assert program.main(words) == 0
    drawn = lines(folder, 'visualization_gold_replay_res.jsonl')
    assert [line['vis_acc'] for line in drawn] == [False] * 2, 'as the judge says that is named'


def test_a_wrong_model_gets_nothing(folder, monkeypatch, capsys):
    def answer(messages):
        if '17' in str(messages):
            return CALL.format('')
        return CALL.format('import no_such_package') if 'ales' in str(messages) else 'It is 99.'

    with chat_server(answer) as server, chat_server(lambda messages: 'Verdict: wrong') as judge:
        monkeypatch.setenv('OPENAI_BASE_URL', judge.base_url)
        use_model(folder, server)
        assert program.main(['--model', 'mine', '--task', 'all_ci']) == 0
        assert program.main(['--model', 'mine', '--task', 'gsm8k']) == 0
        assert not judge.requests  # there is no figure to look at
    said = capsys.readouterr().out
    assert row_of(said, 'mine', 'executability') == ['0.0', '0.0', '0.0', '25.0']
    assert 'no such package: no_such_package' in ' '.join(said.split())
    made = lines(folder, 'all_ci_mine_res.jsonl')
    assert [line['vis_acc'] for line in made[:2]] == [False, False]
    assert made[0]['code_error_info'] == "ModuleNotFoundError: No module named 'no_such_package'"
    assert made[3]['missing_code'] and made[3]['code_error_info'] == 'missing code'
    assert len(lines(folder, 'all_ci_mine_res_exec_error.jsonl')) == 4
    assert len(lines(folder, 'all_ci_mine_res_vis_error.jsonl')) == 2
    assert [line['acc'] for line in lines(folder, 'gsm8k_mine_res.jsonl')] == [False] * 3


@pytest.mark.soak
def test_an_interrupted_task_goes_on(folder, capsys):
    broken = [True]

    def answer(messages):
        if broken[0] and 'bolt' in str(messages):
            return 401
        return 'Final Answer: 7'

    with chat_server(answer) as server:
        use_model(folder, server)
        command = ['--model', 'mine', '--task', 'gsm8k', '--max-sessions', '1']
        assert program.main(command) == 1
        assert len(lines(folder, 'gsm8k_mine_res.jsonl')) == 2
        asked, broken[0] = len(server.requests), False
        assert program.main(command) == 0
        assert len(server.requests) == asked + 1  # what was done is not asked again
        assert [line['acc'] for line in lines(folder, 'gsm8k_mine_res.jsonl')] == [False, False, True]
        assert program.main(command) == 0 and len(server.requests) == asked + 1
    assert '33.3' in capsys.readouterr().out


def test_a_judge_without_one_valid_verdict_has_no_figure(folder, monkeypatch, capsys):
    config = folder / 'configs' / 'judges' / 'gpt_4_vision_preview.py'
    config.write_text(config.read_text().replace('\ndel os', "judges += [dict(judges[0], abbr='second')]\ndel os"))
    with chat_server(lambda messages: 'Lovely colours!') as judge:
        monkeypatch.setenv('OPENAI_BASE_URL', judge.base_url)
        assert program.main(['--model', 'gold_replay', '--task', 'visualization']) == 1
    said = capsys.readouterr()
    assert row_of(said.out, 'gold-replay', 'correctness')[-2:] == ['–', '–']
    for judge in ('gpt-4-vision-preview', 'second'):
        assert f'judge {judge}: no valid verdict on any of 2 steps' in said.err
    assert "its first reply: 'Lovely colours!'" in said.err


def test_a_figure_that_the_judge_refuses_costs_that_figure_alone(folder, monkeypatch, capsys):
    with chat_server(lambda messages: 400 if 'line chart' in str(messages) else 'Verdict: right') as judge:
        monkeypatch.setenv('OPENAI_BASE_URL', judge.base_url)
        assert program.main(['--model', 'gold_replay', '--task', 'visualization']) == 1
    said = capsys.readouterr()
    assert row_of(said.out, 'gold-replay', 'correctness')[-2:] == ['–', '100.0']
    assert '1 figures are not judged yet by gpt-4-vision-preview' in ' '.join(said.out.split())
    assert '1 step not judged; what is judged is kept' in said.err
    assert ['vis_acc' in line for line in lines(folder, 'visualization_gold_replay_res.jsonl')] == [False, True]


def test_own_data_may_have_hard_questions_alone(folder, judged, capsys, caplog):
    rows = folder / 'eval_data' / 'eval_code_interpreter_v1.jsonl'
    rows.write_text(rows.read_text(encoding='utf-8').splitlines()[0] + '\n')
    command = ['--model', 'gold_replay', '--task', 'visualization', '--input-path', str(rows.parent)]
    assert program.main(command) == 0 and len(lines(folder, 'visualization_gold_replay_res.jsonl')) == 1
    assert row_of(capsys.readouterr().out, 'gold-replay', 'correctness')[-2:] == ['100.0', '–']
    assert 'has no questions of visualization_easy, which are left out' in caplog.text
    (found,) = (folder / 'output_data' / 'runs' / 'visualization_gold_replay').iterdir()
    config = folder / 'configs' / 'judges' / 'gpt_4_vision_preview.py'
    config.write_text(config.read_text().replace('QwenVisionJudge', 'TextJudge').replace("abbr='gpt-4", "abbr='text"))
    assert cli.main(['judge', str(found), '--metric', 'text', '--config', str(config)]) == 0
    assert 'no step of the kind that it judges (--metric qwen judges plots)' in capsys.readouterr().out


@pytest.mark.soak
def test_stages_by_themselves(folder, judged, capsys):
    with chat_server(lambda messages: CALL.format('plt.plot([1])\nplt.show()')) as server:
        use_model(folder, server)
        own = ['--model', 'mine', '--task', 'visualization']
        assert program.main([*own, '--gen-only']) == 0
        assert len(server.requests) == 2 and 'executability' not in capsys.readouterr().out
        (made, _) = lines(folder, 'visualization_mine_res.jsonl')
        assert 'plt.plot' in made['gen'] and 'Observation' not in made['gen'] and 'executable_code' not in made
        assert program.main([*own, '--eval-only']) == 2 and 'nothing is in' in capsys.readouterr().err
        assert program.main([*own, '--gen-exec-only']) == 0
        assert 'Observation: [figure 1' in lines(folder, 'visualization_mine_res.jsonl')[0]['gen']
        assert len(server.requests) == 2 + 4  # the first reply at each question was kept, two more were asked for
        assert program.main([*own, '--eval-only', '--eval-code-exec-only']) == 0 and not judged.requests
        assert 'vis_acc' not in lines(folder, 'visualization_mine_res.jsonl')[0]
        assert program.main([*own, '--eval-only']) == 0 and len(judged.requests) == 2 and len(server.requests) == 6
        assert [line['vis_acc'] for line in lines(folder, 'visualization_mine_res.jsonl')] == [True, True]
        assert program.main([*own, '--eval-only', '--eval-code-exec-only', '--vis-judger', 'nobody']) == 0
        assert program.main([*own, '--eval-code-exec-only', '--force', '-o', 'own.jsonl']) == 0
        assert len(list((folder / 'output_data' / 'runs' / 'visualization_mine').iterdir())) == 2
        assert len(lines(folder, 'own.jsonl')) == 2


def test_uploads_may_be_in_the_work_dir(folder, monkeypatch):
    work = folder / 'work'
    shutil.move(folder / 'eval_data' / 'upload_file_clean', work / 'upload_file')
    monkeypatch.setenv('CODE_INTERPRETER_WORK_DIR', str(work))
    assert program.main(['--model', 'gold_replay', '--task', 'ci_open_questions']) == 0
    (line,) = lines(folder, 'ci_open_questions_gold_replay_res.jsonl')
    assert line['executable_code']


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['--input-path', 'nowhere'], 'eval_code_interpreter_v1.jsonl: there is none of nowhere/'),
        (['--task', 'general', '-i', 'other.jsonl'], 'other.jsonl: there is none of eval_data/'),
        (['--model', 'no-such-model', '--task', 'gsm8k'], 'no-such-model'),
        (['--task', 'all', '-o', 'x.jsonl'], '--task all writes a file a task'),
        (['--eval-only', '--task', 'general'], 'nothing is in output_data/runs/general_gold_replay yet'),
        (['--vis-judger', 'nobody'], 'nobody'),
    ],
    ids=lambda value: ' '.join(value) if isinstance(value, list) else '',
)
def test_what_is_wrong_is_said_in_one_line(folder, judged, capsys, words, said):
    assert program.main(['--model', 'gold_replay', '--task', 'visualization', *words]) == 2
    error = capsys.readouterr().err
    assert said in error and [line for line in error.splitlines() if line.startswith('error: ')]


def test_a_judge_without_a_key_is_said_before_anything_runs(folder, monkeypatch, capsys):
    monkeypatch.delenv('OPENAI_API_KEY')
    assert program.main(['--model', 'gold_replay', '--task', 'visualization']) == 2
    said = capsys.readouterr().err
    assert 'OPENAI_API_KEY' in said and '--eval-code-exec-only' in said
    assert not (folder / 'output_data' / 'runs').exists()


def test_the_deprecated_judge_warns(folder, caplog, capsys):
    assert program.main(['--vis-judger', 'qwen-vl-chat', '--task', 'general', '--model', 'gold_replay']) == 0
    assert 'qwen-vl-chat is no judge of version 20231206' in caplog.text


def test_every_name_of_the_benchmark_is_there(capsys):
    files = {model for model, _ in program.MODELS.values()}
    assert not [name for name in files if not (REPO / 'configs' / 'models' / f'{name}.py').is_file()]
    assert not [name for name in program.JUDGES.values() if not (REPO / 'configs' / 'judges' / name).is_file()]
    families = {f'qwen_ci_{family}' for _, family in program.MODELS.values()}
    assert not [name for name in families if not (REPO / 'configs' / 'agents' / f'{name}.py').is_file()]
    with pytest.raises(SystemExit):
        program.main(['--help'])
    said = capsys.readouterr().out
    for task in ('gsm8k', 'visualization', 'general', 'all_ci', 'ci_plot', 'ci_math_code', 'ci_open_questions'):
        assert task in said


@pytest.mark.soak
def test_the_same_as_a_config(folder, judged, capsys):
    """`run.py configs/eval_qwen_ci.py`, a judge, and the tables again."""
    shutil.move(folder / 'eval_data', folder / 'data' / 'qwen_ci')
    shutil.copytree(folder / 'data' / 'qwen_ci', folder / 'data' / 'gsm8k')
    words = ['configs/eval_qwen_ci.py', '--models', 'gold_replay', '-w', 'out']
    assert run(words) == 0
    said = ' '.join(capsys.readouterr().out.split())
    assert 'gold-replay: figures are not judged yet; cibench judge RUN --metric qwen' in said
    (found,) = (folder / 'out').iterdir()
    config = folder / 'configs' / 'judges' / 'gpt_4_vision_preview.py'
    assert cli.main(['judge', str(found), '--metric', 'qwen', '--config', str(config)]) == 0
    assert run([*words, '-m', 'viz', '-r']) == 0
    said = capsys.readouterr().out
    assert row_of(said, 'gold-replay', 'executability') == ['100.0', '100.0', '100.0', '0.0']
    assert row_of(said, 'gold-replay', 'correctness')[1:] == ['100.0', '100.0', '100.0']
    summaries = sorted((found / 'summary').glob('*.md'))
    assert '| gold-replay, gpt-4-vision-preview | 100.0 | 100.0 | 100.0 |' in summaries[-1].read_text()


def test_epochs_of_a_question_are_no_further_questions_and_what_is_not_judged_is_said(tmp_path, capsys):
    """Two questions, judged in each of their epochs but for one figure."""
    split, results, runs = 'qwen_ci/visualization_hard', [], tmp_path / 'run'
    for epoch in (1, 2, 3, 4):
        steps = [step(0, f'viz/{number}', kind='plot', figure_shown=1.0) for number in (0, 1)]
        results.append(result(steps=steps, dataset='viz', split=split, epoch=epoch, profile='qwen_ci'))
    write_run(runs, results)
    for one in results:
        verdicts = [
            dict(judge='eye', metric='qwen', experiment=f'viz/{number}', index=0, asked='', score=1.0 - number)
            for number in ((0, 1) if one.epoch < 4 else (0,))
        ]
        lines = [json.dumps({**verdict, 'detail': '', 'replies': [{'text': ''}]}) for verdict in verdicts]
        (runs / 'results' / 'm' / f'{one.dataset}.judge.jsonl').write_text(''.join(f'{line}\n' for line in lines))
    QwenCISummarizer({**config_of(results), 'work_dir': str(runs)}).summarize('now')
    said = (runs / 'summary' / 'summary_now.md').read_text()
    assert 'm: 1 figures are not judged yet by eye, and left out; cibench judge' in said
    low, high = re.search(r'\| m, eye \| – \| 57\.1 \[([\d.]+), ([\d.]+)\]', said).groups()
    assert float(high) - float(low) > 80, 'two questions tell little, whatever the number of epochs'


def test_results_of_another_profile_are_not_under_the_words_of_these_rates(tmp_path, capsys):
    results = [result(steps=[step(0, 'g/0', tool_rate=1.0, executable=1.0)], dataset='g', split='qwen_ci/general')]
    write_run(tmp_path / 'run', results)
    QwenCISummarizer({**config_of(results), 'work_dir': str(tmp_path / 'run')}).summarize('now')
    said = capsys.readouterr().out
    assert 'executability' not in said and '100.0' in said


def test_a_dataset_of_another_profile_costs_these_tables_nothing(tmp_path, capsys):
    own, other = (step(0, f'{name}/0', tool_rate=1.0, executable=1.0) for name in 'gd')
    results = [
        result(
            steps=[own], dataset='g', split='qwen_ci/general', profile='qwen_ci', usage=dict(replies=1, tokens_in=1)
        ),
        result(steps=[own], dataset='m', split='gsm8k/math', profile='qwen_ci', usage=dict(replies=2, tokens_in=1)),
        result(steps=[other], dataset='d', split='demo'),
    ]
    write_run(tmp_path / 'run', results)
    QwenCISummarizer({**config_of(results), 'work_dir': str(tmp_path / 'run')}).summarize('now')
    said = capsys.readouterr().out
    kept = (tmp_path / 'run' / 'summary' / 'summary_now.md').read_text()
    for text in (said, kept):
        assert text.index('qwen_ci: code executability') < text.index('demo')
    assert 'demo: code' not in kept
    assert 'm on qwen_ci/general: 1 reply' in kept and 'm on gsm8k/math: 2 replies' in kept
    assert {line.partition(',')[0] for line in (tmp_path / 'run/summary/summary_now.csv').open()} >= {
        'qwen_ci/general',
        'demo',
    }
