"""nbformat and jupytext, without what takes most of the time of their import.

Import this where it is needed, since most commands read no notebook by these libraries.
"""

import sys

# jsonschema, by which nbformat checks notebooks, imports this where it is installed: it builds a grammar of addresses,
# and a notebook has no field that it would check.
sys.modules.setdefault('rfc3987_syntax', None)  # type: ignore[arg-type]

import jupytext  # noqa: E402
import nbformat  # noqa: E402
import nbformat.warnings  # noqa: E402

__all__ = ['jupytext', 'nbformat']
