"""What estimators of scikit-learn and LightGBM have learnt, as far as right fits agree in it.

It runs in the kernel and imports nothing of the package. What is told depends neither on the order of rows and columns
nor, but for the centres of clusters, on a seed; `docs/metrics.md`, State, says what counts.
"""

from collections.abc import Callable, Iterator
from typing import Any

from variable_values import OTHER, class_name, is_of_library, loaded, places, token

LIBRARIES = ('sklearn', 'lightgbm')
"""Libraries whose estimators keep their parameters as attributes."""
FITTED = (
    *('coef_', 'intercept_', 'classes_', 'n_features_in_', 'mean_', 'means_', 'var_', 'scale_', 'center_', 'location_'),
    *('theta_', 'class_count_', 'class_prior_', 'priors_', 'covariance_', 'constant_', 'statistics_'),
    *('data_min_', 'data_max_', 'data_range_', 'min_', 'quantiles_', 'lambdas_', 'categories_', 'bin_edges_'),
    *('vocabulary_', 'idf_', '_idf_diag', 'scores_', 'cluster_centers_', 'components_', 'explained_variance_'),
    *('support_vectors_', '_fit_X', '_y', '_n_samples', 'n_samples_seen_', 'bin_thresholds_', '_baseline_prediction'),
)
"""Attributes that tell what an estimator was fitted to."""
PARTS = ('init_', 'estimator_', 'estimators_', 'best_estimator_', 'transformers_', 'steps', '_bin_mapper', '_tfidf')
"""Attributes with estimators in them."""
DRAWN = ('bootstrap', 'max_samples', 'learning_rate')
"""Parameters of ensembles whose estimators depend on what is drawn, or on each other."""
MEMBERS = 8
"""Most parts of an estimator whose facts are told."""

Check = Callable[[], None]


def facts_of(estimator: Any, check: Check, path: str = '') -> Iterator[tuple[str, Any]]:
    """Paths of attributes, which begin with the estimator's own `path`, and their values; `check` raises once the time
    is used up.
    """
    check()
    fields = _fields(estimator)
    for name in FITTED:
        if name in fields and (value := _comparable(fields[name])) is not None:
            yield path + name, value
    if _is(fields.get('tree_'), 'sklearn', 'Tree'):
        yield from _of_tree(fields['tree_'], f'{path}tree_.')
    for booster in (fields.get('_Booster'), estimator):
        if _is(booster, 'lightgbm', 'Booster'):
            yield from _of_booster(booster, path)
    for name in PARTS:
        if name in fields and not (name == 'steps' and not path):  # those of a pipeline itself are parameters
            found = _told(name, fields, list(_estimators(fields[name], check, 3)))
            for place in places(len(found), MEMBERS):
                yield from facts_of(found[place], check, f'{path}{name}.{place}.')


def _told(name: str, fields: dict[str, Any], found: list[Any]) -> list[Any]:
    """The estimators in an attribute that depend neither on what is drawn nor on each other."""
    if name == 'estimators_' and 'subsample' in fields:
        return found[:1] if fields['subsample'] == 1 else []
    return [] if name == 'estimators_' and any(parameter in fields for parameter in DRAWN) else found


def _estimators(value: Any, check: Check, depth: int) -> Iterator[Any]:
    """The estimators in nested lists, tuples and arrays."""
    check()
    if is_estimator(value):
        yield value
    elif depth and (type(value) in (list, tuple) or type(value) is loaded('numpy').ndarray):
        for member in value:
            yield from _estimators(member, check, depth - 1)


def parameters(estimator: Any) -> dict[str, Any]:
    """What an estimator was made with."""
    fields = {} if _is(estimator, 'lightgbm', 'Booster') else _fields(estimator)
    return {name: value for name, value in fields.items() if not name.startswith('_') and not name.endswith('_')}


def is_fitted(estimator: Any) -> bool:
    """Whether an estimator has attributes of a fit."""
    return any(name.endswith('_') and not name.startswith('_') for name in _fields(estimator))


def is_estimator(value: Any) -> bool:
    kind = type(value)
    known = is_of_library(kind) and kind.__module__.partition('.')[0] in LIBRARIES
    return known and (hasattr(kind, 'get_params') or class_name(kind) == 'Booster')


def _is(value: Any, library: str, name: str) -> bool:
    kind = type(value)
    return class_name(kind) == name and is_of_library(kind) and kind.__module__.partition('.')[0] == library


def _fields(estimator: Any) -> dict[str, Any]:
    """The attributes of an object; keys that are no plain texts have methods of their own."""
    return {name: value for name, value in vars(estimator).items() if type(name) is str}


def _comparable(value: Any) -> Any:
    """A value whose description tells; arrays of different lengths become one. None if there is none."""
    np, sparse = loaded('numpy'), loaded('scipy.sparse')
    if token(value) is not OTHER or type(value) is dict or type(value) is np.ndarray:
        return value
    if sparse is not None and is_of_library(type(value)) and sparse.issparse(value):
        return value
    if type(value) is list and value and all(type(one) is np.ndarray for one in value):
        return np.concatenate([one.reshape(-1) for one in value])
    return None


def _of_tree(tree: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Facts of a tree's root; which of equally good splits it has depends on the order of columns and on the seed."""
    yield path + 'rows', int(tree.n_node_samples[0])
    yield path + 'impurity', float(tree.impurity[0])
    yield path + 'values', tree.value[0].round(9)


def _of_booster(booster: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Facts of LightGBM's trees: how many, the ranges of the features, and the rows and the mean of the first one."""
    library = type(booster)
    lines = dict(
        line.split('=', 1) for line in library.model_to_string(booster, num_iteration=1).split('\n') if '=' in line
    )
    counts, values = ([float(number) for number in lines[name].split()] for name in ('leaf_count', 'leaf_value'))
    ranges = [text.strip('[]').split(':') for text in lines['feature_infos'].split() if text.startswith('[')]
    yield path + 'trees', library.num_trees(booster)
    yield path + 'features', library.num_feature(booster)
    yield path + 'ranges', [float(end) for ends in ranges for end in ends]
    yield path + 'rows', int(sum(counts))
    weights = counts or [1.0]  # a tree that is one leaf counts no rows
    yield path + 'mean', sum(one * value for one, value in zip(weights, values, strict=True)) / sum(weights)
