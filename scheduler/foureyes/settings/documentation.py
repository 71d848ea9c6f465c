"""What the settings mean, read from the strings under their fields, and only where somebody asks.

Pydantic can read them too, but does so for every process that imports a model, at a tenth of the import's time.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from textwrap import dedent

from pydantic import BaseModel

__all__ = ["documented"]


@cache
def documented(model: type[BaseModel]) -> Mapping[str, str]:
    """Return the documentation of each field, inherited ones too; without those whose source is not at hand."""
    found: dict[str, str] = {}
    for parent in reversed(model.__mro__):
        if parent is not BaseModel and issubclass(parent, BaseModel):
            found |= _own(parent)
    return found


def _own(model: type[BaseModel]) -> Mapping[str, str]:
    try:
        tree = ast.parse(dedent(inspect.getsource(model)))
    except (OSError, SyntaxError):
        return {}
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    return {
        field.target.id: inspect.cleandoc(text.value.value)
        for field, text in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
        and isinstance(text.value.value, str)
    }
