"""What an operator may declare about a reviewer, and what is refused with the place and the cure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from foureyes.core.backend import AgentConfig, priced
from foureyes.core.config import MAX_REVIEWERS, EvidenceConfig, GuardConfig, ReviewerConfig, in_order
from foureyes.core.words import Severity, Trigger
from foureyes.errors import ConfigError
from foureyes.settings.documentation import documented

SECRET = "sk-Live-0123456789"


def reviewer(**settings: Any) -> ReviewerConfig:
    """Return a reviewer with these settings."""
    return ReviewerConfig(**({"name": "correctness", "use": "checks"} | settings))


def refusal(settings: dict[str, Any], model: type[BaseModel] = ReviewerConfig) -> str:
    """Return why these settings are refused: the place and the reason of each problem."""
    merged = ({"name": "correctness", "use": "checks"} if model is ReviewerConfig else {}) | settings
    with pytest.raises(ValidationError) as caught:
        model.model_validate(merged)
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in caught.value.errors())


# --- defaults ---


def test_a_reviewer_needs_a_name_and_something_that_reviews_and_nothing_else() -> None:
    made = reviewer()
    assert (made.enabled, made.interval_turns, made.max_periodic_reviews, made.max_rounds) == (True, 0, 8, 2)
    assert (made.cooldown_turns, made.timeout_seconds, made.max_attempts, made.pause_after_failures) == (3, 30.0, 2, 3)
    assert (made.guard.max_notes, made.guard.max_note_chars, made.guard.history) == (3, 2_000, 4_096)
    assert (made.guard.min_severity, made.guard.max_severity) == (Severity.NIT, Severity.BLOCKER)
    assert (made.evidence.max_messages, made.evidence.max_tools, made.evidence.max_chars) == (32, 32, 32_000)
    assert (made.fallbacks, made.triggers, made.order) == ((), None, None)


def test_there_are_at_most_four_more_eyes() -> None:
    assert MAX_REVIEWERS == 4


@pytest.mark.parametrize(("interval", "periodic"), [(0, False), (1, True)])
def test_a_reviewer_is_periodic_only_with_an_interval(interval: int, periodic: bool) -> None:
    assert reviewer(interval_turns=interval).periodic == periodic
    assert not reviewer(interval_turns=interval, triggers={Trigger.FINISH}).periodic
    assert reviewer(interval_turns=interval, triggers={Trigger.PERIODIC}).periodic == periodic


@pytest.mark.parametrize(("rounds", "at_finish"), [(0, False), (1, True), (2, True)])
def test_a_reviewer_reads_finishes_only_with_rounds(rounds: int, at_finish: bool) -> None:
    assert reviewer(max_rounds=rounds).at_finish == at_finish
    assert not reviewer(max_rounds=rounds, triggers={Trigger.PERIODIC}).at_finish
    assert reviewer(max_rounds=rounds, triggers={Trigger.FINISH}).at_finish == at_finish


# --- names, and what reviews ---


@pytest.mark.parametrize("name", ["a", "0", "correctness", "a-b", "a_b", "a_b_c", "a-", "a_", "a-_b", "9to5", "x" * 64])
def test_a_plain_name_is_taken(name: str) -> None:
    assert reviewer(name=name).name == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        "x" * 65,
        "Sec",
        "SEC",
        "a__b",
        "__a",
        "a__",
        "-a",
        "_a",
        "a b",
        "a.b",
        "a/b",
        "é",
        "a\n",
        "\na",
        "ａ",
        "a=1",
    ],
)
def test_a_name_that_env_or_a_metric_could_not_carry_is_refused(name: str) -> None:
    """Two names that differ in case only cannot both be read from env, so capitals are refused at once."""
    assert refusal({"name": name}).startswith("name: ")


@pytest.mark.parametrize("name", [None, 5, True, ["a"]])
def test_a_name_that_is_no_text_is_refused(name: object) -> None:
    assert refusal({"name": name}).startswith("name: ")


def test_what_reviews_is_given_in_exactly_one_form() -> None:
    assert "exactly one of 'use' and 'reviewer'" in refusal({"use": None})
    assert "exactly one of 'use' and 'reviewer'" in refusal({"reviewer": print})
    assert reviewer(use=None, reviewer=print).reviewer is print


@pytest.mark.parametrize("use", ["", "   ", "\n"])
def test_an_empty_use_is_refused_with_the_cure(use: str) -> None:
    assert "module:callable" in refusal({"use": use})


@pytest.mark.parametrize("thing", [5, "checks", [print], object()])
def test_what_cannot_be_called_cannot_review(thing: object) -> None:
    assert "callable" in refusal({"use": None, "reviewer": thing})


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({}, ("checks",)),
        ({"fallbacks": ["mine:review", "also:mine"]}, ("checks", "mine:review", "also:mine")),
        (
            {"use": "model", "model": "a", "fallback_models": ["b"], "fallbacks": ["checks"]},
            ("model:a", "model:b", "checks"),
        ),
        ({"use": "model", "model": "a"}, ("model",)),
        ({"use": None, "reviewer": print}, ("callable",)),
        ({"use": None, "reviewer": print, "fallbacks": ("checks",)}, ("callable", "checks")),
    ],
)
def test_what_reviews_has_names_for_the_metrics_in_the_order_of_use(
    settings: dict[str, Any], names: tuple[str, ...]
) -> None:
    assert reviewer(**settings).uses == names


# --- numbers ---

BOUNDS = [
    # model, setting, the smallest and the largest value that is taken
    (ReviewerConfig, "interval_turns", 0, 1_000_000_000),
    (ReviewerConfig, "max_periodic_reviews", 1, 1_000_000_000),
    (ReviewerConfig, "max_rounds", 0, 1_000_000_000),
    (ReviewerConfig, "cooldown_turns", 0, 1_000_000_000),
    (ReviewerConfig, "max_attempts", 1, 1_000_000_000),
    (ReviewerConfig, "pause_after_failures", 1, 1_000_000_000),
    (GuardConfig, "max_notes", 1, 32),
    (GuardConfig, "max_note_chars", 1, 2_000),
    (GuardConfig, "history", 1, 4_096),
    (EvidenceConfig, "max_messages", 1, 1_000),
    (EvidenceConfig, "max_tools", 0, 1_000),
    (EvidenceConfig, "max_chars", 100, 1_000_000),
]


@pytest.mark.parametrize(("model", "setting", "low", "high"), BOUNDS)
def test_a_number_is_taken_up_to_its_bounds_and_not_beyond(
    model: type[BaseModel], setting: str, low: int, high: int
) -> None:
    base = {"name": "correctness", "use": "checks"} if model is ReviewerConfig else {}
    taken = [getattr(model.model_validate(base | {setting: value}), setting) for value in (low, high)]
    assert taken == [low, high]
    for value in (low - 1, high + 1, -1, 10**18):
        assert refusal({setting: value}, model).startswith(f"{setting}: ")


@pytest.mark.parametrize(("model", "setting"), [bounds[:2] for bounds in BOUNDS])
@pytest.mark.parametrize("value", [True, False, 1.5, float("nan"), float("inf"), "many", "", None, [3]])
def test_what_is_no_whole_number_is_refused(model: type[BaseModel], setting: str, value: object) -> None:
    """``true`` read as 1 would make a reviewer fire after each turn."""
    assert refusal({setting: value}, model).startswith(f"{setting}: ")


@pytest.mark.parametrize(("model", "setting", "low"), [bounds[:3] for bounds in BOUNDS])
def test_a_number_may_come_as_text_as_it_does_from_env(model: type[BaseModel], setting: str, low: int) -> None:
    base = {"name": "correctness", "use": "checks"} if model is ReviewerConfig else {}
    assert getattr(model.model_validate(base | {setting: str(low + 1)}), setting) == low + 1


# --- seconds ---


@pytest.mark.parametrize(
    ("value", "seconds"),
    [(30, 30), (0.5, 0.5), ("30", 30), ("30s", 30), ("500ms", 0.5), (" 1.5 S ", 1.5), ("600000ms", 600), (600, 600)],
)
def test_a_deadline_may_name_its_unit(value: object, seconds: float) -> None:
    assert reviewer(timeout_seconds=value).timeout_seconds == pytest.approx(seconds)


@pytest.mark.parametrize(
    "value",
    [
        *(30_000, 600.001, "601s", "601000ms"),  # milliseconds taken for seconds are hours
        *(0, -1, "0s", "-1ms", 0.0),
        *(float("inf"), float("nan"), "inf", "nan", "infs", "nanms"),
        *(True, False, None, "", "s", "ms", "soon", "1m", "1h", [30]),
    ],
)
def test_a_deadline_out_of_bounds_or_out_of_reason_is_refused(value: object) -> None:
    """Seen in https://github.com/grafana/agento11y/issues/492."""
    assert refusal({"timeout_seconds": value}).startswith("timeout_seconds: ")


# --- severities and triggers ---


@pytest.mark.parametrize("word", ["concern", "CONCERN", " Concern ", Severity.CONCERN])
def test_a_severity_is_read_whatever_its_case(word: str) -> None:
    assert GuardConfig.model_validate({"min_severity": word}).min_severity is Severity.CONCERN


@pytest.mark.parametrize("word", ["", "high", "important", 2, None])
def test_an_operator_s_severity_is_one_of_three(word: object) -> None:
    assert refusal({"min_severity": word}, GuardConfig).startswith("min_severity: ")


@pytest.mark.parametrize("floor", Severity)
@pytest.mark.parametrize("ceiling", Severity)
def test_a_floor_above_the_ceiling_is_refused_since_nothing_could_pass(floor: Severity, ceiling: Severity) -> None:
    settings = {"min_severity": floor, "max_severity": ceiling}
    if floor.rank > ceiling.rank:
        assert "no note could pass" in refusal(settings, GuardConfig)
    else:
        assert GuardConfig(**settings).min_severity is floor


def test_a_trigger_that_does_not_exist_is_refused() -> None:
    assert refusal({"triggers": ["always"]}).startswith("triggers.0: ")


@pytest.mark.parametrize("trigger", sorted(set(Trigger) - {Trigger.PERIODIC, Trigger.FINISH}))
def test_a_trigger_that_nothing_pulls_is_refused(trigger: Trigger) -> None:
    assert refusal({"triggers": [trigger, Trigger.FINISH]}).startswith("triggers: ")


@pytest.mark.parametrize("fallback", ["", "  "])
def test_an_empty_fallback_is_refused(fallback: str) -> None:
    assert refusal({"fallbacks": ["model", fallback]}).startswith("fallbacks: ")


# --- every setting ---


def models() -> Iterator[type[BaseModel]]:
    """Yield what an operator can write."""
    yield from (ReviewerConfig, GuardConfig, EvidenceConfig)


@pytest.mark.parametrize("model", list(models()))
def test_a_misspelt_setting_is_refused_by_name(model: type[BaseModel]) -> None:
    assert refusal({"intervall_turns": 3}, model).startswith("intervall_turns: ")


@pytest.mark.parametrize("model", list(models()))
def test_every_setting_says_what_it_means(model: type[BaseModel]) -> None:
    assert set(model.model_fields) - {name for name, text in documented(model).items() if text} == set()


def test_a_declared_reviewer_cannot_be_changed_afterwards() -> None:
    made = reviewer()
    for part, setting, value in ((made, "name", "x"), (made.guard, "max_notes", 5), (made.evidence, "max_tools", 5)):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(part, setting, value)


@pytest.mark.parametrize(
    "setting",
    ["name", "enabled", "interval_turns", "timeout_seconds", "triggers", "guard", "evidence", "order", "base_url"],
)
def test_a_refusal_never_repeats_the_value(setting: str) -> None:
    """A key that was pasted into the wrong line must not end up in a log."""
    with pytest.raises(ConfigError) as caught:
        reviewer(**{setting: SECRET})
    assert setting in str(caught.value)
    assert SECRET not in str(caught.value)


def test_a_key_is_not_shown_where_the_settings_are() -> None:
    made = reviewer(api_key=SECRET)
    assert SECRET not in repr(made) + str(made) + made.model_dump_json()
    assert made.api_key is not None
    assert made.api_key.get_secret_value() == SECRET


@pytest.mark.parametrize(
    ("use", "given", "problem"),
    [
        ("checks", {"model": "m"}, "'model' is only read by use = 'model'"),
        ("model", {"model": "m", "command": ["x"]}, "'command' is only read by use = 'command'"),
        ("command", {"command": ["x"], "instructions": "Be kind."}, "'instructions' is only read by use = 'model'"),
    ],
)
def test_a_setting_that_nothing_in_use_reads_is_refused(use: str, given: dict[str, object], problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        reviewer(use=use, **given)


def test_all_that_does_not_fit_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        reviewer(use="model", command=["x"], checks=["stalled"], environment=["X"])
    for problem in ("needs 'model'", "'command' is only", "'checks' is only", "'environment' is only"):
        assert problem in str(caught.value)


@pytest.mark.parametrize("bound", ["usd_per_request", "usd_per_session"])
@pytest.mark.parametrize(
    ("prices", "unknown"),
    [((), "'m' and 'n'"), (("m=1/2",), "'n'"), (("n=1/2", "other=1/2"), "'m'")],
)
def test_a_budget_in_dollars_of_a_model_without_a_price_is_refused(
    bound: str, prices: tuple[str, ...], unknown: str
) -> None:
    """The cost of its reviews would be unknown, which fits into no budget: it would never be called."""
    problem = f"a budget in US dollars needs a price for {unknown}; add it to 'prices'"
    given = {"model": "m", "fallback_models": ["n"], "budget": {bound: 1.0}, "prices": prices}
    for uses in (
        {"use": "model"},
        {"use": "checks", "fallbacks": ["model"]},
        {"use": "mine:own", "fallbacks": ["model"]},
    ):
        with pytest.raises(ConfigError, match=problem):
            reviewer(**uses, **given)


def test_a_budget_in_tokens_or_of_models_that_all_have_a_price_is_accepted() -> None:
    assert reviewer(use="model", model="m", budget={"tokens_per_request": 9}).budget.in_usd is False
    priced_models = {"model": "m", "fallback_models": ["n"], "prices": ["m=1/2", "n=0/0"]}
    assert reviewer(use="model", budget={"usd_per_request": 0}, **priced_models).budget.in_usd
    assert reviewer(use="mine:own", model="m", budget={"usd_per_request": 1}).budget.in_usd


def test_a_reviewer_of_ones_own_may_read_every_setting_and_a_default_is_no_setting() -> None:
    assert reviewer(use="mine:made", model="m").model == "m"
    assert reviewer(use="checks", model=None, command=()).command == ()


@pytest.mark.parametrize(
    ("text", "model", "price"),
    [
        ("m=1/2", "m", (1.0, 1.0, 2.0)),
        ("a/b:c=0.5/0.05/4", "a/b:c", (0.5, 0.05, 4.0)),
        ("x=y=1/2/3", "x=y", (1.0, 2.0, 3.0)),
        (" free=0/0 ", "free", (0.0, 0.0, 0.0)),
    ],
)
def test_a_price_is_read_per_million_tokens(text: str, model: str, price: tuple[float, float, float]) -> None:
    name, found = priced(text)
    assert (name, (found.input, found.cached, found.output)) == (model, price)


@pytest.mark.parametrize("text", ["", "m", "m=", "m=1", "=1/2", "m=a/b", "m=1/2/3/4", "m=-1/2", "m=1.2.3/4"])
def test_a_price_that_is_none_is_refused_with_its_form(text: str) -> None:
    with pytest.raises(ConfigError, match="MODEL=INPUT"):
        reviewer(use="model", model="m", prices=[text])


@pytest.mark.parametrize(
    "url",
    [
        "localhost:8000",
        "ftp://host/",
        "http://",
        "file:///etc/passwd",
        "https://me:pw@host/v1",
        "http://host:99999",
        "http://a b/",
        "http://[",
        "http://h:x",
    ],
)
def test_an_address_that_is_none_or_holds_a_password_is_refused(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        reviewer(use="model", model="m", base_url=url)
    assert "pw" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["http://h/v1?token=pw", "http://h/v1?", "http://h/?a#b", "http://h/v1#pw", "http://h#"]
)
def test_an_address_of_a_model_with_a_query_or_a_fragment_is_refused(url: str) -> None:
    """The client puts its path behind it, and its log shows it."""
    for make in (lambda: reviewer(use="model", model="m", base_url=url), lambda: AgentConfig(base_url=url)):
        with pytest.raises(ConfigError, match=r"holds a (query; give the key as 'api_key'|fragment)") as caught:
            make()
        assert "pw" not in str(caught.value)


def test_an_address_of_a_remote_reviewer_may_hold_a_query_and_no_fragment() -> None:
    assert reviewer(use="remote", base_url="http://h/?team=a").base_url == "http://h/?team=a"
    with pytest.raises(ConfigError, match="holds a fragment"):
        reviewer(use="remote", base_url="http://h/#a")


def test_each_model_is_asked_once_however_often_it_is_named() -> None:
    one = reviewer(use="model", model="a", fallback_models=("b", "a", "b", "c"))
    assert one.uses == ("model:a", "model:b", "model:c")
    assert one.models == ("a", "b", "c")


def test_each_reviewer_is_asked_once_however_often_it_is_named() -> None:
    one = reviewer(use="m:a", fallbacks=("m:b", " m:a", "m:b ", "checks"))
    assert one.uses == ("m:a", "m:b", "checks")


def test_a_callable_is_not_shown_where_the_settings_are() -> None:
    def secretive() -> None:
        """Review nothing."""

    assert "secretive" not in repr(reviewer(use=None, reviewer=secretive))


# --- order ---


def test_reviewers_come_by_their_order_and_then_by_name() -> None:
    configs = [
        reviewer(name="zeta", order=1),
        reviewer(name="beta"),
        reviewer(name="alpha"),
        reviewer(name="early", order=-1),
        reviewer(name="nought", order=0),
        reviewer(name="also-one", order=1),
    ]
    expected = ["early", "nought", "also-one", "zeta", "alpha", "beta"]
    assert [one.name for one in in_order(tuple(configs))] == expected
    assert [one.name for one in in_order(tuple(reversed(configs)))] == expected


# --- made in code ---


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"timeout_seconds": 0}, "ReviewerConfig one: timeout_seconds: must be greater than 0"),
        ({"timout": 3}, "ReviewerConfig one: timout: is not known; did you mean timeout_seconds?"),
        ({"xyz": 3}, "ReviewerConfig one: xyz: is not known; leave it out"),
        ({"guard": {"max_nots": 3}}, "ReviewerConfig one: guard.max_nots: is not known; did you mean max_notes?"),
        ({"guard": {"max_notes": 33}}, "ReviewerConfig one: guard.max_notes: must be less than or equal to 32"),
        ({"use": None}, "ReviewerConfig one: needs exactly one of 'use' and 'reviewer'"),
        ({"fallbacks": "checks"}, "ReviewerConfig one: fallbacks: must be a list of strings"),
        ({"triggers": ["often"]}, "ReviewerConfig one: triggers: must be of 'finish' and 'periodic'"),
        (
            {"triggers": ["manual"]},
            "ReviewerConfig one: triggers: must be of 'finish' and 'periodic': nothing else calls a reviewer",
        ),
        (
            {"name": "One two"},
            "ReviewerConfig: name: must be 1 to 64 of a-z, 0-9, '-' and single '_', and begin with a letter or digit",
        ),
    ],
)
def test_what_cannot_be_in_code_is_refused_with_the_field_and_the_cure(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ReviewerConfig(**({"name": "one", "use": "checks"} | given))
    assert caught.value.problems == (problem,)


def test_every_problem_of_a_reviewer_is_told_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        ReviewerConfig(name="one", use="checks", max_rounds=-1, order="x")
    assert [problem.split(": ")[1] for problem in caught.value.problems] == ["max_rounds", "order"]


def test_a_field_that_is_missing_is_named() -> None:
    with pytest.raises(ConfigError) as caught:
        ReviewerConfig(use="checks")  # type: ignore[call-arg]
    assert caught.value.problems == ("ReviewerConfig: name: must be given",)


@pytest.mark.parametrize("model", list(models()), ids=lambda model: model.__name__)
def test_every_part_of_the_settings_refuses_in_the_same_way(model: type[BaseModel]) -> None:
    with pytest.raises(ConfigError, match=f"{model.__name__}: {SECRET}x: is not known") as caught:
        model(**{f"{SECRET}x": SECRET})
    told = "".join(caught.value.problems).replace(f"{SECRET}x", "")
    assert SECRET not in told


def test_nothing_leads_from_a_refusal_to_the_value() -> None:
    with pytest.raises(ConfigError) as caught:
        reviewer(timeout_seconds=SECRET)
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)


def test_a_table_is_validated_with_the_error_of_pydantic() -> None:
    """What reads settings tells where each value came from, which only it knows."""
    with pytest.raises(ValidationError):
        ReviewerConfig.model_validate({"name": "one", "use": "checks", "guard": {"max_notes": 0}})
