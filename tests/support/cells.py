"""Cells of notebooks and their outputs, as Jupyter writes them."""

import json


def markdown(source='What is it?\n\nThought: I see.'):
    return {'cell_type': 'markdown', 'metadata': {}, 'source': source}


def code(*outputs, source='x = 1'):
    return {'cell_type': 'code', 'metadata': {}, 'source': source, 'outputs': list(outputs)}


def stdout(text='1.5\n', name='stdout'):
    return {'output_type': 'stream', 'name': name, 'text': text}


def result(text='2.5'):
    return {'output_type': 'execute_result', 'metadata': {}, 'data': {'text/plain': text}}


def display(text, **more):
    return {'output_type': 'display_data', 'metadata': {}, 'data': {'text/plain': text, **more}}


def figure(encoded, kind='display_data'):
    """A figure shown, of a PNG in base64."""
    return {'output_type': kind, 'metadata': {}, 'data': {'image/png': encoded, 'text/plain': '<Figure>'}}


def write(folder, *cells, name='pandas/a.ipynb', **metadata):
    """Write a notebook of cells below a folder; return its path."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({'cells': cells, 'metadata': metadata, 'nbformat': 4, 'nbformat_minor': 5}))
    return path
