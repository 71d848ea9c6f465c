"""Drawn secrets that look a little like something else: the end of a word, a type, a sentence."""

from __future__ import annotations

import random
import string

import pytest

from .growth import assert_linear
from .secrets_planted import BY_FORM, TOKENS, leaks

_LETTERS, _DRAWN = string.ascii_letters, string.ascii_letters + string.digits
_DISCORD = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2F§MQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs".replace("§", "")


def _drawn(seed: int, length: int, letters: str = _DRAWN) -> str:
    return "".join(random.Random(seed).choices(letters, k=length))


@pytest.mark.parametrize("around", ["-@", "\n-@\n+x", "--@", "_@", "call_@", "session-@", "a.b-@."])
@pytest.mark.parametrize("maker", TOKENS)
def test_a_token_goes_behind_the_marks_of_a_diff_and_of_a_name(maker: str, around: str) -> None:
    token = TOKENS[maker]
    assert not leaks(token.removeprefix("github_pat_"), BY_FORM.redacted(around.replace("@", token)))


@pytest.mark.parametrize("around", ["@", "@.", "@. Next", "-@.\n", "use @, or"])
def test_the_token_of_a_bot_goes_at_the_end_of_a_sentence(around: str) -> None:
    assert not leaks(_DISCORD.rpartition(".")[2], BY_FORM.redacted(around.replace("@", _DISCORD)))


@pytest.mark.parametrize("seed", range(200))
@pytest.mark.parametrize(
    "around", ["x-api-key: @", "aws_secret_access_key = @", "//host/:_authToken=@", '"token": "@"']
)
def test_a_drawn_key_goes_whatever_its_first_letters_look_like(around: str, seed: int) -> None:
    value = f"NqVw{_drawn(seed, 28)}7Q"  # which begins as a type does
    assert not leaks(value, BY_FORM.redacted(around.replace("@", value)))


@pytest.mark.parametrize("value", ["RvaMj89jPSuKx", "secret123", "password2024", "a1B2c3D4e5F6.g7H8i9J0k1L2"])
def test_a_password_under_its_name_goes_where_it_is_nearly_a_name_in_a_program(value: str) -> None:
    assert BY_FORM.redacted(f"password: {value}") == "password: [redacted: credential]"


@pytest.mark.parametrize(
    "text",
    [
        "password: SecretStr",
        "token: OAuth2PasswordBearer",
        "password = config.database.password",
        "api_key: settings.openai_api_key",
        "password: user_password",
        "token: MyVeryLongTokenProviderFactory2",
        "password = DEFAULT_PASSWORD_FOR_TESTS",
        "class sk-button-primary-large-outlined",
        "see foo--password bar29x of the rules",
        "--- a/file.py b/file.py",
        "file_name-eyJ and eyJ.x",
    ],
)
def test_names_in_programs_stay(text: str) -> None:
    assert BY_FORM.redacted(text) == text


@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("start", ["sk-", "hf_", "gsk_"])
def test_a_drawn_token_goes_where_no_digit_was_drawn(start: str, seed: int) -> None:
    drawn = _drawn(seed, 40, _LETTERS)
    assert not leaks(drawn, BY_FORM.redacted(f"use {start}{drawn} now"))


@pytest.mark.parametrize("around", ['{"cmd": "@"}', "`@`", "'@'", "+@", "-@", "(@)", r"a\n@", "run @"])
def test_the_value_of_an_option_goes_wherever_its_command_is_quoted(around: str) -> None:
    assert "hunter29x" not in BY_FORM.redacted(around.replace("@", "--password hunter29x"))


@pytest.mark.parametrize("unit", ["-eyJ", "_eyJabcdefgh", "--abc ", "sk-aBc", "hf_aB", "token: aB."])
def test_beginnings_without_an_end_take_time_in_proportion(unit: str) -> None:
    assert_linear(lambda text: BY_FORM.redacted(f"{text}. a.b.c"), unit)


_MORE = {
    "lsv2_pt_": 32,
    "pcsk_": 60,
    "tskey-auth-": 40,
    "csk-": 48,
    "sb_secret_": 32,
    "tgp_v1_": 43,
    "secret_": 43,
}


@pytest.mark.parametrize("around", ["@", "-@\n", '"@"', "use @.", "x=@&y"])
@pytest.mark.parametrize("start", _MORE)
def test_keys_of_further_makers_go(start: str, around: str) -> None:
    drawn = _drawn(1, _MORE[start])
    assert not leaks(drawn, BY_FORM.redacted(around.replace("@", start + drawn)))


@pytest.mark.parametrize(
    "text", ["secret_key_for_all_of_the_tests_of_this_module_here", "v1.0-rc1", "the tskey-auth-flow of old"]
)
def test_what_only_begins_like_a_key_stays(text: str) -> None:
    assert BY_FORM.redacted(text) == text
