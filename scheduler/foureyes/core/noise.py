"""Noise: a note is noise only where its whole folded text says nothing.

That is: a content-free phrase or several in a row ("No content. Standing by."), a denial of findings ("no further
comments at this time"), praise, a receipt, or a bare number or sign. A note that merely begins like one ("LGTM except
the lock is released twice", "No tests cover the branch") holds a word that such phrases never have, and is none.
"""

from __future__ import annotations

import re
from functools import cache

from foureyes.core.folding import folded
from foureyes.core.phrases import ADJECTIVES, LANGUAGES, NOUNS, PHRASES, PRAISE, PRAISED, TAIL, YES, YES_FILLER
from foureyes.core.sayings import PATTERNS, SAYINGS
from foureyes.core.wordlists import words_of

__all__ = ["is_noise"]

_LONGEST = 120
"""Characters; a text that goes on for longer says something, or is stopped by the bounds."""
_LONGEST_EASTERN = 48
_LONGEST_STRETCHED = 24
_WORDLESS = re.compile(r"[^a-z]+")
_STRETCHED = re.compile(r"([^\W\d_])\1{2,}")


def _either(words: frozenset[str]) -> str:
    return "|".join(sorted(words))


@cache
def _denial() -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:i|we|have|see|there|are|is|still|currently|ok|okay|lgtm|found|and|so) )*"
        rf"(?:(?:no|zero|without|without any|not any) (?:(?:{_either(ADJECTIVES)}) )*(?:{_either(NOUNS)})"
        rf"(?: (?:or|and) (?:(?:no|{_either(ADJECTIVES)}) )*(?:{_either(NOUNS)}))*|nothing|none)"
        rf"(?: (?:{_either(TAIL | ADJECTIVES)}))*"
    )


@cache
def _east_asian() -> re.Pattern[str]:
    return re.compile(
        r"(?:目前|暂时|暫時|暂|我|这里|这次|本次|整体|总体|目前为止)*"
        r"(?:没有?|沒有?|无|無|未发现|未發現|没发现|没看到|未见)(?:发现|發現|看到)?(?:任何|什么|新的?|其他|其它|明显的?|更多|进一步的?|额外的?)*"
        r"(?:问题|問題|意见|意見|异常|異常|错误|備註|备注|评论|建议|建議|异议|異議|补充|需要补充的?|可补充的?|要说的|发现|疑问|变化|更新)?了?"
        r"|(?:做得|干得|写得|看起来|看上去|一切|都|很|非常|真|挺|太)*(?:好|棒|不错|完美|出色|优秀|正常|顺利|没问题|可以)(?:的|了|工作)*"
        r"|(?:请|请您)?(?:继续|繼續)(?:加油|保持|努力|吧|工作|进行|执行)*|加油|好的?|收到|明白了?|同意|通过|完成了?|已完成|结束|停止|停|等待|无"
        r"|(?:特に|現時点で|今のところ|新たな|現在|その他|他に)*(?:の|は|、)*"
        r"(?:問題|问题|指摘|異常|コメント|懸念|変更|追加|意見|注意|不備|報告|補足)?(?:事項|点|すること)*(?:は|が|も)?(?:特に)?"
        r"(?:ありません|ありませんでした|なし|無し|ない|ないです|ございません|見当たりません|見つかりません(?:でした)?|なしです)"
        r"|(?:とても|大変|非常に)*(?:順調|完璧|良い|いい|素晴らしい|大丈夫|結構|問題ない|よくできました|良さそう|よさそう)(?:仕事)*(?:です|ですね|と思います)*"
        r"|(?:その調子|このまま)(?:で|です)?|続けて(?:ください)?|続行(?:してください)?|了解(?:です|しました)?|承知(?:しました)?|完了(?:です|しました)?|停止|以上(?:です)?"
        r"|(?:특이|문제|이상|지적|의견|추가|변경|오류|별다른|특별한)*(?:사항|점|의견|문제|이상)*(?:이|은|는|가|도)?(?:없음|없습니다|없어요|없네요)"
        r"|(?:아주|매우|정말)?(?:좋습니다|좋아요|좋네요|훌륭합니다|완벽합니다|잘했습니다|잘했어요|잘하고|있습니다|괜찮습니다|계속하세요|계속|진행하세요|확인|확인했습니다|알겠습니다|완료)"
        r"|문제|이상|특이사항|추가|사항|별다른|다른|현재|의견|지적|새로운"
    )


_DENYING = words_of("i we have see there are is still currently ok okay lgtm found and so no zero without any not or")
_DENYING |= ADJECTIVES | NOUNS | TAIL | {"nothing", "none"}
_QUESTIONS = ("is", "are", "was", "does", "do", "why", "what", "how", "who")


_EASTERN = "\N{HIRAGANA LETTER SMALL A}"
"""Before this one there are no letters of Japanese, Chinese or Korean."""


@cache
def _phrases() -> frozenset[str]:
    lines = (phrase for line in (PHRASES + SAYINGS).splitlines() for phrase in line.split(";"))
    return frozenset(fold for phrase in lines if (fold := folded(phrase)))


@cache
def _known() -> frozenset[str]:
    # Every word that noise may consist of: one look at it clears nearly all findings.
    languages = (words for language in LANGUAGES for words in language)
    return frozenset().union(_DENYING, PRAISE, PRAISED, YES, YES_FILLER, *languages, *(p.split() for p in _phrases()))


def is_noise(fold: str) -> bool:
    """Tell whether a folded text is content-free as a whole, or a bare number or sign, and nothing else."""
    if not fold or len(fold) > _LONGEST:
        return False
    if fold in _phrases() or _is_said(fold):
        return True
    if len(fold) <= _LONGEST_STRETCHED and (_is_stretched_noise(fold) or _is_bracketed_noise(fold)):
        return True
    first = fold.partition(" ")[0]
    if first in _known():
        words = fold.split()
        return first not in _QUESTIONS and _known().issuperset(words) and _says_nothing(fold, words)
    if not fold.isascii():
        return len(fold) <= _LONGEST_EASTERN and fold[0] >= _EASTERN and all(map(_east_asian().fullmatch, fold.split()))
    return _WORDLESS.fullmatch(fold) is not None


def _says_nothing(fold: str, words: list[str]) -> bool:
    return (
        _denial().fullmatch(fold) is not None
        or _is_made_of(words, PRAISE, PRAISED)
        or _is_made_of(words, YES, YES_FILLER)
        or any(_denies(words, *language) for language in LANGUAGES)
        or _in_phrases(words)
    )


def _is_made_of(words: list[str], some: frozenset[str], rest: frozenset[str]) -> bool:
    return not some.isdisjoint(words) and (some | rest).issuperset(words)


def _denies(words: list[str], negations: frozenset[str], nouns: frozenset[str], rest: frozenset[str]) -> bool:
    if negations.isdisjoint(words) or nouns.isdisjoint(words):
        return False
    return all(word in negations or word in nouns or word in rest for word in words)


def _in_phrases(words: list[str]) -> bool:
    # Whether the text is phrases in a row. Denials and praise count as phrases, too.
    reached = [True] + [False] * len(words)
    for start in range(len(words)):
        if reached[start]:
            for end in range(start + 1, min(len(words), start + 12) + 1):
                part = " ".join(words[start:end])
                if part in _phrases() or _denial().fullmatch(part) or _is_made_of(words[start:end], PRAISE, PRAISED):
                    reached[end] = True
    return reached[-1]


def _is_said(fold: str) -> bool:
    words = _said_words()
    return fold.partition(" ")[0] in words and words.issuperset(fold.split()) and _said().fullmatch(fold) is not None


@cache
def _said() -> re.Pattern[str]:
    return re.compile("|".join(PATTERNS))


@cache
def _said_words() -> frozenset[str]:
    # Letters that a pattern leaves out or adds make words, too, that no text has: a first look may let too much pass.
    written = " ".join(PATTERNS).replace("[sz]", "s").replace("?", " ")
    spelled = re.findall(r"\w+", written)
    plural = (word + "s" for word in spelled)
    return frozenset([*spelled, *plural, "+1", "organized", "apologize", "nevermind", "hmm", "hmmm", "umm"])


def _is_stretched_noise(fold: str) -> bool:
    if not _STRETCHED.search(fold):
        return False
    return any(is_noise(_STRETCHED.sub(kept, fold)) for kept in (r"\1", r"\1\1"))


def _is_bracketed_noise(fold: str) -> bool:
    # "<none>": folding keeps the two signs, which stand for more and less elsewhere.
    return fold.startswith("< ") and fold.endswith(" >") and is_noise(fold[2:-2])
