"""Redaction of JSON-like data, and the secrets that the process itself was given."""

from __future__ import annotations

import json
from typing import Any

import pytest

from foureyes_reviewers.redaction import Redactor, process_secrets

REDACTOR = Redactor(["Zq7-vB3xK9mT"])
GONE = "[redacted: credential]"

SECRET_NAMES = (
    "password Password db_password clientSecret API_KEY apiKey x-api-key access_token secret credentials Authorization "
    "Set-Cookie connectionString AWS_ACCESS_KEY_ID passphrase"
)
SECRET_VARIABLES = (
    "OPENAI_API_KEY GITHUB_TOKEN DB_PASSWORD PGPASSWORD PASSWORD_FOR_DB CLIENT_SECRET SECRET aws_secret_access_key "
    "FOUREYES_REVIEWERS__CORRECTNESS__KEY GH_PAT MYSQL_PWD DJANGO_SECRET_KEY API_TOKEN_PROD STRIPE_SECRET_LIVE "
    "GITHUB_TOKEN_X KEY_PROD JWT X_JWT JWT_2 KEY1 myApiKeyLive DB_PASSWD_OLD LOGIN_PWD_2 GPG_PASSPHRASE_CI "
    "GOOGLE_CREDENTIAL_JSON AWS_CREDENTIALS_PROD BASIC_AUTH NPM_AUTH_CI SESSION_COOKIE_ADMIN SENTRY_DSN SENTRY_DSN_EU "
    "API_KEYS SECRETS DB_PASS_PROD VAULT_SECRET_ID AWS_ACCESS_KEY_ID npm_config__authToken PASSWORD_LENGTH_OR_SO"
)
OTHER_VARIABLES = (
    "HOME KEYBOARD MAX_TOKENS TOKENIZERS_PARALLELISM SECRETARY AUTHOR PWD OLDPWD TOKENS MAX_TOKEN EOS_TOKEN_STRING "
    "NEXT_PAGE_TOKEN AUTH_MODE AUTH_PROVIDER AUTH0_DOMAIN AUTH0_CLIENT_ID TOKEN_URL TOKEN_LIMIT KEY_TYPE KEY_NAME "
    "COOKIE_DOMAIN SECRET_NAME KEYRING MONKEY TURKEY_TIME PUBLIC_KEY STRIPE_PUBLISHABLE_KEY PRIMARY_KEY_COLUMN PATH "
    "AUTHORITY SSH_AUTH_SOCK XKB_KEY_REPEAT BYPASS PATIENT_NAME COMPASS_COLOR"
)
WORDS_AND_PATHS = (
    "1 true TRUE False a1b2c required postgres disabled 8080 1234567 /run/secrets/db /home/bob/.ssh/id_rsa "
    "~/.config/key.json ./keys/dev.pem C:\\keys\\a.pem"
)


# --- data ---


@pytest.mark.parametrize(
    "name",
    SECRET_NAMES.split(),
)
@pytest.mark.parametrize("value", ["x", "swordfish", 1234, ["a", "b"], {"user": "bob"}])
def test_what_stands_under_a_secret_name_is_removed_whole(name: str, value: Any) -> None:
    assert REDACTOR.redacted_value({"a": {name: value}}) == {"a": {name: GONE}}


@pytest.mark.parametrize("value", [None, "", True, False])
def test_nothing_and_yes_and_no_are_no_secrets(value: Any) -> None:
    assert REDACTOR.redacted_value({"password": value}) == {"password": value}


@pytest.mark.parametrize(
    "name",
    ["tokens", "max_tokens", "eos_token", "next_page_token", "key", "primary_key", "password_length", "secretary"],
)
def test_other_names_keep_their_values(name: str) -> None:
    assert REDACTOR.redacted_value({name: "x"}) == {name: "x"}


def test_texts_and_keys_anywhere_in_the_data_are_redacted() -> None:
    data = {"see Zq7-vB3xK9mT": [{"out": ("a", "user=x Zq7-vB3xK9mT")}, 7, 1.5, None], 3: "TOKEN=a1b2c3d4"}
    assert REDACTOR.redacted_value(data) == {
        "see [redacted: secret]": [{"out": ["a", "user=x [redacted: secret]"]}, 7, 1.5, None],
        3: f"TOKEN={GONE}",
    }


def test_the_data_itself_is_not_changed() -> None:
    data = {"password": "x", "list": ["Zq7-vB3xK9mT"]}
    REDACTOR.redacted_value(data)
    assert data == {"password": "x", "list": ["Zq7-vB3xK9mT"]}


def test_data_nested_without_end_is_left_out_and_does_no_harm() -> None:
    data: list[Any] = []
    data.append(data)
    assert "nested too deeply" in json.dumps(REDACTOR.redacted_value(data))


def test_redacted_data_stays_as_it_is() -> None:
    once = REDACTOR.redacted_value({"password": "x", "text": "password=hunter2"})
    assert REDACTOR.redacted_value(once) == once


# --- the process ---


@pytest.mark.parametrize(
    "name",
    SECRET_VARIABLES.split(),
)
def test_a_variable_with_a_secret_name_has_a_secret(name: str) -> None:
    assert process_secrets({name: "a1b2c3d4"}) == {"a1b2c3d4"}


@pytest.mark.parametrize("name", OTHER_VARIABLES.split())
def test_any_other_variable_has_none(name: str) -> None:
    assert process_secrets({name: "a1b2c3d4"}) == frozenset()


@pytest.mark.parametrize(
    ("name", "value"),
    [("MAX_TOKENS_KEY", "4096"), ("SSH_AUTH", "/tmp/ssh-Ab3XYZ/agent.1234"), ("LOGIN_PWD", "/home/bob/work")],
)
def test_what_stands_in_a_shell_beside_secrets_is_none(name: str, value: str) -> None:
    assert process_secrets({name: value}) == frozenset()


@pytest.mark.parametrize(
    "value",
    WORDS_AND_PATHS.split(),
)
def test_a_word_a_number_or_a_path_is_no_secret_whatever_its_name(value: str) -> None:
    assert process_secrets({"APP_SECRET": value}) == frozenset()


@pytest.mark.parametrize(
    "value", ["hunter2", "a1b2c3", "/Ab3dEf9+hIjK/mN0p=", "correcthorsebattery", "12345678", "p@ss w0rd"]
)
def test_anything_else_of_six_characters_is_one(value: str) -> None:
    assert process_secrets({"APP_SECRET": f" {value}\n"}) == {value}


def test_the_password_in_a_url_is_a_secret_whatever_the_variable_is_called() -> None:
    environ = {"DATABASE_URL": "postgres://app:a1b%2Fc2d3@db/x", "CACHE": "redis://:e4f5g6h7@cache/0"}
    assert process_secrets(environ) == {"a1b%2Fc2d3", "a1b/c2d3", "e4f5g6h7"}


def test_fields_with_secret_names_in_json_are_secrets() -> None:
    reviewers = {
        "correctness": {"use": "model", "model": "gpt-9000", "key": "a1b2c3d4", "headers": {"token": "e4f5g6h7"}}
    }
    environ = {"FOUREYES_REVIEWERS": json.dumps(reviewers), "OTHER": "{not json"}
    assert process_secrets(environ) == {"a1b2c3d4", "e4f5g6h7"}


def test_a_field_that_is_given_twice_is_a_secret_twice_and_a_number_beside_it_may_have_any_length() -> None:
    text = f'{{"password": "a1b2c3d4", "n": {"7" * 5_000}, "password": "e4f5g6h7"}}'
    assert process_secrets({"SETTINGS": text}) == {"a1b2c3d4", "e4f5g6h7"}


def test_a_secret_of_the_process_is_found_in_a_text() -> None:
    redactor = Redactor(process_secrets({"PGPASSWORD": "hunter2"}))
    assert redactor.redacted("FATAL: hunter2 was rejected") == "FATAL: [redacted: secret] was rejected"
