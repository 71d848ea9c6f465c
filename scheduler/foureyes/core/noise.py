"""Phrases that say nothing: a note is noise only where its whole folded text is one of them.

The first set is what reviewers were seen to flood with, in the field's issue threads and in both reference systems;
the second is the same in the languages that reviewers drift into. A note that merely begins with such a phrase
("LGTM except the lock is released twice") is no noise.
"""

from __future__ import annotations

import re
from functools import cache

from foureyes.core.similarity import folded

__all__ = ["is_noise"]

_ENGLISH = """
stop; stop here; stop now; halt; abort; wait; pause
done; task done; task complete; task completed; complete; completed; finished; all done; ok; okay; ok done; okay done
no issue; no issues; no issue continue; no issues continue; no issues found; no issue found; no problems; no problem
no problems found; no concerns; no concern; no remarks; no comment; no comments; no notes; no note; no findings
no new findings; no advice; no new advice; no objection; no objections; no feedback; none; nothing; n a; na; null; nil
nothing to add; nothing more to add; nothing to flag; nothing to report; nothing new; nothing new to report
nothing further; no further input; no further input needed; no further advice; no further advice needed
no further comments; no further notes; no further action; no further action needed; no action needed; no action required
no changes needed; no changes required; no change needed; no output
no new issues; no new issues since the last update; no further comments at this time; notes
lgtm; looks good; looks good to me; looks fine; looks correct; all good; all fine; all clear; all correct; good; fine
great; great work; great job; good job; good work; nice work; well done; perfect; correct; approved; agreed; ack
acknowledged; understood; noted; thanks; thank you; thanks noted; on track; agent on track; agent is on track
the agent is on track; continue; carry on; proceed; go on; keep going; go ahead
no content; no content standing by; looks good to me carry on; great work keep going
silence; silent; staying silent; i will stay silent; i will pause and wait; waiting; waiting for revision; standing by
"""

_OTHERS = """
nada que añadir; nada que agregar; sin comentarios; sin observaciones; sin problemas; todo bien; todo correcto; continúa
rien à signaler; ras; rien à ajouter; pas de remarque; pas de remarques; aucune remarque; aucun problème; tout va bien
keine anmerkungen; keine anmerkung; keine einwände; keine probleme; nichts zu beanstanden; alles gut; alles in ordnung
weiter so; passt
nessun problema; nessuna osservazione; tutto bene; niente da aggiungere
sem comentários; nenhum problema; sem observações; sem problemas; tudo certo; tudo bem; nada a acrescentar
geen opmerkingen; geen problemen; alles goed; inga anmärkningar; inga kommentarer; ei huomautettavaa
brak uwag; bez uwag; wszystko w porządku; sorun yok; her şey yolunda; žádné připomínky
нет замечаний; замечаний нет; без замечаний; нет проблем; всё хорошо; все хорошо; всё в порядке; все в порядке
немає зауважень; без зауважень; ок
问题なし; 問題なし; 特になし; 異常なし; 問題ありません; 特に問題なし; 指摘事項なし; 無し; なし
没有问题; 沒有問題; 没问题; 沒問題; 无问题; 无意见; 無意見; 没有意见; 看起来不错; 一切正常; 继续
문제없음; 문제 없음; 이상 없음; 특이사항 없음; 좋습니다
không có vấn đề; không có ý kiến; không có gì để thêm; ổn; tốt; không vấn đề gì
لا توجد ملاحظات; لا توجد مشاكل; لا ملاحظات; كل شيء على ما يرام; אין הערות; הכל בסדר
कोई समस्या नहीं; सब ठीक है; कोई टिप्पणी नहीं; ไม่มีปัญหา; ไม่มีข้อสังเกต; tidak ada masalah; tidak ada catatan
δεν υπάρχουν παρατηρήσεις; κανένα πρόβλημα; όλα καλά
"""


def _phrases(text: str) -> frozenset[str]:
    return frozenset(folded(phrase) for line in text.splitlines() for phrase in line.split(";") if phrase.strip())


_WORDLESS = re.compile(r"[^a-z]+")


@cache
def _noise() -> frozenset[str]:
    return _phrases(_ENGLISH) | _phrases(_OTHERS)


def is_noise(fold: str) -> bool:
    """Tell whether a folded text is a content-free phrase, or a bare number or sign, and nothing else."""
    return fold in _noise() or (fold.isascii() and _WORDLESS.fullmatch(fold) is not None)
