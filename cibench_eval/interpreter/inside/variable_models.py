"""What estimators of scikit-learn and LightGBM have learnt, whatever the order of rows and columns was.

It runs in the kernel and imports nothing of the package. The facts are numbers and texts whose moments tell one fit
from another; `docs/metrics.md`, State, says what counts.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any

from variable_values import MOST_TEXTS, OTHER, class_name, is_of_library, loaded, places, token

LIBRARIES = ('sklearn', 'lightgbm')
"""Libraries whose estimators keep their parameters as attributes."""
PRIVATE = ('_fit_X', '_y', '_n_samples', '_Booster', '_bin_mapper', '_baseline_prediction')
"""Private attributes that are learnt: of neighbours, forests, LightGBM and boosting by histograms."""
CONVERGENCE = ('n_iter_', 't_', 'dual_gap_', 'best_score_', 'train_score_', 'cv_results_', 'refit_time_')
"""Attributes that depend on how the computation went: its steps and times, ties between equally good splits."""
RANDOM = ('coefs_', 'intercepts_', 'loss_', 'best_loss_', 'loss_curve_', 'validation_scores_')
"""Attributes of neural networks, which depend on the order of columns, because the first weights are random."""
BESIDE = (*CONVERGENCE, *RANDOM, 'feature_names_in_', 'estimator_')
"""Attributes that do not count: an array gives no names, and the estimator of an ensemble is a parameter."""
MEMBERS = 8
"""Most parts of a composed estimator whose facts are told."""

Facts = Iterator[tuple[str, Any]]


def parameters(estimator: Any) -> dict[str, Any]:
    """What an estimator was made with."""
    fields = {} if class_name(type(estimator)) == 'Booster' else vars(estimator)
    return {name: value for name, value in fields.items() if not name.startswith('_') and not name.endswith('_')}


def learnt(estimator: Any) -> dict[str, Any]:
    """What an estimator was fitted to, by the path of the attribute; `fitted` says whether it was."""
    if class_name(type(estimator)) == 'Booster':
        return dict(_of_booster(estimator, ''))
    return {**dict(_of_estimator(estimator, '')), 'fitted': any(map(_is_public, vars(estimator)))}


def _is_public(name: str) -> bool:
    return name.endswith('_') and not name.startswith('_')


def _of_estimator(estimator: Any, path: str) -> Facts:
    fields = vars(estimator)
    for name, value in fields.items():
        if (_is_public(name) or name in PRIVATE) and name not in BESIDE:
            yield from _of_attribute(name, value, path, fields)


def _of_attribute(name: str, value: Any, path: str, fields: dict[str, Any]) -> Facts:
    kind, np = class_name(type(value)), loaded('numpy')
    if token(value) is not OTHER or type(value) is dict:
        yield path + name, value
    elif _is_estimator(value):
        facts = _of_booster if kind == 'Booster' else _of_estimator
        yield from facts(value, f'{path}{name}.')
        yield from _of_members('steps', vars(value).get('steps', []), f'{path}{name}.')
    elif kind == 'Tree':
        yield from _of_tree(value, f'{path}{name}.', fields)
    elif type(value) is np.ndarray and value.dtype.kind != 'O':
        if value.dtype.kind not in 'iu' or name in ('classes_', '_y'):  # others number rows or groups
            yield path + name, value
    else:
        yield from _of_members(name, value, path)


def _of_members(name: str, value: Any, path: str) -> Facts:
    """Facts of nested lists: of scalars, or with estimators in them."""
    members = list(itertools.islice(_members(value), MOST_TEXTS))
    if members and all(token(member) is not OTHER for member in members):
        yield path + name, members
    estimators = [member for member in members if _is_estimator(member)]
    if name == 'estimators_':  # the first of its class is told: the others depend on it, or on what is drawn
        estimators = list({type(one): one for one in reversed(estimators)}.values())
    for place in places(len(estimators), MEMBERS):
        yield from _of_attribute(str(place), estimators[place], f'{path}{name}.', {})


def _of_tree(tree: Any, path: str, fields: dict[str, Any]) -> Facts:
    """Facts of a tree's root. Below it, splits may be equally good, and then the order of columns decides."""
    yield path + 'rows', int(tree.n_node_samples[0])
    yield path + 'impurity', float(tree.impurity[0])
    yield path + 'values', tree.value[0].round(9)
    if fields.get('max_features') is None and fields.get('splitter') == 'best':
        yield path + 'threshold', float(tree.threshold[0])


def _of_booster(booster: Any, path: str) -> Facts:
    """Facts of LightGBM's trees: how many, the ranges of the features, and the rows and the mean of the first one."""
    text = booster.model_to_string(num_iteration=1)
    lines = dict(re.findall(r'^(feature_infos|leaf_count|leaf_value)=(.*)$', text, re.MULTILINE))
    counts, values = ([float(number) for number in lines[name].split()] for name in ('leaf_count', 'leaf_value'))
    ranges = re.findall(r'\[([^:\]]+):([^\]]+)\]', lines['feature_infos'])
    yield path + 'trees', booster.num_trees()
    yield path + 'features', booster.num_feature()
    yield path + 'ranges', [float(end) for ends in ranges for end in ends]
    yield path + 'rows', sum(counts)
    weights = counts or [1.0]  # a tree that is one leaf counts no rows
    yield path + 'mean', sum(one * value for one, value in zip(weights, values, strict=True)) / sum(weights)


def _is_estimator(value: Any) -> bool:
    kind = type(value)
    known = is_of_library(kind) and kind.__module__.partition('.')[0] in LIBRARIES
    return known and (hasattr(kind, 'get_params') or class_name(kind) == 'Booster')


def _members(value: Any) -> Iterator[Any]:
    """The elements of nested lists, tuples and arrays."""
    if type(value) is loaded('numpy').ndarray:
        value = value.tolist()
    if type(value) is not list and type(value) is not tuple:
        yield value
        return
    for member in value:
        yield from _members(member)
