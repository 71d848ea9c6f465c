"""What a reviewer says that finds nothing, by kinds: praise, status, denials, narration, apologies, tokens.

The patterns are for whole folded texts, and each of their words is written out, so that a text with any other word in
it is never one of them.
"""

from __future__ import annotations

__all__ = ["PATTERNS", "SAYINGS"]

_THING = (
    "(?:solution|approach|implementation|code|fix|change|refactoring|refactor|design|structure|idea|plan|patch|work)"
)
_FINDING = """(?:issues?|problems?|concerns?|errors?|bugs?|mistakes?|defects?|blockers?|findings?|red flags?|flags?)"""
_HERE = (
    "(?: (?:here|so far|yet|at this (?:time|point|stage)|in this (?:turn|diff|change)|this turn|with this|now|for now"
    "|today|at all|else|right now|from me|either))*"
)

PATTERNS = (
    (
        rf"(?:this is |that is |that s |it s |what )?(?:an? )?(?:very |really |quite |so |pretty |super )*"
        rf"(?:clean|neat|elegant|tidy|solid|great|good|nice|clever|smart|robust|lovely|beautiful|sensible|reasonable)"
        rf" (?:{_THING}|catch|call|thinking|stuff|question|point)(?: here| so far)?"
    ),
    (
        r"(?:very |really |quite |so |all )*(?:well|nicely|beautifully|cleanly|elegantly|neatly|clearly)"
        r" (?:done|written|structured|organi[sz]ed|implemented|handled|designed|thought out|explained|executed|spotted)"
    ),
    rf"(?:i )?(?:really |just )?(?:love|like|appreciate) (?:it|this|that|(?:this|the|that|your) {_THING})",
    r"you (?:re|are) doing (?:great|well|fine|good|a great job|a good job|very well)",
    r"(?:this |that |it )?sounds (?:good|great|fine|right|reasonable|perfect)(?: to me)?",
    (
        r"(?:status|health|verdict) "
        r"(?:ok|okay|green|good|fine|normal|done|nominal|complete|unchanged|pass|passed|clean)"
    ),
    (
        r"(?:all |everything |it |things )?(?:is |are |s )?"
        r"(?:(?:working|proceeding|going|running|progressing|moving)"
        r" (?:(?:as|along|according to) (?:expected|planned|plan|intended|nicely|well|smoothly)|smoothly|well)"
        r"|in order|on schedule)"
    ),
    r"(?:everything |all |this |it |looks )?(?:is )?as (?:expected|planned|intended|it should be)",
    r"(?:i am |i m |agent is |all |still )?(?:ready|all set|good)(?: to (?:go|proceed|continue|merge|ship))?",
    (
        rf"nothing (?:has |new |was )?(?:changed|stands out|stood out|jumps out|wrong|unusual|suspicious|alarming"
        rf"|concerning|problematic|to worry about){_HERE}"
    ),
    (
        rf"no (?:new |other |further |major |more |real )*{_FINDING}"
        rf"(?: (?:were |was )?(?:found|detected|seen|spotted|identified))?{_HERE}"
    ),
    r"same as (?:last|the last|the previous|previous) (?:time|turn|review|one|note|round)",
    (
        rf"(?:i |we )?(?:do not|don t|did not|didn t|i cannot|i can t|i could not|i couldn t) (?:really |currently )?"
        rf"(?:see|find|spot|notice|have|detect)"
        rf" any(?:thing wrong|thing| (?:new |other |further |major |more |real )*{_FINDING}){_HERE}"
    ),
    (
        rf"there (?:is|s|are) (?:nothing wrong|no (?:red )?flags?|no action items?)"
        rf"(?: with (?:this|that|it|the {_THING}))?{_HERE}"
    ),
    rf"no (?:red flags?|action items?|complaints?|surprises?|worries|showstoppers?)(?: to report)?{_HERE}",
    (
        r"(?:i am |i m |i will be |still |just |now )*(?:standing by|waiting|watching|monitoring|observing)"
        r"(?: for (?:the |any |your )?(?:further|next|more|new) "
        r"(?:instructions?|turns?|steps?|updates?|input|messages?|changes|activity|developments|rounds?)"
        r"|(?: for)? (?:instructions|updates|quietly|silently|closely))?"
    ),
    (
        r"(?:i will |i ll |will |i am |i m |still )*(?:continue|continuing|keep|keeping) "
        r"(?:to (?:monitor|observe|watch|wait|listen)|monitoring|observing|watching|an eye on (?:it|this|things))"
        r"(?: (?:closely|silently|quietly|the agent|the run|the session|for now))*"
    ),
    (
        r"(?:(?:i am |i m |so |very )*sorry|(?:my )?apologies|i apologi[sz]e|excuse me)"
        r"(?: (?:about|for) (?:that|this|it|the (?:noise|confusion|repetition|delay|inconvenience|mistake)))?"
    ),
    (
        r"(?:hm+|um+|uh|ah|oh|well|oops|whoops)"
        r"(?: (?:ok|okay|i see|sorry|right|yes|no|interesting|fine|never mind|well))?"
    ),
    r"(?:very |how |that s |this is )?interesting|(?:oh |ok |ah )?i see|my (?:bad|mistake)|never ?mind",
    r"(?:all )?fine (?:by|with|for) me|(?:full )?green(?: light)?(?: from me)?|good to go|clear to proceed",
    r"lgtm (?:\+1|ship it|approved)|l g t m|x (?:done|ok|none)|spot on|nailed it|top notch|not yet",
    r"(?:keep up the|keep the|great|good|nice) (?:momentum|pace)|in progress|(?:still )?in progress|well put",
)

SAYINGS = """
work in progress; wip; todo; nope; nah; yep; yup; eos; pad; sep; cls; unk; eot; bos; ready; all set; oops; sorry
entschuldigung; verzeihung; tut mir leid; sorry dafür; nichts neues; alles beim alten; keine neuigkeiten
désolé; désolée; pardon; excusez moi; toutes mes excuses; tout est en ordre; rien de neuf; rien de nouveau
perdón; lo siento; disculpa; disculpas; todo en orden; sin novedades; sin novedad; nada nuevo; todo sigue igual
desculpe; desculpa; tudo em ordem; sem novidades; nada de novo
scusa; scusate; mi dispiace; tutto a posto; tutto in ordine; nessuna novità; niente di nuovo
excuses; alles in orde; niets nieuws; förlåt; ursäkta; undskyld; beklager; inget nytt; intet nyt; allt är i sin ordning
anteeksi; kaikki kunnossa; ei uutta; przepraszam; nic nowego; wszystko w porządku; promiňte; omlouvám se; nic nového
özür dilerim; yeni bir şey yok; elnézést; bocsánat; minden rendben; scuze; îmi pare rău; totul e în regulă; totul este
în regulă
извините; простите; прошу прощения; ничего нового; всё по плану; все по плану; вибачте; нічого нового
συγγνώμη; όλα εντάξει; maaf; xin lỗi; tidak ada yang baru; ขอโทษ; عذرا; آسف; סליחה; माफ़ कीजिए; क्षमा करें
抱歉; 对不起; 對不起; 不好意思; 一切正常; 没有新情况; 無新情況
すみません; 申し訳ありません; 失礼しました; ごめんなさい; 変わりありません; 異議なし
죄송합니다; 미안합니다; 변동 없음; 변동 사항 없음; 새로운 내용 없음
"""
