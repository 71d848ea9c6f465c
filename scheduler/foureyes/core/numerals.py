# ruff: noqa: RUF001 - the words of other scripts are meant
"""Number words: which words of a folded text are a cardinal or an ordinal, in figures or spelled out.

The lists are closed and small: the numbers up to a hundred in the languages that reviewers were seen to count in.
"""

from __future__ import annotations

import re

from foureyes.core.wordlists import words_of

__all__ = ["NUMERALS", "is_numeral", "is_roman"]

NUMERALS = words_of(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen twenty thirty forty fourty fifty sixty seventy eighty ninety hundred thousand dozen umpteenth
    first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth
    fifteenth sixteenth seventeenth eighteenth nineteenth twentieth thirtieth fortieth fiftieth sixtieth seventieth
    eightieth ninetieth hundredth thousandth nth un une deux trois quatre cinq sept huit neuf dix onze douze treize
    quatorze quinze seize vingt vingts trente quarante cinquante soixante cent premier première premiere deuxième
    deuxieme seconde troisième troisieme quatrième cinquième sixième septième huitième neuvième dixième onzième
    douzième vingtième trentième quarantième énième uno dos tres cuatro cinco seis siete ocho nueve diez once doce
    trece catorce quince veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa cien primer primero
    primera segundo segunda tercer tercero tercera cuarto cuarta quinto quinta sexto sexta séptimo séptima octavo
    octava noveno novena décimo décima undécimo duodécimo um uma dois duas três quatro seis sete oito nove dez onze
    doze treze quatorze quinze vinte trinta quarenta cinquenta sessenta cem primeiro primeira terceiro terceira
    quarto quarta sétimo sétima oitavo oitava nono nona due tre quattro cinque sei sette otto dieci primo prima
    secondo seconda terzo terza settimo settima ottavo ottava decimo decima venti trenta quaranta cinquanta eerste
    tweede derde vierde vijfde zesde zevende achtste negende tiende один одна два три четыре пять шесть семь восемь
    девять десять двадцать тридцать сорок пятьдесят шестьдесят сто एक दो तीन चार पाँच पांच छह सात आठ नौ दस पहली पहला
    दूसरी दूसरा तीसरी तीसरा चौथी चौथा पाँचवीं पांचवीं छठी सातवीं आठवीं नौवीं दसवीं
    pierwsze drugie trzecie czwarte piąte szóste siódme ósme dziewiąte dziesiąte pierwszy drugi trzeci czwarty piąty
    birinci ikinci üçüncü dördüncü beşinci altıncı yedinci sekizinci dokuzuncu onuncu
    första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde første anden fjerde sjette syvende ottende
    první druhé třetí čtvrté páté šesté sedmé osmé deváté desáté első második harmadik negyedik ötödik hatodik
    ensimmäinen toinen kolmas neljäs viides перше друге третє четверте шосте сьоме восьме дев'яте
    첫 두 세 네 다섯 여섯 일곱 여덟 아홉 열 pertama kedua ketiga keempat kelima
    """
)
"""Spelled numbers that no pattern yields."""
_SHAPES = re.compile(
    r"(?:no|nr)?\d{1,5}(?:st|nd|rd|th|er|ère|e|è|ème|eme|te|ter|tes|x|º|ª|o|a|й|я|е|го|й|ый|ая|ое|вीं)?"
    r"|(?:twenty|thirty|fou?rty|fifty|sixty|seventy|eighty|ninety)"
    r"(?:one|two|three|four|five|six|seven|eight|nine|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    r"|(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)?(?:und)?"
    r"(?:eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|dreissig|vierzig|fünfzig"
    r"|sechzig|siebzig|achtzig|neunzig|hundert)(?:zehn)?(?:s?te[rsnm]?)?"
    r"|erste[rsnm]?|dritte[rsnm]?|siebte[rsnm]?|achte[rsnm]?"
    r"|(?:перв|втор|трет|четв[её]рт|пят|шест|седьм|восьм|девят|десят|сотн|\w*надцат|\w*дцат|сороков|пятидесят)"
    r"(?:ый|ой|ий|ая|ое|ье|ья|ого|ому|ем|ую)"
    r"|第?[一二三四五六七八九十百两兩〇零]{1,6}"
)
_ROMAN = re.compile(r"(?=[ivxlcdm])m{0,3}(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})")


def is_numeral(word: str) -> bool:
    """Tell whether a folded word is a number: "7", "3rd", "forty", "dritte", "третье", "四十"."""
    return word in NUMERALS or _SHAPES.fullmatch(word) is not None


def is_roman(word: str) -> bool:
    """Tell whether a folded word is a Roman number below 4,000, "mix" and "dim" being two words that are not meant."""
    return _ROMAN.fullmatch(word) is not None and word not in ("mix", "mi", "di", "id", "dim", "civic")
