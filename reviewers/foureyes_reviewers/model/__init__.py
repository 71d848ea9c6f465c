"""The reviewer that asks a language model."""

from __future__ import annotations

from foureyes_reviewers.model.adapters import from_langchain, from_pydantic_ai
from foureyes_reviewers.model.factory import ModelFactory
from foureyes_reviewers.model.model_reviewer import ModelReviewer

__all__ = ["ModelReviewer", "from_langchain", "from_pydantic_ai", "reviewer"]

reviewer = ModelFactory()
"""What ``use = "model"`` names."""
