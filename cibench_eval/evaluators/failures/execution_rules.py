"""Rules of `categories` for code that did not run to its end: each takes a failed step and returns a finding or None.

They know the messages of CPython 3.8 to 3.13 and of the libraries of the benchmark. `result_rules.py` has the rules
for code that ran.
"""

import difflib
import keyword
import math
import re
import sys
from collections.abc import Iterable

from cibench_eval.evaluators.comparing.numbers import CJK_SIGN
from cibench_eval.evaluators.failures.evidence import Diagnosis, FailedStep
from cibench_eval.evaluators.failures.result_rules import FUNCTION
from cibench_eval.schema import INTERPRETER

ALIASES = {
    'pd', 'np', 'plt', 'sns', 'cv2', 'tf', 'torch', 'nn', 'F', 'sp', 'stats', 'lgb', 'nltk', 'sklearn', 'scipy',
    'keras', 'mpl', 'matplotlib', 'pandas', 'numpy', 'seaborn', 'statsmodels', 'sm', 'xgb', 'Image', 'gensim', 'spacy',
}  # fmt: skip
"""Names that stand for a library wherever they are used."""
BUILTIN_TYPES = {
    'int', 'float', 'str', 'list', 'dict', 'tuple', 'set', 'bool', 'NoneType', 'function', 'method', 'generator',
    'builtin_function_or_method', 'range', 'bytes', 'complex', 'map', 'zip', 'type',
}  # fmt: skip
SESSION_OVER = 'session_limit'
SYNTAX = {'SyntaxError', 'IndentationError', 'TabError', 'UsageError'}
MEMORY = {'MemoryError', '_ArrayMemoryError', 'RecursionError', 'OutOfMemoryError', 'ResourceExhaustedError'}
NO_MEMORY = re.compile("can't allocate memory|not enough memory|[Oo]ut of memory|Unable to allocate")
"""Messages about memory, of torch's RuntimeErrors, too."""
OTHER_SIZES = re.compile(
    r'must match the (?:size|existing)|shapes? cannot be multiplied|size mismatch|shape mismatch|'
    r'the same (?:rank|shape|size|length|first dimension)|Dimension out of range|not broadcastable|'
    r'inconsistent tensor size'
)
"""Messages of torch's RuntimeErrors about data in a wrong form."""
PACKAGES = {
    'adjustText', 'altair', 'arch', 'arviz', 'astropy', 'bokeh', 'bs4', 'cartopy', 'catboost', 'category_encoders',
    'cupy', 'cv2', 'cvxpy', 'dask', 'datasets', 'docx', 'duckdb', 'eli5', 'emoji', 'fastai', 'flask', 'folium',
    'fuzzywuzzy', 'gensim', 'geopandas', 'geopy', 'ggplot', 'gym', 'h5py', 'hmmlearn', 'holoviews', 'imageio',
    'imblearn', 'IPython', 'ipywidgets', 'jax', 'jieba', 'joypy', 'keras', 'langdetect', 'lifelines', 'lightgbm',
    'lightning', 'lime', 'lxml', 'missingno', 'mlxtend', 'modin', 'mplcursors', 'networkx', 'nltk', 'numba',
    'numexpr', 'openpyxl', 'optuna', 'ortools', 'pandas_profiling', 'patsy', 'pgmpy', 'pingouin', 'plotly',
    'plotnine', 'pmdarima', 'polars', 'prophet', 'pulp', 'pyarrow', 'pycaret', 'pydantic', 'pygwalker', 'pymc',
    'pyproj', 'pyspark', 'pytesseract', 'pywt', 'rapidfuzz', 'rasterio', 'requests', 'ruptures', 'scikit_posthocs',
    'seaborn', 'selenium', 'sentence_transformers', 'shap', 'shapely', 'simpy', 'skimage', 'sklearn', 'sktime',
    'spacy', 'sqlalchemy', 'squarify', 'statsmodels', 'streamlit', 'sympy', 'tables', 'tabulate', 'tensorflow',
    'tensorflow_datasets', 'tensorflow_hub', 'textblob', 'tokenizers', 'torch', 'torchaudio', 'torchvision', 'tqdm',
    'transformers', 'tsfresh', 'ucimlrepo', 'umap', 'vaderSentiment', 'wordcloud', 'xarray', 'xgboost', 'xlrd',
    'xlsxwriter', 'yaml', 'ydata_profiling', 'yellowbrick', 'yfinance',
}  # fmt: skip
"""Import names of published packages that a kernel environment may lack."""
NOT_THERE = {
    'FileNotFoundError', 'HTTPError', 'URLError', 'ConnectionError', 'gaierror', 'NotADirectoryError', 'LookupError',
    'UnidentifiedImageError', 'IsADirectoryError',
}  # fmt: skip
BAD_VALUE = {
    'ValueError', 'IndexError', 'KeyError', 'ZeroDivisionError', 'OverflowError', 'FloatingPointError', 'LinAlgError',
    'IndexingError', 'InvalidIndexError', 'NotFittedError', 'EmptyDataError', 'ParserError', 'UnicodeDecodeError',
    'OutOfBoundsDatetime', 'DateParseError', 'DTypePromotionError', 'StopIteration', 'AssertionError', 'error',
    'SpecificationError', 'DataError', 'InvalidArgumentError', 'MergeError', 'IntCastingNaNError', 'AxisError',
}  # fmt: skip
UNKNOWN_VALUE = re.compile(
    r'is not a valid|not a valid value|supported values|must be one of|[Uu]nrecognized|not recognized|'
    r'[Uu]nknown (?!label type|format code|categor)|is not a known|not understood|not a registered|does not name a|'
    r'[Ii]nvalid (?:argument|value|option|property|RGBA|frequency)|is not supported'
)
"""Messages about an argument that exists and a value that does not."""
NO_COLUMN = re.compile(
    r'[Cc]olumns? not found|not in index|not found in axis|None of \[|Missing column|not in list|'
    r'Could not interpret (?:value|input) |columns expected but not found|is not (?:a column of|the name of a column)'
)
FRAME = re.compile(r'^(?:File|Cell In|Input In)\b.*', re.M)
"""The head of a frame in a traceback of IPython."""
NOT_INSTALLED = re.compile('Missing optional dependency|Unable to find a usable engine')
"""Messages of pandas about packages that it needs."""
NOT_NUMBERS = re.compile(
    'could not convert|agg function failed|cannot perform|unsupported dtype|does not support', re.IGNORECASE
)
ATTRIBUTE = re.compile(r"^(?:(module|type object) )?'([\w.]+)'(?: object)? has no attribute '(\w+)'")
QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"")


def near(name: str, names: Iterable[str]) -> str:
    """What the gold code has that is near; empty if nothing is."""
    known = set(names)
    if name in known:
        return '; the gold code has it: see its earlier steps'
    found = difflib.get_close_matches(name[:100], sorted(known), n=2, cutoff=0.5)
    return f'; nearest in the gold code: {", ".join(map(repr, found))}' if found else ''


# What kept the code from running.


def session_over(case: FailedStep) -> Diagnosis | None:
    if case.execution or (case.attempt and not case.ended):
        return None
    return Diagnosis(SESSION_OVER, case.ended or 'the step was never asked')


def overflow(case: FailedStep) -> Diagnosis | None:
    if case.attempt is None or case.attempt.reply.finish_reason != 'context_overflow':
        return None
    return Diagnosis('context_overflow', case.attempt.action.problem or 'the conversation is too long')


def truncated(case: FailedStep) -> Diagnosis | None:
    if case.attempt is None or not case.attempt.reply.cut:
        return None
    where = 'at its limit' if case.attempt.reply.finish_reason == 'length' else 'by a content filter'
    if case.execution is None:
        return Diagnosis('truncated', f'the reply was cut {where} before its code ended')
    name, value = case.error
    return Diagnosis('truncated', f'the reply was cut {where}; {value}') if name in SYNTAX else None


def not_called(case: FailedStep) -> Diagnosis | None:
    if case.attempt is None or case.execution is not None:
        return None
    action, reply, text = case.attempt.action, case.attempt.reply, case.attempt.reply.text
    if action.final:
        return Diagnosis('no_tool_call', f'answered without running code: {action.argument[:200]!r}')
    malformed = reply.finish_reason == 'malformed_function_call'
    if malformed or action.tool or '```' in text or INTERPRETER in text or reply.tool_calls:
        return Diagnosis('wrong_format', action.problem or 'the code stands in no call')
    return Diagnosis('no_tool_call', f'no call in the reply: {text[:200]!r}')


# What ended the code.


def timed_out(case: FailedStep) -> Diagnosis | None:
    run = case.execution
    return Diagnosis('timeout', f'no end after {run.seconds:.0f} s') if run and run.status == 'timeout' else None


def died(case: FailedStep) -> Diagnosis | None:
    name, value = case.error
    dead = case.execution is not None and case.execution.status == 'kernel_died'
    if name in MEMORY or (name == 'RuntimeError' and NO_MEMORY.search(value)) or (dead and 'memory' in value):
        return Diagnosis('memory', case.said)
    return Diagnosis('kernel_died', value or 'the kernel process ended') if dead else None


def is_prose(source: str) -> bool:
    """Whether the first line is a sentence: nearly only words, and the first is no keyword of Python."""
    line = next(iter(source.strip().splitlines()), '')
    words = line.split()
    chinese = len(CJK_SIGN.findall(line)) > 5 and not re.search(r'[=#("\']', line)
    plain = len(words) > 4 and all(re.fullmatch(r"\w[\w-]*(?:['’]\w+)?[,.;:]?", word) for word in words)
    return chinese or (plain and not keyword.iskeyword(words[0]))


def not_python(case: FailedStep) -> Diagnosis | None:
    if case.error[0] not in SYNTAX:
        return None
    if is_prose(case.source):
        return Diagnosis('wrong_format', f'words where code belongs: {case.source.strip()[:100]!r}')
    return Diagnosis('syntax', case.said)


def asks_user(case: FailedStep) -> Diagnosis | None:
    name, _ = case.error
    asks = name == 'StdinNotImplementedError' or (name == 'EOFError' and 'input' in case.code.calls)
    return Diagnosis('asks_user', 'calls input()') if asks else None


def is_library(word: str, case: FailedStep) -> bool:
    """Whether a name is a library's by custom, by gold code or question, or by its use."""
    imported = {alias for code in case.gold_codes for alias in code.aliases}
    named = {found[1] for found in FUNCTION.finditer(case.step.question)} & case.gold.calls - case.session_data
    if word in ALIASES | imported | named:
        return True
    if word in sys.stdlib_module_names and f'{word}.' in case.source:
        return True
    called = case.code.calls.union(*(facts.calls for past in case.past for facts in past.tried))
    return word in called and (word in dir(math) or re.match('[A-Z][a-z]+[A-Z]', word) is not None)


def undefined(case: FailedStep) -> Diagnosis | None:
    name, value = case.error
    quoted = QUOTED.search(value)
    if name != 'NameError' or not quoted:
        return None
    word = quoted[1] or quoted[2] or ''
    if is_library(word, case):
        return Diagnosis('import', f'{value}: used without an import', missing=word)
    return Diagnosis('undefined_name', value + near(word, case.session_data), missing=word)


def no_module(case: FailedStep) -> Diagnosis | None:
    name, value = case.error
    if name not in ('ModuleNotFoundError', 'ImportError'):
        return None
    lacking = re.fullmatch(r"No module named '(\w+)'", value)
    real = NOT_INSTALLED.search(value) or (lacking and lacking[1] in PACKAGES)
    return Diagnosis('missing_package' if real else 'unknown_module', value)


def no_file(case: FailedStep) -> Diagnosis | None:
    """Also finds the None that OpenCV returns for an unreadable file, if the code goes on with it."""
    name, value = case.error
    files = {file for code in case.gold_codes for file in code.read}
    if name in NOT_THERE or 'No such file' in value or 'Unable to open' in value:
        path = next((found[1] or found[2] or '' for found in QUOTED.finditer(value)), '')
        return Diagnosis('missing_file', case.said + near(path, files), missing=path)
    if name and ("'NoneType'" in value or '.empty()' in value):
        tried = [facts for past in case.past for facts in past.ran if facts.data & case.code.loaded] + [case.code]
        wrong = sorted({file for facts in tried if 'imread' in facts.calls for file in facts.read} - files)
        for file in wrong[:1]:
            return Diagnosis('missing_file', f'imread gave None for {file!r}' + near(file, files), missing=file)
    return None


def no_column(case: FailedStep) -> Diagnosis | None:
    name, value = case.error
    column = next(iter(re.findall(r"['`]([^'`]*)['`]", value)), '')
    traceback = case.execution.error.traceback if case.execution and case.execution.error else ''
    raised = (FRAME.findall(traceback) or [traceback])[-1]
    of_table = 'pandas' in raised or name == 'UndefinedVariableError' or NO_COLUMN.search(value) is not None
    attribute = ATTRIBUTE.match(value)
    if (
        attribute
        and attribute[2] in ('DataFrame', 'DataFrameGroupBy')
        and attribute[3] in case.code.attributes - case.code.calls
    ):
        column, of_table, name = attribute[3], True, 'KeyError'
    if not (of_table and (name in ('KeyError', 'UndefinedVariableError') or NO_COLUMN.search(value))):
        return None
    column = column.removeprefix('Column not found: ')
    names = {text for code in case.gold_codes for text in code.literals if isinstance(text, str)}
    return Diagnosis('missing_column', f'{name}: {value}' + near(column, names), missing=column)


def no_argument(case: FailedStep) -> Diagnosis | None:
    found = re.search('unexpected keyword argument|invalid keyword|has no property', case.error[1])
    return Diagnosis('unknown_argument', case.said) if found else None


def no_attribute(case: FailedStep) -> Diagnosis | None:
    name, value = case.error
    found = ATTRIBUTE.match(value)
    if name != 'AttributeError' or not found:
        return None
    if any(found[3] == text for text in case.code.literals):
        return Diagnosis('unknown_value', case.said)
    if not found[1] and found[3] in case.gold.attributes and found[2] not in BUILTIN_TYPES:
        return Diagnosis('bad_value', f'{case.said}; the gold code uses it on data of another form')
    own = found[2] in BUILTIN_TYPES or found[2] in case.code.bound or found[3] not in case.code.attributes
    return Diagnosis('type' if own else 'unknown_attribute', case.said)


def no_value(case: FailedStep) -> Diagnosis | None:
    name, value = case.error
    found = name == 'InvalidParameterError' or (name and name != 'TypeError' and UNKNOWN_VALUE.search(value))
    return Diagnosis('unknown_value', case.said) if found else None


def refused(case: FailedStep) -> Diagnosis | None:
    """Any other exception, by its class."""
    name, value = case.error
    if not name:
        return None
    cause = 'type' if name in ('TypeError', 'AttributeError') else 'exception'
    patterns = {'RuntimeError': OTHER_SIZES, 'TypeError': NOT_NUMBERS}
    if name == 'AttributeError' and 'removed' in value:
        cause = 'unknown_attribute'
    elif 'format code' in value or re.search(r'missing (?:\d+ )?required', value):
        cause = 'type'
    elif name in BAD_VALUE or (name in patterns and patterns[name].search(value)):
        cause = 'bad_value'
    return Diagnosis(cause, case.said)
