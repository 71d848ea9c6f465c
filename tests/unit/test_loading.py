"""What a ``use`` may name, and what is said where it cannot be loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from foureyes.errors import ConfigError
from foureyes.loading import load

Install = Callable[..., None]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Callable[[str], str]:
    """Return what writes an importable module; it tells the module's name, which no other test uses."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(text: str) -> str:
        name = f"module_of_{abs(hash(request.node.nodeid))}"
        (tmp_path / f"{name}.py").write_text(text)
        return name

    return write


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return what makes an installed package out of its name and the reviewers that it offers."""

    def installed(package: str, **offers: str) -> None:
        folder = tmp_path / package / f"{package}-1.0.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = "".join(f"{name} = {value}\n" for name, value in offers.items())
        (folder / "entry_points.txt").write_text(f"[foureyes.reviewers]\n{lines}")
        monkeypatch.syspath_prepend(str(tmp_path / package))

    return installed


def refusal(use: str) -> str:
    """Return what is said of a name that cannot be loaded."""
    with pytest.raises(ConfigError) as caught:
        load(use)
    [problem] = caught.value.problems
    return problem


@pytest.mark.parametrize("name", ["review", "Kind.review", "instance"])
def test_a_module_and_a_callable_in_it_are_loaded(name: str, module: Callable[[str], str]) -> None:
    text = "def review(review): ...\nclass Kind:\n    review = staticmethod(review)\n    def __call__(self, r): ...\n"
    assert callable(load(f"{module(text + 'instance = Kind()')}:{name}"))


def test_an_offered_name_is_loaded(install: Install) -> None:
    install("acme", sharp="json:dumps")
    assert load(" sharp ").__name__ == "dumps"


def test_the_same_offer_twice_is_one_offer(install: Install) -> None:
    install("acme", sharp="json:dumps")
    install("acme_editable", sharp="json:dumps")
    assert load("sharp").__name__ == "dumps"


def test_two_different_offers_under_one_name_are_refused(install: Install) -> None:
    install("acme", sharp="json:dumps")
    install("apex", sharp="json:loads")
    assert refusal("sharp") == ("use 'sharp' is offered by json:dumps and json:loads; write one of these instead")


def test_an_unknown_name_is_refused_with_the_nearest_known_one(install: Install) -> None:
    install("acme", sharpness="json:dumps")
    said = refusal("sharpnes")
    assert said.startswith("use 'sharpnes' is offered by no installed package; known are ")
    assert said.endswith("; did you mean sharpness?")


def test_what_an_import_raises_is_told_by_type_and_message() -> None:
    assert refusal("no_such_package.reviews:sec") == (
        "use 'no_such_package.reviews:sec' cannot be loaded: ModuleNotFoundError: No module named 'no_such_package'; "
        "correct the name, or what it imports"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("def broken(:", "SyntaxError: "),
        ("raise ValueError('a\\n  b')", "ValueError: a b"),
        ("raise ValueError('x' * 1000)", "ValueError: xxxx"),
        ("", "AttributeError: "),
    ],
)
def test_nothing_but_a_config_error_gets_out_of_a_module_that_breaks(
    text: str, said: str, module: Callable[[str], str]
) -> None:
    problem = refusal(f"{module(text)}:review")
    assert f"cannot be loaded: {said}" in problem
    assert len(problem) < 400


@pytest.mark.parametrize("use", [":", ":review", "json:", "json:dumps:loads", "json:dumps.", "a b:c", "..x:y", ""])
def test_a_name_that_makes_no_sense_is_refused(use: str) -> None:
    assert refusal(use).startswith(f"use {use!r} ")


def test_a_class_is_refused_as_it_would_only_be_built() -> None:
    assert refusal("json:JSONDecoder") == (
        "use 'json:JSONDecoder' is a class; name a function, or an instance that can be called"
    )


def test_what_cannot_be_called_is_refused() -> None:
    assert refusal("json:__name__").startswith("use 'json:__name__' is not callable; ")
