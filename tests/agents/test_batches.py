"""Batches that run side by side: one pool of slots, one opening of a model, each batch filed by itself."""

import asyncio
import errno
import os
import re
from collections import Counter
from dataclasses import replace

import pytest

from cibench_eval.agents import Batch, SessionSettings
from cibench_eval.agents.runner import run_batches
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.models.base import Stateless
from cibench_eval.run.run_tasks import SharedModel
from cibench_eval.schema import HarnessError, Reply
from cibench_eval.traces import TraceStore
from tests.support.sessions import KERNELS, call, experiment

pytestmark = pytest.mark.kernel


class Meeting(Stateless):
    """Answers nobody until so many ask at the same time; counts how many do, and how often it is opened."""

    def __init__(self, wanted, broken=()):
        self.wanted, self.waiting, self.most, self.order = wanted, 0, 0, []
        self.broken = broken
        self.opened = Counter()

    async def __aenter__(self):
        self.opened['in'] += 1
        self.full = asyncio.Event()
        return self

    async def __aexit__(self, *_):
        self.opened['out'] += 1

    async def chat(self, messages, turn, stop=(), tools=()):
        self.order.append(turn.experiment)
        if turn.experiment in self.broken:
            raise HarnessError('endpoint broken')
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        if self.waiting == self.wanted:
            self.full.set()
        await asyncio.wait_for(self.full.wait(), 60)
        self.waiting -= 1
        return Reply(text=call('1'))


def batches(model, folder, filed, number, slots, names='abc'):
    """One batch a name, each of two sessions; the first one has as many steps as the batch's place among them."""
    made = []
    for place, name in enumerate(names, 1):
        experiments = [experiment(*['1'] * place, name=f'm/{name}'), experiment('1', name=f'm/{name}2')]
        settings, store = (
            SessionSettings(kernels=KERNELS, dataset_name=name),
            TraceStore(folder / f'{name}.traces.jsonl'),
        )

        def file(traces, name=name):
            filed[name] = [trace.experiment for trace in traces]

        made.append(Batch(experiments, model, settings, store, SessionSlots(number, slots), file))
    return made


def test_all_sessions_share_the_slots_of_their_model_and_the_longest_of_all_begin(tmp_path):
    model, filed = Meeting(3), {}
    failures = asyncio.run(run_batches(batches(SharedModel(model), tmp_path, filed, 3, SessionSlots(3))))
    assert failures == [None] * 3
    assert model.most == 3
    assert model.order[0] == 'm/c'
    assert filed == {name: [f'm/{name}', f'm/{name}2'] for name in 'abc'}
    assert model.opened == {'in': 1, 'out': 1}


def test_with_one_slot_nobody_is_shown_gold_before_the_last_session_without_it(tmp_path):
    model = Meeting(1)
    made = batches(SharedModel(model), tmp_path, {}, 1, SessionSlots(1))
    made[2] = replace(made[2], settings=replace(made[2].settings, mode='oracle'))
    assert asyncio.run(run_batches(made)) == [None] * 3
    assert len(model.order) == 9 and not {'m/c', 'm/c2'} & {*model.order[:5]}


def test_a_batch_with_fewer_slots_of_its_own_keeps_to_them(tmp_path):
    model, whole = Meeting(2), SessionSlots(8)
    (one,) = batches(SharedModel(model), tmp_path, {}, 2, whole, 'c')
    many = [experiment('1', name=f'm/{number}') for number in range(5)]
    assert asyncio.run(run_batches([replace(one, experiments=many, slots=SessionSlots(2, whole))])) == [None]
    assert model.most == 2


def test_a_fault_in_one_batch_is_its_own(tmp_path):
    model, filed = Meeting(1, broken=('m/b',)), {}
    failures = asyncio.run(run_batches(batches(SharedModel(model), tmp_path, filed, 3, SessionSlots(3))))
    assert [failure and str(failure) for failure in failures] == [
        None,
        '1 of 2 sessions failed: m/b: endpoint broken',
        None,
    ]
    assert sorted(filed) == ['a', 'c']
    model.broken = ()
    asked = len(model.order)
    assert asyncio.run(run_batches(batches(SharedModel(model), tmp_path, filed, 3, SessionSlots(3)))) == [None] * 3
    assert set(model.order[asked:]) == {'m/b'}, 'what was filed is not asked again'
    assert sorted(filed) == ['a', 'b', 'c']


@pytest.mark.parametrize('error', [KeyError('no such field'), ConnectionResetError(104, 'reset'), OSError('no reply')])
def test_a_bug_costs_its_session_alone_and_shows_its_traceback(tmp_path, caplog, error):
    class Buggy(Meeting):
        async def chat(self, messages, turn, stop=(), tools=()):
            if turn.experiment == 'm/b':
                raise error
            return await super().chat(messages, turn, stop, tools)

    filed = {}
    failures = asyncio.run(run_batches(batches(SharedModel(Buggy(1)), tmp_path, filed, 3, SessionSlots(3))))
    said = f'1 of 2 sessions failed: m/b: a fault of cibench-eval: {error!r}'
    assert [failure and str(failure) for failure in failures] == [None, said, None]
    assert sorted(filed) == ['a', 'c'] and 'Traceback' in caplog.text


@pytest.mark.parametrize('kind', ['req_{:012}', '4f7c0f6a-0e5f-4a43-9c6f-{:012}', '{:024x}'])
def test_one_cause_is_said_once_whatever_its_requests_are_called(tmp_path, kind):
    class Refusing(Meeting):
        async def chat(self, messages, turn, stop=(), tools=()):
            self.order.append(turn.experiment)
            raise HarnessError(f'HTTP 500: request_refused (id {kind.format(len(self.order))})')

    (one,) = batches(Refusing(1), tmp_path, {}, 2, SessionSlots(2), 'c')
    (failure,) = asyncio.run(run_batches([one]))
    assert re.fullmatch(r'2 of 2 sessions failed: m/c2?, m/c2?: HTTP 500: request_refused \(id …\)', str(failure))


def test_a_model_that_cannot_be_opened_is_tried_once(tmp_path):
    class Gone(Meeting):
        async def __aenter__(self):
            await super().__aenter__()
            raise HarnessError('nobody there')

    model, filed = Gone(1), {}
    failures = asyncio.run(run_batches(batches(SharedModel(model), tmp_path, filed, 3, SessionSlots(3))))
    assert [str(failure) for failure in failures] == ['nobody there'] * 3
    assert (model.opened, filed) == ({'in': 1}, {})


def test_a_full_disk_ends_all_that_is_not_filed(tmp_path):
    model, filed = Meeting(1), {}
    made = batches(SharedModel(model), tmp_path, filed, 1, SessionSlots(1))

    def full(traces):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    failures = asyncio.run(run_batches([*made[:2], replace(made[2], file=full)]))
    assert 'No space left on device; fix that and go on with -r' in str(failures[2])
    unfiled = [name for name, failure in zip('abc', failures, strict=True) if failure]
    assert set(filed) == set('abc') - set(unfiled)
    assert asyncio.run(run_batches(batches(SharedModel(model), tmp_path, filed, 1, SessionSlots(1)))) == [None] * 3
    again = batches(SharedModel(model), tmp_path, filed, 1, SessionSlots(1))
    nothing_missing = asyncio.run(run_batches([again[0], replace(again[2], file=full)]))
    assert nothing_missing[0] is None
    assert 'No space left on device' in str(nothing_missing[1])


def test_a_file_of_traces_that_cannot_be_read_is_the_fault_of_its_batch(tmp_path):
    filed = {}
    made = batches(SharedModel(Meeting(1)), tmp_path, filed, 1, SessionSlots(1))
    made[0].store.path.mkdir()
    failures = asyncio.run(run_batches(made))
    assert str(failures[0]).startswith(f'{tmp_path}: [Errno 21] Is a directory')
    assert sorted(filed) == ['b', 'c']


def test_sessions_that_another_process_runs_are_left_to_it(tmp_path):
    model, filed = Meeting(1), {}
    made = batches(SharedModel(model), tmp_path, filed, 1, SessionSlots(1))
    with TraceStore(made[1].store.path).owned():
        failures = asyncio.run(run_batches(made))
    assert [failure is None for failure in failures] == [True, False, True]
    assert 'another process runs these sessions' in str(failures[1])


def test_slots_grow_with_who_asks_for_more():
    async def run():
        slots = SessionSlots(1)
        slots.widen(3)
        slots.widen(2)
        async with slots.slot(), slots.slot(), slots.slot():
            return slots.number, slots.taken

    assert asyncio.run(run()) == (3, 3)
