"""What one source of settings says."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from foureyes.settings.names import Stranger
from foureyes.settings.roster import named
from foureyes.settings.tree import Found, Tree

__all__ = ["Layer", "layered"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """The values of one source, and what is wrong with it."""

    tree: Tree = field(default_factory=dict)
    """The values; reviewers by name."""
    places: Tree = field(default_factory=dict)
    """The order that follows from a reviewer's place in a list; weaker than an ``order`` from any source."""
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    unknown: tuple[Stranger, ...] = ()


def layered(layer: Layer, *, source: str) -> Layer:
    """Return the layer with its reviewers by name, whether they came as a table, a list or numbered."""
    reviewers = layer.tree.get("reviewers", {})
    if isinstance(reviewers, Found):
        rest = {key: below for key, below in layer.tree.items() if key != "reviewers"}
        problem = f"reviewers ({reviewers.source}): must be a table keyed by name, or a list of tables with a name"
        return replace(layer, tree=rest, problems=(*layer.problems, problem))
    roster = named(reviewers, source)
    tree = {**layer.tree, "reviewers": roster.tables}
    return replace(layer, tree=tree, places={"reviewers": roster.places}, problems=(*layer.problems, *roster.problems))
