"""What Weights & Biases' own package reads in the runs below a folder: model -> config, summary and tables, as JSON.

Usage: wandb_program.py FOLDER
"""

import json
import sys
from pathlib import Path

from wandb.proto import wandb_internal_pb2

BLOCK, HEADER = 32768, 7
"""Bytes of the log format of LevelDB, in which W&B writes: a piece's header is its checksum, length and place."""
WHOLE, LAST = 1, 4
"""Places of a piece in its record: the first and the middle ones are 2 and 3."""


def records_of(data):
    """The records of a file; W&B's own magic is as long as a header."""
    at, record = HEADER, b''
    while at + HEADER <= len(data):
        left = BLOCK - at % BLOCK
        if left < HEADER:
            at += left
            continue
        length, place = int.from_bytes(data[at + 4 : at + 6], 'little'), data[at + 6]
        record += data[at + HEADER : at + HEADER + length]
        at += HEADER + length
        if place in (WHOLE, LAST):
            yield wandb_internal_pb2.Record.FromString(record)
            record = b''


def read(path):
    """A file `run-ID.wandb`: what it says."""
    run = {'config': {}, 'summary': {}}
    for record in records_of(path.read_bytes()):
        if record.run.run_id:
            run |= {'id': record.run.run_id, 'name': record.run.display_name, 'group': record.run.run_group}
        for item in (*record.run.config.update, *record.config.update):
            run['config'][item.key] = json.loads(item.value_json)
        for item in record.summary.update:
            run['summary'][item.key or '/'.join(item.nested_key)] = json.loads(item.value_json)
    (table,) = path.parent.glob('files/media/table/steps*.table.json')
    return {**run, 'steps': json.loads(table.read_text())}


print(json.dumps([read(path) for path in sorted(Path(sys.argv[1]).glob('wandb/offline-run-*/*.wandb'))]))
