"""The ledger of a run of many tasks: each writes its own file, and all of them count."""

from cibench_eval.models.metering import Ledger, gather


def test_tasks_write_files_of_their_own_and_read_all(tmp_path):
    path = tmp_path / 'usage.jsonl'
    before, first, second = Ledger(path), Ledger(path, '1-0-7r0'), Ledger(path, '1-1-7r0')
    before.add(1, 0.5)
    first.add(10, 0.25)
    second.add(100, 0.25)
    first.refresh()
    second.refresh()
    assert (first.tokens, first.cost) == (second.tokens, second.cost) == (111, 1.0)
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        'usage.1-0-7r0.jsonl',
        'usage.1-1-7r0.jsonl',
        'usage.jsonl',
    ]
    gather(path)
    assert [one.name for one in tmp_path.iterdir()] == ['usage.jsonl']
    merged = Ledger(path)
    merged.refresh()
    assert merged.tokens == 111
