# ruff: noqa: RUF001 - the words of other scripts are meant
"""The words with which a reviewer counts its own notes and nags: closed sets, for the languages it was seen to use.

A stretch of text is about the note itself only where every word of it is in one of these sets, so the sets may hold
common words; and one of them alone proves nothing but where :func:`kinds` is asked for more than fillers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from foureyes.core.numerals import NUMERALS, is_numeral
from foureyes.core.wordlists import words_of

__all__ = [
    "CALL",
    "DETERMINERS",
    "FILLER",
    "NUMBER",
    "PRESSING",
    "ROLES",
    "SAID",
    "SHOUT",
    "STILL",
    "TRIGGERS",
    "kinds",
    "presses",
]

CALL, SAID, SHOUT, NUMBER, STILL, FILLER = "call", "said", "shout", "number", "still", "filler"
"""A reminder; a reference to what was said; an intensifier; a number; an "as yet unsolved"; what joins these."""

_CALLS = """
reminder reminders reminding remind notice notices warning warnings warn repeat repeats repeated repeating repetition
nudge nudging bump escalation escalating escalate escalated reiterating reiterate restating restate followup alert
again anew afresh
erinnerung mahnung warnung hinweis wiederholung nochmals nochmal erneut abermals
rappel avertissement relance répétition
recordatorio aviso advertencia repetición nuevamente
lembrete alerta repetição novamente
promemoria avviso avvertimento sollecito nuovamente
herinnering waarschuwing opnieuw
напоминание напоминаю предупреждение повтор повторяю снова опять повторно
चेतावनी अनुस्मारक दोबारा दुबारा
przypomnienie ostrzeżenie ponownie hatırlatma hatırlatması uyarı uyarısı tekrar yine påminnelse påminnelsen påmindelse
varning advarsel igen připomenutí upozornění znovu emlékeztető figyelmeztetés ismét reamintire avertisment muistutus
varoitus uudelleen υπενθύμιση προειδοποίηση ξανά تذكير تحذير pengingat peringatan нагадування попередження знову תזכורת
אזהרה 다시 재차
"""
_SAID = """
said say saying asking ignored mentioned noted stated told raised flagged reported pointed wrote explained reminded
warned asked report insist
gesagt erwähnt geschrieben gemeldet dit signalé mentionné écrit dije mencioné señalé avisé disse mencionei avisei
сказал говорил писал упоминал कहा
"""
_SHOUTS = """
final last ultimate absolute absolutely maximum max utmost urgent urgently critical important attention severe extreme
supreme definitive emergency blocker blocking danger caution highest p0 p1 p2 sev0 sev1 nit concern severity priority
really seriously please
letzte letzter letztes letztmalig dringend wichtig achtung endgültig kritisch
dernier dernière urgent important ultime définitif critique
último última urgente importante atención definitivo crítico atenção crítica ultimo ultima importante attenzione
laatste dringend belangrijk
последнее последний последняя срочно важно внимание окончательное критично
अंतिम आखिरी ज़रूरी
ostatnie ostatni pilne ważne acil önemli sista viktigt viktig siste sidste poslední naléhavé utolsó sürgős ultimul
viimeinen τελευταία أخير عاجل terakhir останнє важливо терміново 긴급 중요 최종 마지막
"""
_STILLS = "still yet addressed fixed resolved answered acknowledged handled unaddressed unresolved unfixed open"
_FILLERS = """
a an the and or this that it is its s m my i we ve have has had been was be as for of on to you in at by now so far here
time times number no nr fix high most very like why fyi waiting gentle friendly kind quick chance final note once
twice more yet already before earlier previously above same issue problem
point finding repeat not just me let am are will must after only another with another out pending outstanding once
und zum mal einmal ich es wie schon bereits immer noch nicht habe das die der ist
et le la les pour fois n je ai déjà c est ce que encore une ma mon de l comme plus avant n° pas
y por vez el lo ya como he antes mi esta es no otra de nuevo
e pela pelo vez o já como eu antes meu minha esta é outra de novo não
per volta volte il lo già come ho prima mio mia questa ancora una di nuovo
voor de keer het ik al
в раз раза это я уже как ещё еще мое моё не
번째 한번 kez gången gang raz बार फिर से यह मेरी मैंने पहले
"""
ROLES = words_of(
    """
    reviewer advisor adviser critic auditor checker assistant persona bot expert engineer lead specialist analyst
    agent watcher observer inspector judge prüfer gutachter relecteur revisor ревьюер рецензент
    """
)
"""What ends the label of a persona: "[Data reviewer] …"."""
DETERMINERS = words_of(
    """
    the this that these those a an you your please there it its we they he she our his her their my all no every
    each der die das den dem ein eine bitte le la les un une l ce cette il el los las una este esta o os as um uma
    """
)
"""With one of these a sentence may begin where no colon says so: "third reminder the migration …"."""

_N = "[0-9一二三四五六七八九十百两兩]+"
_CJK = re.compile(
    rf"(?:这是|我的|これは|もう)?(?:第?{_N}[次回度遍]目?の?|最[后後終终](?:の|的|通牒)?|再[次度三]?|重[复複申]|又一?次?|紧急|緊急|重要|严重)*"
    r"(?:提醒|警告|通知|リマインド|リマインダー|注意|催促|督促|繰り返しますが?|繰り返し|申し上げた通り|既に述べた通り|前述の通り|再说一遍|再說一遍"
    r"|我(?:已经|早就)?(?:说过|說過|提过)了?|如前所述|다시 한번|다시|재차|알림|경고)"
    rf"(?:です)?(?:第?{_N}[次回]?)?|再[次度]|最[后後](?:一次)?|第{_N}[次回]目?|{_N}[次回]目"
)

_KINDS: dict[str, str] = {
    word: kind
    for kind, words in (
        (FILLER, _FILLERS),
        (STILL, _STILLS),
        (SHOUT, _SHOUTS),
        (SAID, _SAID),
        (CALL, _CALLS),
    )
    for word in words.split()
}
_VERBS = words_of("told raised flagged reported pointed wrote explained asked noted dit ignored say report")
TRIGGERS = frozenset(w for w, kind in _KINDS.items() if kind in (CALL, SAID)).difference(_VERBS) | {"i"}
"""Words without one of which only the head or the end of a note can count it."""
_COMMON = _VERBS | words_of("one un une uno una um uma due")


PRESSING = (NUMERALS | {word for word, kind in _KINDS.items() if kind not in (FILLER, STILL)}) - _COMMON
"""Words that may begin or end what counts a note, but for the numbers that a pattern knows."""


def kinds(words: Iterable[str]) -> frozenset[str] | None:
    """Return what kinds of words a stretch of folded text consists of; None where a word of it is of none."""
    found = set()
    for word in words:
        kind = _kind(word)
        if kind is None:
            return None
        found.add(kind)
    return frozenset(found)


@lru_cache(maxsize=2_048)
def presses(word: str) -> bool:
    """Tell whether a folded word may begin or end what counts a note; figures within a sentence hardly do."""
    return not word[:1].isdigit() and word not in _COMMON and _kind(word) not in (None, FILLER, STILL)


@lru_cache(maxsize=2_048)
def _kind(word: str) -> str | None:
    kind = _KINDS.get(word)
    if kind is None and (is_numeral(word)):
        kind = NUMBER
    if kind is None and not word.isascii() and _CJK.fullmatch(word):
        kind = CALL
    return kind
