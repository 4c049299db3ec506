"""The libraries of experiments and the paper's module categories (arXiv 2407.10499, Table 1)."""

CATEGORIES = {
    'manipulation': ('pandas',),
    'visualization': ('matplotlib', 'seaborn'),
    'modeling': ('lightgbm', 'pytorch', 'sklearn', 'tensorflow'),
    'language': ('nltk',),
    'images': ('opencv',),
    'mathematics': ('scipy',),
}
"""Category -> the folders of its libraries, as OpenCompass's summary groups combine them: data manipulation, data
visualization, modeling, natural language processing, image processing, mathematics."""


def library_of(experiment: str) -> str:
    """The library of an experiment: the folder in its id, `pandas` of `pandas/penguins`; empty without a folder."""
    return experiment.split('/')[-2] if '/' in experiment else ''


def category_of(library: str) -> str:
    """The module category of a library; empty for a library that the paper does not have."""
    return next((name for name, libraries in CATEGORIES.items() if library in libraries), '')


def part_of(experiment: str) -> str:
    """The module category of an experiment, else its library; empty without a folder."""
    library = library_of(experiment)
    return category_of(library) or library
