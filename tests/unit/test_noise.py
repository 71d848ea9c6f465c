"""Noise: only a whole text that says nothing, in any language that reviewers drift into."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.counters import series
from foureyes.core.noise import is_noise
from foureyes.core.similarity import folded

REFERENCE = """
stop; stop here; stop now; halt; abort; done; task done; task complete; complete; finished; all good; ok; okay; ok done
no issue; no issues; no issue continue; no concerns; no concern; nothing to add; nothing to flag; nothing to report
no notes; no further input; no further input needed; no further advice; no further advice needed; lgtm; looks good
on track; agent on track; agent is on track; continue; carry on; no action needed; no changes needed; okay done
"""


def says_nothing(text: str) -> bool:
    """Tell what the guard would: nothing is left of the text, or nothing but noise."""
    fold = folded(text)
    return not fold or is_noise(fold)


@pytest.mark.parametrize(
    "phrase", [phrase.strip() for phrase in REFERENCE.replace("\n", ";").split(";") if phrase.strip()]
)
def test_every_phrase_of_the_reference_systems_is_noise(phrase: str) -> None:
    assert is_noise(folded(phrase))


@pytest.mark.parametrize(
    "text",
    [
        "Stop.",
        "Done!",
        "No issue; continue.",
        "LGTM",
        "*all good*",
        "Nothing to add.",
        "1) LGTM!!! 👍",
        "> ok",
        "- none",
    ],
)
def test_decoration_does_not_make_noise_a_note(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text", ["<|eos|>", "(silence)", "[no advice]", "Acknowledged.", "Waiting for revision.", "(no output)"]
)
def test_talk_about_silence_is_noise(text: str) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/9985."""
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "問題なし",
        "没有问题。",
        "Нет замечаний.",
        "RAS",
        "Keine Anmerkungen",
        "Không có vấn đề",
        "이상 없음",
        "Sin problemas.",
    ],
)
def test_noise_is_noise_in_other_languages_too(text: str) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/9698."""
    assert says_nothing(text)


@pytest.mark.parametrize("text", ["7", "-5", "42 %", "====", "!=", "$", "3.5"])
def test_a_bare_number_or_sign_is_noise(text: str) -> None:
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "LGTM except the lock is released twice",
        "Done flag is set before the write",
        "Stop: this drops prod",
        "Stop: the revenue query sums a filtered and an unfiltered CTE",
        "`rm -rf $D` unquoted",
        "No issue with the parser, but the writer never closes the file",
        "Basically fine, just one thing: the lock leaks",
        "Constructor!",
        "toString",
        "__proto__",
        "Нет проверки ошибки в save()",
        "没有处理超时",
        "Kein Timeout beim Abruf",
        "Off by one.",
        "Not approved by the user yet",
        "None is returned where a tuple is unpacked",
        "x != y",
    ],
)
def test_a_note_that_merely_begins_like_noise_is_none(text: str) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/8206; words that every object of a language has, too."""
    assert not says_nothing(text)


def test_nothing_at_all_is_empty_and_not_noise() -> None:
    assert not is_noise("")


@pytest.mark.shared
def test_no_finding_of_the_shared_stream_is_taken_for_noise(shared: Path) -> None:
    lines = [json.loads(line) for line in (shared / "cases" / "notes-stream.jsonl").read_text("utf-8").splitlines()]
    findings = [line["note"] for line in lines if line["label"] in {"genuine", "escalation"}]
    assert len(findings) > 50
    assert [text for text in findings if says_nothing(text)] == []


KINDS = """
No issues found at this time.
No further comments.
I have no further comments at this time.
There are no new issues to report.
Nothing new to flag since the last update.
Looks good so far, keep going!
Excellent work!
The code looks good.
All good here.
Everything looks fine to me.
Great job, agent!
Nice progress, continue.
OK, got it.
Noted, thanks!
Understood. Proceeding.
No blockers.
No significant concerns.
No major problems or concerns detected.
I see no problems.
None found.
Nothing.
Nothing else to add.
No objections from my side.
No change needed.
LGTM LGTM LGTM
done done
Stop. Stop. Stop.
Looking good!
Well done!!!
"ok"
'none'
{"findings": []}
(no content)
(nothing)
*silence*
===
Sehr gute Arbeit, weiter so!
Gut gemacht!
Alles sieht gut aus.
Keine weiteren Anmerkungen.
Keine Probleme gefunden.
Es gibt keine Einwände.
Nichts hinzuzufügen.
Excellent travail, continue comme ça !
Très bien !
Rien à ajouter pour le moment.
Pas de problème.
Aucun problème détecté.
Je n'ai rien à signaler.
¡Buen trabajo, sigue así!
Muy bien.
No hay problemas.
No se encontraron problemas.
Nada más que añadir.
Ningún comentario.
Bom trabalho, continue assim!
Não há problemas.
Nada a declarar.
Sem mais comentários.
Nessun problema rilevato.
Ottimo lavoro!
Niente da segnalare.
Отличная работа, так держать!
Проблем не обнаружено.
Замечаний больше нет.
Всё отлично.
Нет новых замечаний.
做得很好，继续加油！
目前没有问题。
未发现问题
没有发现任何问题。
没有其他意见。
很好！
继续。
问题なし。
特に指摘事項はありません。
問題は見つかりませんでした。
素晴らしいです。
順調です。
了解しました。
문제 없습니다.
특이사항 없습니다
좋아요!
잘하고 있습니다
Không có ý kiến gì thêm.
Rất tốt!
لا توجد مشاكل
عمل رائع
कोई समस्या नहीं है
बहुत अच्छा काम
Brak uwag.
Sorun yok.
Inga problem.
Again: LGTM
#7
(7)
12.
45
LGTMMM
Stoooop!
okkk
n/a n/a
No comment.
Still nothing to report.
No news.
No updates.
Standing by for updates.
Waiting...
Carry on, looks good.
Approved!
On track, no issues.
ok ok ok
This is good.
Good plan.
Keep up the good work!
Perfect. No further action required.
I agree.
Agreed, continue.
Nothing more.
All clear, no concerns.
No new advice; continue.
Das ist gut so.
C'est très bien.
RAS pour l'instant.
Tout va bien, continue.
Все хорошо, продолжай.
Молодец!
完美
加油
続けてください。
その調子で。
계속하세요.
ดีมาก
Harika iş!
Świetna robota!
Goed werk!
This is a clean solution.
Love it!
Beautifully done.
You're doing great.
Nicely structured.
Top notch.
Great catch!
Very well written.
Spot on.
Nailed it.
I like this approach.
Keep up the momentum.
All set.
Everything is in order.
Status: OK
Status: green
In progress.
Working as expected.
As expected.
Proceeding as planned.
Nothing changed.
Same as last time.
<none>
<eos>
[x] Done
TODO
nope
Fine by me.
Sounds good.
Ready.
Standing by for further instructions.
Waiting for the next turn.
Will continue to monitor.
Continuing to observe.
No red flags.
No action items.
Green light.
Good to go.
LGTM :+1:
L G T M
looks gooood
No issues detected in this turn.
I don't see any issues.
There is nothing wrong with this.
Nothing stands out.
Not yet
Hm, ok
Interesting.
I see.
Sorry.
Sorry about that.
My apologies.
Apologies for the noise.
Oops.
My bad.
Entschuldigung.
Désolé.
Perdón.
Nichts Neues.
Tout est en ordre.
Todo en orden.
Sin novedades.
Tutto a posto.
Ei huomautuksia.
Bez připomínek.
無異議
추가 의견 없습니다
Καμία παρατήρηση
Nincs észrevétel.
Fără observații.
What a neat fix.
Everything is going as planned.
I will keep an eye on it.
Health: OK
申し訳ありません。
異議なし
Nema primjedbi.
Bez chyb.
"""


@pytest.mark.parametrize("text", KINDS.strip().splitlines())
def test_what_says_nothing_is_noise_in_whatever_words_and_order(text: str) -> None:
    assert is_noise(folded(text))


TRAPS = """
LGTM except the lock is released twice
No issue with the parser, but the writer never closes
Done flag is set
Stop: this drops prod
Continue is used in the finally block
No tests
No tests cover the branch
No error is raised when the file is missing
No errors are reported to the user
Nothing is saved
Nothing to add to the index
All good rows are deleted
Good rows are dropped
Not approved by the user yet
Not done
Not fixed
Not good
This is not right
Wrong file
Typo
Race condition
Deadlock
OOM
XSS
No rollback
No index on user_id
No await
No response from the server is logged
Missing await
Clean up the code
Keep the lock
Wait for the lock
Wait for the user
Proceed only after approval
Ask the user first
Kein Timeout
Keine Tests
Nichts wird gespeichert
Fehler gefunden
Aucun test
Pas de test
Rien n'est sauvegardé
Sin pruebas
No hay pruebas
Sem testes
Нет тестов
Нет проверки
Ничего не сохраняется
没有测试
没有处理超时
死锁
竞态条件
继续执行会删除数据
停止服务前没有保存
テストなし
問題がある
確認なしで削除
권한 검사 없음
테스트 없음
Không có kiểm thử
लॉक नहीं छोड़ा गया
Correct the total
Fix it
Fix the plan
Review the plan
The plan is wrong
Check again
Works only once
It is so slow
Looks wrong
Seems off
Good until row 5
Ok button has no label
x < 5
5 > 3 fails
a != b
Off by one
Agent is stuck
Agent is going in circles
No to all
No is the wrong answer
Stop the service
Abort the deploy
Nothing here is tested
N+1 query
Is this needed?
Is this change needed?
Why is this needed?
No one approved this
No longer needed
Not all rows
Not needed
all done except tests
There is a problem
I see issues
Issues remain
More changes are needed
Changes requested
Changes required
Further action required
Action needed now
Errors found
Problems found
Something is missing
No more than 5 rows
No docs
no more memory
No progress
No plan
The right approach is not so
Proud
Is it right?
Everything is going so slow
Still open
Still wrong
Better now than later
It is better to wait
Very slow
Too much
Going too far
No, use UTC.
Not yet idempotent.
Status is unchanged after the update
State is unchanged
Cannot find any errors in the log
Waiting for the lock
It is running
Nothing happened
Ready flag is set
Correct the solution
Clean up the solution
Sorry page has no link
Nothing changed in the file
< 5 rows
Green is the wrong colour
Interesting rows are dropped
Keep the order
As expected by nobody
"""


@pytest.mark.parametrize("text", TRAPS.strip().splitlines())
def test_a_finding_made_of_the_words_of_noise_is_none(text: str) -> None:
    assert not is_noise(folded(text))


@pytest.mark.parametrize("text", ["LGTM", "No issues found.", "Great work!", "Keine Anmerkungen.", "没有问题"])
@pytest.mark.parametrize("more", ["except for row 3", "in the parser, but the writer leaks", "x < 5"])
def test_noise_with_a_word_of_substance_is_none(text: str, more: str) -> None:
    assert not is_noise(folded(f"{text} {more}"))


PHRASES = st.sampled_from(["No content.", "Standing by.", "LGTM", "Great work!", "continue", "nothing to add"])


@given(st.lists(PHRASES, min_size=1, max_size=5))
def test_noise_after_noise_is_noise(phrases: list[str]) -> None:
    assert is_noise(folded(" ".join(phrases)))


def test_a_text_too_long_for_noise_is_looked_at_no_further() -> None:
    assert not is_noise(folded("ok " * 50))


@pytest.mark.shared
def test_the_noise_of_the_shared_stream_is_noise_or_a_place_in_a_series(shared: Path) -> None:
    lines = [json.loads(line) for line in (shared / "cases" / "notes-stream.jsonl").read_text("utf-8").splitlines()]
    noise = [line["note"] for line in lines if line["label"] == "noise"]
    assert len(noise) > 30
    assert [text for text in noise if not says_nothing(text) and not series(folded(text))] == []
