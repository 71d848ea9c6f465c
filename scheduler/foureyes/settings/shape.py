"""Which keys the settings have: read off the models, so that no list of them can fall behind."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from pydantic import BaseModel

from foureyes.core.config import ReviewerConfig
from foureyes.settings.documentation import documented
from foureyes.settings.tree import KeyPath

__all__ = ["DERIVED", "Shape"]

DERIVED = ("sources", "ignored")
"""What the settings say about themselves: nobody may give it."""


_PRECEDENT = re.compile(r"([\d,]+) as in (?:the|both) references?\.")
"""Where a default comes from: for those who read the code, and not for those who read a message."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The keys below one root model; ``reviewers`` holds a table for each name."""

    root: type[BaseModel]

    def model(self, path: KeyPath) -> type[BaseModel] | None:
        """Return the model of the table at the path; None where there is no table with fixed keys."""
        if not path:
            return self.root
        if path == ("reviewers",):
            return None
        model: type[BaseModel] | None = ReviewerConfig if path[0] == "reviewers" else self.root
        for key in path[2:] if path[0] == "reviewers" else path:
            model = _table(model.model_fields[key].annotation) if model and key in model.model_fields else None
        return model

    def keys_at(self, path: KeyPath = ()) -> tuple[str, ...]:
        """Return the keys of the table at the path; none for a leaf."""
        model = self.model(path)
        return tuple(key for key in model.model_fields if path or key not in DERIVED) if model else ()

    def is_table(self, path: KeyPath) -> bool:
        """Tell whether the path leads to a table."""
        return path == ("reviewers",) or self.model(path) is not None

    def knows(self, path: KeyPath) -> bool:
        """Tell whether there is such a path; any reviewer's name will do, but for an empty one."""
        return all(path) and (path[-1] in self.keys_at(path[:-1]) or self.is_table(path))

    def is_list(self, path: KeyPath) -> bool:
        """Tell whether the value at the path is a list or a set of words."""
        return any(get_origin(part) in (tuple, frozenset) for part in _parts(self._annotation(path)))

    def meaning(self, path: KeyPath) -> str:
        """Return the first paragraph of the key's documentation, or nothing for an unknown one."""
        if path[-1] not in self.keys_at(path[:-1]):
            return ""
        model = self.model(path[:-1])
        text = documented(model).get(path[-1]) if model else None
        first = " ".join((text or "").partition("\n\n")[0].replace("``", "").split())
        return _PRECEDENT.sub(r"By default \1.", first)

    def below(self, path: KeyPath = ()) -> Iterator[KeyPath]:
        """Yield the paths of all values below a table, those of tables replaced by what is in them."""
        for key in self.keys_at(path):
            inner = (*path, key)
            if self.is_table(inner):
                yield from self.below(inner)
            else:
                yield inner

    def _annotation(self, path: KeyPath) -> Any:
        model = self.model(path[:-1])
        return model.model_fields[path[-1]].annotation if model else None


def _parts(annotation: Any) -> tuple[Any, ...]:
    return annotation, *get_args(annotation)


def _table(annotation: Any) -> type[BaseModel] | None:
    for part in _parts(annotation):
        if isinstance(part, type) and issubclass(part, BaseModel):
            return part
    return None
