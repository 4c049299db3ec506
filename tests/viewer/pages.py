"""A page as a browser takes it apart, and reports of runs that were tampered with."""

import json
import re
import shutil
from html.parser import HTMLParser

from cibench_eval import cli
from cibench_eval.sealed import unsealed

NAMES = ('matplotlib_weather_cn', 'pandas_penguins')
CASES = [f'examples.{mode}.{name}.html' for mode in ('end_to_end', 'oracle') for name in NAMES]
"""Files of the pages of the run."""


class Page(HTMLParser):
    """Elements with their attributes, and the text that a person reads."""

    def __init__(self, path):
        super().__init__()
        self.elements, self._said, self._quiet = [], [], False
        self.feed(path.read_text(encoding='utf-8'))
        self.text = ''.join(self._said)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._quiet = tag == 'script'

    def handle_endtag(self, tag):
        self._quiet = False

    def handle_data(self, data):
        if not self._quiet:
            self._said.append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def write_report(runs, folder):
    """Write the pages of runs into a folder; their overview."""
    assert cli.main(['view', *map(str, runs), '--out', str(folder), '--no-open']) in (0, 1), 'what is damaged is said'
    return folder / 'index.html'


def changed(run, tmp_path, change):
    """The report of a copy of a run in which every execution that drew was changed."""
    copy = shutil.copytree(run, tmp_path / 'changed')
    for path in copy.glob('predictions/*/*.traces.jsonl'):
        traces = [json.loads(unsealed(line)) for line in path.read_bytes().splitlines()]
        for trace in traces:
            for attempt in (attempt for step in trace['steps'] for attempt in step['attempts']):
                if attempt['execution'] and any(output['figure'] for output in attempt['execution']['outputs']):
                    change(attempt['execution'], path.parent / 'figures')
        path.write_text(''.join(json.dumps(trace) + '\n' for trace in traces))
    write_report([copy], tmp_path / 'view')
    return tmp_path / 'view'


def rows_of(report):
    """The steps that the overview lists, with words in the place of numbers."""
    (content,) = re.findall(r'id="data">(.*?)</script>', (report / 'index.html').read_text(), re.DOTALL)
    data = json.loads(content)
    word = data['words'].__getitem__
    for session, number, kind, attempts, _, marks in data['steps']:
        page, column, label, *_ = data['sessions'][session]
        yield word(page), column, word(label), number, word(kind), attempts, [mark and word(mark[0]) for mark in marks]
