"""Resemblance: which notes are flagged as like an earlier one, and which never are, whatever words they share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.discriminators import differ
from foureyes.core.gist import gist
from foureyes.core.resemblance import agree, resembling

SAME = """
The connection is never closed when the query fails. | The connection never gets closed if the query fails.
The timeout of 30 s is too short for large files. | The time-out of 30 seconds is too short for large files.
The report counts cancelled orders too. | The report also counts canceled orders.
User input is inserted into the HTML without escaping. | User input gets inserted into the HTML unescaped.
The summary omits the cancellation clause. | The summary leaves out the cancellation clause.
The chart has no axis labels. | Axis labels are missing from the chart.
There is no index on orders.customer_id. | orders.customer_id has no index.
The lock is not released on the error path. | On the error path the lock isn't released.
The test only covers the happy path. | The test covers just the happy path.
The third row is skipped. | Row 3 is skipped.
config.yaml contains the production password. | The production password is in config.yaml.
Tests were only run on Linux. | The tests were run on Linux only.
The API key is hard-coded in settings.py. | settings.py has a hardcoded API key.
The new parser is untested. | The new parser isn't tested.
Prices are rounded before the tax is added. | The tax is added after prices are rounded.
The invoice was approved by the manager. | The manager approved the invoice.
The function silently ignores write errors. | Errors while writing are swallowed by the function.
Please cite a source for the rate. | No source is cited for the rate.
Consider a lock around the counter. | There is no lock around the counter.
The cap on uploads should be logged. | The cap on uploads is not logged.
Before the release, rotate the keys, as agreed. | As agreed, rotate the keys before the release.
The agency contradicts that the drug is approved. | According to the agency the drug is not approved.
The endpoint accepts unsigned payloads. | Nobody verifies the signature of what is posted to the endpoint.
A stuck cron job is restarted by nobody. | No watchdog brings the nightly batch back up when it hangs.
Der Cache wird nach dem Abmelden nicht geleert. | Nach dem Abmelden wird der Cache nicht geleert.
La función no comprueba el valor nulo. | La función no verifica el valor nulo.
Le mot de passe est écrit en clair dans le journal. | Le mot de passe apparaît en clair dans le journal.
Кэш не очищается после выхода. | После выхода кэш не очищается.
文件在出错时没有关闭。 | 出错时文件没有被关闭。
テストが一度も実行されていない。 | テストは一度も実行されていません。
"""
OTHER = """
Row 3 of the table has no date. | Row 4 of the table has no date.
The time-out of 30 ms is too short. | The time-out of 30 min is too short.
The time-out is 30 where 300 is asked for. | The time-out is 300 where 30 is asked for.
orders.py builds SQL from request input. | users.py builds SQL from request input.
missing await in fetch_user | missing await in fetch_users
class Cart is not exported. | class CartItem is not exported.
missing await in save_user | missing await in save_order
`--no-verify` is still in the script. | `--no-edit` is still in the script.
v2 endpoint lacks the decorator that v1 has. | v3 endpoint lacks the decorator that v1 has.
The handler accepts empty names. | The handler does not accept empty names.
The form can be sent without an address. | The form can't be sent without an address.
The retry is safe on POST. | The retry is unsafe on POST.
The rows are copied from archive to live. | The rows are copied from live to archive.
Rounding happens before the discount. | Rounding happens after the discount.
The filter keeps users older than 65. | The filter keeps users younger than 65.
The filter drops rows where x < 5. | The filter drops rows where x > 5.
All tests are skipped on Windows. | Some tests are skipped on Windows.
The cap on uploads should not be logged. | The cap on uploads is logged.
Please restart the worker. | Do not restart the worker.
The index is broken. | The query is broken.
The cache is stale. | The queue is stale.
Admins can export the list. | Only admins can export the list.
The backfill of customers locks the table. | The backfill of suppliers locks the table.
The parent component mutates the child. | The child component mutates the parent.
The agent's patch breaks the linter. | The linter's patch breaks the agent.
The quote is per kilogram, the basket holds pounds. | The quote is per pound, the basket holds kilograms.
Passenger Chen has no seat. | Passenger Chan has no seat.
Annex A is missing from the bundle. | Annex E is missing from the bundle.
The DE locale lacks two keys. | The IT locale lacks two keys.
Service A waits for service B. | Service B waits for service A.
Option (a) was chosen without asking. | Option (b) was chosen without asking.
Dockerfile pins no digest for the image. | Dockerfile.worker pins no digest for the image.
Der Betrag wird vor der Umrechnung gerundet. | Der Betrag wird nach der Umrechnung gerundet.
Le fichier est copié du serveur vers le poste. | Le fichier est copié du poste vers le serveur.
El servidor valida el certificado. | El servidor no valida el certificado.
Покупатель уведомляет продавца. | Продавец уведомляет покупателя.
数据从测试库导入生产库。 | 数据从生产库导入测试库。
合同允许提前终止。 | 合同不允许提前终止。
第12行的单价不一致。 | 第21行的单价不一致。
データを圧縮する前に暗号化している。 | データを圧縮した後に暗号化している。
उत्तर के अनुसार दवा ले सकती हैं। | उत्तर के अनुसार दवा नहीं ले सकती हैं।
"""
APART = """
The connection is never closed when the query fails. | The summary omits the cancellation clause.
Row 3 of the tariff table has no date. | The lock is released twice on the error path.
one finding | another finding
LGTM except the lock | The price is wrong
It is ignored, dropped, discarded and suppressed. | Telemetry of the gateway is ignored.
"""


TOKEN_CACHE = "The token cache is never cleared after logout."


def pairs(text: str) -> list[tuple[str, str]]:
    return [tuple(map(str.strip, line.split(" | "))) for line in text.strip().splitlines()]  # type: ignore[misc]


def is_flagged(text: str, earlier: str) -> bool:
    return resembling(gist(text), [("n1", gist(earlier))]) is not None


@pytest.mark.parametrize(("one", "other"), pairs(SAME))
def test_one_finding_in_other_words_is_flagged_whichever_comes_first(one: str, other: str) -> None:
    assert is_flagged(one, other)
    assert is_flagged(other, one)


@pytest.mark.parametrize(("one", "other"), pairs(OTHER))
def test_a_discriminator_keeps_two_findings_apart_whichever_comes_first(one: str, other: str) -> None:
    assert not is_flagged(one, other)
    assert not is_flagged(other, one)


@pytest.mark.parametrize(("one", "other"), pairs(OTHER))
def test_two_findings_never_agree_even_at_one_place(one: str, other: str) -> None:
    assert not agree(gist(one), gist(other))
    assert not agree(gist(other), gist(one))


@pytest.mark.parametrize(("one", "other"), pairs(APART))
def test_notes_that_share_a_word_or_two_are_not_flagged(one: str, other: str) -> None:
    assert not is_flagged(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The lock is not released on the error path.", "On the error path, the lock is not released!"),
        ("Third reminder: the cache leaks in `load`", "The cache leaks in load()"),
        ("The report counts the cancelled orders.", "the report counts cancelled orders"),
    ],
)
def test_the_same_words_agree_in_whatever_dress(one: str, other: str) -> None:
    assert agree(gist(one), gist(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Validate the date in parse_row; 31.02. passes.", "Log the date in parse_row, so that the row can be found."),
        ("The cache in resolve() must be bounded.", "The cache in resolve() must be keyed by tenant."),
        ("The summary omits the cancellation clause.", "The summary omits the cancellation clause of the annex."),
        ("The summary omits the clause.", "The overview leaves the clause out."),
    ],
)
def test_two_cures_for_one_place_and_notes_in_other_words_do_not_agree(one: str, other: str) -> None:
    assert not agree(gist(one), gist(other))


def test_notes_too_long_to_be_compared_to_their_end_do_not_agree() -> None:
    long = " ".join(f"the cache of shard {number} is never cleared" for number in range(60))
    assert not agree(gist(long), gist(long))
    assert is_flagged(long, long)


def test_the_best_of_the_earlier_notes_is_named_with_how_much_they_share() -> None:
    earlier = ["The cache is never cleared.", "The token cache is never cleared after logout.", "The price is wrong."]
    match = resembling(gist("After logout nobody clears the token cache."), [(text, gist(text)) for text in earlier])
    assert match is not None
    assert match.note_id == earlier[1]
    assert 0 < match.overlap <= 1


def test_of_two_equally_good_notes_the_first_given_is_named() -> None:
    text = "The token cache is never cleared."
    match = resembling(gist(text), [("n1", gist(text)), ("n2", gist(text))])
    assert match is not None
    assert (match.note_id, match.overlap) == ("n1", 1.0)


def test_a_note_that_differs_is_passed_over_for_a_worse_one_that_does_not() -> None:
    earlier = [("n1", gist("Row 4 of the table has no date.")), ("n2", gist("The table has rows without a date."))]
    match = resembling(gist("Row 3 of the table has no date."), earlier)
    assert match is not None
    assert match.note_id == "n2"


def test_the_note_that_shares_most_is_found_among_many_that_share_something() -> None:
    crowd = [(f"n{place}", gist(f"The cache of part {place} is slow and the log is long.")) for place in range(200)]
    match = resembling(gist("After logout nobody clears the token cache."), [*crowd, ("own", gist(TOKEN_CACHE))])
    assert match is not None
    assert match.note_id == "own"


def test_nothing_resembles_a_note_where_there_is_no_earlier_one() -> None:
    assert resembling(gist("The token cache is never cleared."), []) is None
    assert resembling(gist(""), [("n1", gist(""))]) is None


def test_equal_gists_hash_alike() -> None:
    one, other = (gist.__wrapped__(TOKEN_CACHE) for _ in range(2))
    assert (one, hash(one)) == (other, hash(other))


def test_the_gist_of_the_longest_note_is_bounded() -> None:
    long = gist(" ".join(f"word{number} in path/{number}.py is {number} ms" for number in range(5_000)))
    assert len(long.tokens) <= 97
    assert len(long.words) <= 97
    assert len(long.names) <= 97


WORDS = ["the", "cache", "row", "3", "4", "is", "never", "not", "only", "cleared", "before", "after", "logout", "token"]
WORDS += [
    "price",
    "<",
    ">",
    "save_user",
    "lock",
    "leaks",
    "50%",
    "第",
    "不",
    "unsafe",
    "safe",
    "30",
    "ms",
    "s",
    "first",
]
NOTES = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)


@given(NOTES, NOTES)
def test_it_does_not_matter_which_of_two_notes_comes_first(one: str, other: str) -> None:
    first, second = gist(one), gist(other)
    assert differ(first, second) == differ(second, first)
    assert agree(first, second) == agree(second, first)
    assert is_flagged(one, other) == is_flagged(other, one)


@given(st.one_of(NOTES, st.text(max_size=60)))
def test_every_short_note_agrees_with_itself_and_differs_in_nothing(text: str) -> None:
    assert not differ(gist(text), gist(text))
    assert agree(gist(text), gist(text))


@given(NOTES, NOTES)
def test_notes_that_agree_differ_in_nothing(one: str, other: str) -> None:
    assert not (agree(gist(one), gist(other)) and differ(gist(one), gist(other)))
