# ruff: noqa: RUF001 - the words of other scripts are meant
"""Closed lists of the words by which two sentences differ that otherwise agree: negation, direction, quantity, units.

They are in the languages that reviewers were seen to write. A word that is in no list can still tell two notes apart;
these do so even though they look like fillers, or although another word of theirs is used for the same.
"""

from __future__ import annotations

from foureyes.core.wordlists import words_of

__all__ = [
    "ABSENCE",
    "ADVICE",
    "COMMON",
    "CONNECTORS",
    "CUT_NEGATIONS",
    "DOUBLED",
    "EXCEPTIONS",
    "FILLERS",
    "LOOSE",
    "NEGATIONS",
    "NUMBER_WORDS",
    "OPENERS",
    "PASSIVE",
    "PROHIBITIONS",
    "SCALES",
    "UNITS",
    "UNIT_NAMES",
]

FILLERS = words_of(
    """the a an this that these those it its he she him her his hers they them their theirs we us our you your i me my
    is are was were be been being am get gets got has have had having do does did doing will would shall should can
    could
    may might must going go goes s re ve ll d m t and or but so then thus hence therefore yet still also just even
    though
    although because since as while whereas which who whom whose what when where if whether there here of at by with for
    in on to into onto over about per via than such very quite really now any one each every single own other ones
    itself
    themselves else don doesn didn isn aren wasn weren won hasn haven hadn shouldn wouldn couldn mustn needn e g i vs
    der die das den dem des ein eine einen einem einer eines ist sind war waren wird werden wurde wurden hat haben und
    oder aber auch noch dann weil da dass wenn als wie es er sie ihr im an am auf bei mit für von vom zu zum zur
    le la les un une du de l et ou mais donc est sont été ont il elle ils elles ce cette ces se sa son ses
    qui que qu dont où en au aux à dans sur pour par avec y n
    el los las una unos unas del al o pero es fue ha han su sus lo con como
    um uma uns umas do dos e são foi tem na no nas nos ao com seu sua
    и или но а в во на с со к ко по за из у о об от для же бы это этот эта то так что его ее её их он она они
    है हैं था थे की का के को में से पर और यह वह ने भी कि हो रहा रही"""
)
"""Words that say nothing of a finding by themselves."""

COMMON = words_of(
    """customer customers
    user users agent agents error errors test tests tested data value values file files call calls called run runs
    running code return returns returned line lines check checks checked set sets setting settings request requests
    change changes changed report reports answer answers all only wrong made make makes making take takes taken took
    said says say saying left out up first two second third last time times from before after until more less most under
    not like without within during between both some same new old too much many few next again never always instead
    rather through against down off away finding findings issue issues problem problems note notes use uses used using
    build builds built need needs needed want wants wanted give gives given show shows shown keep keeps kept put puts
    come comes came see sees seen find finds found know known work works working look looks add adds added read reads
    write writes written start starts started end ends ended name names named number numbers part parts place places
    thing things way ways case cases kind type types text step steps state states result results page pages list lists
    item items field fields key keys word words message messages system process different other others way still
    already back long short every day days now since once twice final"""
)
"""Words that many findings share, and that are little evidence that two are one."""

LOOSE = words_of(
    """the a an is are was were be been being am get gets got has have had having do does did will would and but so then
    also just that which who while as since because s re ve ll t der die das den dem des ein eine einen einem einer ist
    sind war wird werden wurde und aber le la les un une de du des l et est sont a été qui que el los las una del y es
    fue ha que o os as um uma e é são foi и а это же है हैं था थे"""
)
"""Those of the fillers that may change without anything being meant by it: "our" and "their" may not."""

NEGATIONS = words_of(
    """not no never none nobody nothing neither nor cannot cant without non unsafe unable impossible
    nicht kein keine keinen keiner keinem nie niemals ohne unmöglich ne pas aucun aucune jamais sans
    nunca jamás sin ningún ninguna não nem sem nenhum nenhuma senza mai nessun не нет без никогда नहीं न मत बिना
    niet geen nooit zonder 않는다 않습니다 않음 않아 없다 없습니다 없음 안 못"""
)
CUT_NEGATIONS = words_of("can don doesn didn isn aren wasn weren won hasn haven hadn shouldn wouldn couldn mustn needn")
"""What is left before the t of "can't" once the apostrophe is folded away."""
ABSENCE = words_of(
    """missing absent lack lacks lacking lacked fails fail failed forgets forgot forgotten omits omit omitted misses
    missed
    excludes exclude excluded instead rather consider suggest recommend propose contradicts contradicted otherwise
    untrue false falsely wrongly fehlt fehlen fehlte manque manquent absente omet omite omiten falta faltan
    excluye manca mancano ontbreekt отсутствует отсутствуют пропускает"""
)
"""Words that deny without a negation: "no index", "an index is missing" and "consider an index" are one finding."""
ADVICE = words_of("please should ought whether bitte sollte ob devrait debería deveria следует")
"""Words that ask for what is not: "x should be checked" and "x is not checked" are one finding."""
PROHIBITIONS = words_of("do don never")
"""What a sentence begins with that asks for the opposite: "do not check x" is another finding than those."""
EXCEPTIONS = (
    words_of(
        """only just solely merely exclusively nur lediglich bloß bloss seulement uniquement solo sólo solamente somente
        apenas soltanto только лишь"""
    ),
    words_of("except unless außer ausser sauf excepté salvo excepto exceto eccetto tranne кроме"),
)
"""What narrows a claim; the words of each set say the same."""
DOUBLED = words_of(
    "nunca jamás nada nadie ningún ninguna nenhum nenhuma ninguém niente nessuno mai никогда ничего никто aucun jamais"
)
"""Negations that in their languages go with another one and deny no more for it."""
PASSIVE = words_of("is are was were be been being ist sind wird werden wurde est sont été es son fue é são foi")
"""With one of these the roles of a sentence may stand in the other order."""
CONNECTORS = words_of(
    """by because since when if as while after before and with once until so weil wenn als durch von vor nach und par
    parce si quand car avant après et por porque cuando antes después y quando e если когда потому после до и"""
)
"""With one of these a sentence can be turned round and still say the same."""

OPENERS = words_of(
    """if when whenever because since as while after before until once unless although though despite without with on in
    at during for under wenn weil da als nach vor bei während si quand lorsque parce comme après avant pour pendant
    cuando porque como después antes para según se quando porque depois если когда потому после до अगर जब"""
)
"""What a clause or a phrase begins with that may stand at the front of its sentence or at its end."""

_SCALES = """
before prior earlier ahead until vor bevor vorher avant antes до перед
| after later afterwards once nach nachdem danach après después depois после;
more greater higher larger longer faster above over mehr höher größer länger plus supérieur supérieure más mayor mais
maior больше выше
| less fewer lower smaller shorter slower below under weniger niedriger kleiner kürzer moins inférieur inférieure menos
menor меньше ниже;
older | younger newer; first | last | second | third; strict tight | loose lax | lenient; short | long; old | new
minimum min least lowest | maximum max most highest;
increase increases increased raise raises raised up upwards upward grows gains
| decrease decreases decreased reduce reduces reduced down downwards downward shrinks loses;
all both always alle jede immer tous toutes toujours todos todas siempre sempre все всегда daily
| some several einige manche quelques parfois algunos alguns некоторые иногда sometimes occasionally often
| only nur seulement seul solo sólo só только
| few wenige peu pocos poucos
| many most viele beaucoup muchos;
open opens opened | close closes closed; start starts begin begins | stop stops end ends;
encode encodes | decode decodes; encrypt encrypts | decrypt decrypts; read reads reader | write writes writer;
send sends sent | receive receives received; add adds added | remove removes removed delete deletes deleted;
enable enables enabled | disable disables disabled; lock locks | unlock unlocks; push | pull; import | export;
allow allows allowed accept accepts accepted | deny denies denied reject rejects rejected;
true | false; left | right; early | late; upper | lower; ascending | descending; success | failure; local | remote;
input | output; source | target destination; sender | recipient receiver; debit debited | credit credited;
buyer buyers | seller sellers; landlord | tenant; employer | employee; plaintiff | defendant; borrower | lender;
mother | father | child; inbound incoming | outbound outgoing; client clients | server servers;
thousands | millions | billions; here | there; own | other; one | other; my | your | our | their | his | her | its;
mein | dein | unser | ihr; mon | ton | notre | votre | leur; mit | ohne; con | sin; com | sem; avec | sans
"""
SCALES: dict[str, tuple[tuple[int, int], ...]] = {}
"""The scales that a word is on, and at which end: two ends of one scale say another thing. The first two are turned
round together with their sentence ("a before b", "b after a")."""
for _number, _scale in enumerate(_SCALES.split(";")):
    for _end, _words in enumerate(_scale.split("|")):
        for _word in _words.split():
            SCALES[_word] = (*SCALES.get(_word, ()), (_number, _end))

_UNITS = """
ms millisecond milliseconds msec; s sec secs second seconds sekunde sekunden seconde secondes segundo segundos секунд;
min mins minute minutes minuten minutos минут; h hr hrs hour hours stunde stunden heure heures hora horas часов;
day days tag tage tagen jour jours día días dia dias дней; week weeks woche wochen semaine semaines semana semanas;
month months monat monate monaten mois mes meses mês месяцев; year years jahr jahre jahren an ans année años ano anos;
b byte bytes; kb kib ki kilobyte kilobytes; mb mib mi megabyte megabytes; gb gib gi gigabyte gigabytes; tb tib ti;
bit bits; kbit; mbit; gbit; m metre metres meter meters; km kilometre kilometres kilometer kilometers; cm; mm;
mile miles; ft feet foot; inch inches; kg kilogram kilograms; g gram grams; mg; lb lbs pound pounds; oz ounce ounces;
eur euro euros; usd dollar dollars; gbp; chf; jpy yen; cent cents; percent pct; percentage pp; points; px; em; rem;
celsius; fahrenheit; kwh; mwh; litre litres liter liters; gallon gallons
"""
UNIT_NAMES: dict[str, str] = {word: unit.split()[0] for unit in _UNITS.split(";") for word in unit.split()[1:]}
"""The first spelling of a unit, for each of the others."""
UNITS: dict[str, int] = {word: number for number, unit in enumerate(_UNITS.split(";")) for word in unit.split()}
"""The unit that a word after a number names, whatever its spelling."""

_NUMBERS = """
1 first; 2 two second zwei deux dos dois два; 3 three third drei trois tres três три; 4 four fourth vier quatre cuatro
quatro четыре; 5 five fifth fünf cinq cinco пять; 6 six sixth sechs seis шесть; 7 seven seventh sieben sept siete sete
семь; 8 eight eighth acht huit ocho oito восемь; 9 nine ninth neun neuf nueve nove девять; 10 ten tenth zehn dix diez
dez десять; 11 eleven elf onze; 12 twelve zwölf douze doce doze; 15 fifteen; 20 twenty zwanzig vingt veinte vinte
двадцать;
30 thirty; 40 forty; 50 fifty; 60 sixty; 90 ninety; 100 hundred hundert сто
"""
NUMBER_WORDS: dict[str, str] = {
    word: value for value, *words in (number.split() for number in _NUMBERS.split(";")) for word in words
}
"""Spelled numbers, as figures. One is left out: in most languages it is an article."""
