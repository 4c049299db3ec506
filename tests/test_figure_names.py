"""Figures on disk: a name is of one content, and what is something else is damage."""

import hashlib

import pytest

from cibench_eval.plots import Plot
from cibench_eval.schema import CibenchError, Figure

PNG = b'\x89PNG\r\n\x1a\n and so on'
PLOTS = [Plot.of({'axes': []}), Plot.of({'title': 'Legs', 'axes': []})]


def test_equal_pictures_of_two_plots_are_two_files(tmp_path):
    figures = [Figure.of(PNG, plot) for plot in PLOTS]
    for figure in figures:
        figure.save(tmp_path)
    assert len({figure.sha256 for figure in figures}) == 2
    for figure in figures:
        figure.check(tmp_path)
        assert (tmp_path / figure.filename).with_suffix('.plot.json').read_bytes() == figure.described


def test_a_figure_of_an_older_run_is_known_by_its_picture(tmp_path):
    name = hashlib.sha256(PNG).hexdigest()
    assert Figure.of(PNG).sha256 == name, 'as gold figures are, which are part of identities'
    Figure(sha256=name, data=PNG, described=PLOTS[0].json_bytes()).save(tmp_path)
    Figure(sha256=name).check(tmp_path)


@pytest.mark.parametrize('content', [b'', PNG[:-1], bytes(len(PNG)), None])
@pytest.mark.parametrize('described', [False, True])
def test_what_is_something_else_is_damage_and_is_written_again(tmp_path, content, described):
    figure = Figure.of(PNG, PLOTS[1] if described else None)
    path = figure.save(tmp_path)
    for file in (path, path.with_suffix('.plot.json')) if described else (path,):
        if content is None:
            file.unlink()
        else:
            file.write_bytes(content)
        with pytest.raises(CibenchError, match=r'going on with the run \(-r\)'):
            figure.check(tmp_path)
        figure.save(tmp_path)
        figure.check(tmp_path)
