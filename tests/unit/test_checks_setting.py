"""Which checks run: the setting ``checks``."""

from __future__ import annotations

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.errors import ConfigError
from foureyes.loading import built
from foureyes_reviewers.checks import CHECKS, ChecksReviewer, reviewer

ALL = [check.name for check in CHECKS]


def chosen(*checks: str) -> list[str]:
    """Return the names of the checks that a reviewer with this setting runs."""
    made = built("checks", ReviewerConfig(name="r", use="checks", checks=checks))
    assert isinstance(made, ChecksReviewer)
    return [check.name for check in made.checks]


def test_without_the_setting_all_checks_run() -> None:
    assert chosen() == ALL == [check.name for check in reviewer.checks]


def test_named_checks_run_in_the_order_of_all_whatever_the_order_of_the_names() -> None:
    assert chosen(ALL[3], ALL[1]) == [ALL[1], ALL[3]]


def test_checks_with_a_dash_in_front_are_left_out() -> None:
    assert chosen(f"-{ALL[0]}", f" - {ALL[2]} ") == [name for name in ALL if name not in (ALL[0], ALL[2])]


def test_an_unknown_check_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(ConfigError, match="'repeated-calls', which is no check; did you mean repeated-call"):
        chosen("repeated-calls")


def test_leaving_out_every_check_is_refused() -> None:
    with pytest.raises(ConfigError, match="leaves no check to run"):
        chosen(*(f"-{name}" for name in ALL))


def test_naming_and_leaving_out_at_once_is_refused() -> None:
    with pytest.raises(ConfigError, match="not both"):
        ReviewerConfig(name="r", use="checks", checks=(ALL[0], f"-{ALL[1]}"))


def test_a_reviewer_of_another_kind_has_no_checks() -> None:
    with pytest.raises(ConfigError, match="'checks' is only read by use = 'checks'"):
        ReviewerConfig(name="r", use="command", command=("x",), checks=(ALL[0],))
