"""Words of reviewing that are used for one another: programs, data, documents, customer service.

Two authors tell one finding in other words, and what is left in common is often a pair of these. The groups are
general and closed, in base forms, with a semicolon between two; a word may be in several. They only ever help to flag
and to rank a note.
"""

from __future__ import annotations

from functools import cache, lru_cache

__all__ = ["groups"]

_GROUPS = """
secret credential password passphrase token apikey key; print write wrote written log emit output dump record trace
echo; console stdout terminal stderr screen; startup boot launch start begin began begun initialise initialize init
open; end finish complete conclude close terminate shutdown exit quit stop; crash panic abort die segfault kill fall;
fail failure break broke broken error fault exception throw thrown raise go wrong; ignore swallow drop discard
suppress disregard overlook neglect skip omit lose unhandled unchecked leave out miss forget forgot forgotten; miss
missing absent lack without no none nowhere omit leave left lose forget never; delete remove erase purge wipe destroy
drop clear lose lost gone vanish disappear truncate; create make made build built generate produce construct; add
append insert include attach put; change modify alter edit update mutate adjust touch rewrite rewrote amend revise;
overwrite overwrote overwritten replace clobber override; copy duplicate clone replicate mirror; twice double doubly
repeat repeatedly again duplicate second two both multiple redundant; send sent transmit deliver dispatch post forward
ship issue submit upload; mail email message letter mailing notice; receive get got obtain fetch retrieve load read
download pull take took taken accept collect; call invoke execute run ran trigger fire perform launch; request query
call hit; retry attempt reissue resend try reattempt redo repeat; pause delay wait sleep backoff interval gap spacing;
slow sluggish lag latency lengthy long delay stall performance expensive costly; fast quick rapid speed; hang block
freeze froze frozen stuck stall wedge unresponsive; deadlock lock mutex; race concurrent concurrency parallel
simultaneous simultaneously thread synchronise synchronize unsynchronised lock threadsafe interleave; container image
docker pod; root admin administrator privilege superuser sudo elevated; user account person people human operator
visitor member; permission right authorization authorisation authorise authorize access acl role grant allow permit
privilege; login signin authenticate authentication auth logon session; allow permit accept grant let enable pass;
deny reject refuse decline forbid forbidden block prohibit disallow turn; check validate validation verify
verification ensure confirm guard sanitise sanitize inspect examine look; test spec assert assertion exercise suite;
coverage cover untested uncovered exercise test; wrong incorrect false mistaken erroneous invalid bad faulty
inaccurate error mistake incorrectly wrongly off flawed untrue; right correct true accurate valid proper; outdated
obsolete stale old deprecated expired superseded past previous former earlier yesterday; new recent latest current
fresh now newest up modern; unsupported unfounded baseless unsubstantiated unproven unverified evidence proof prove
support back basis; conclusion inference claim assertion statement state say said assert conclude infer allege
maintain; source citation cite reference refer attribute quote quotation origin provenance; invent fabricate
hallucinate made up fictitious nonexistent imaginary bogus exist fake; sample cohort subject participant patient
population group; few small little tiny insufficient minor scarce low short; many large big huge numerous high vast
great massive lot excessive; money monetary currency amount sum price cost fee charge total figure value; float double
decimal precision rounding; round truncate precision rounding; cent penny pennies pence; date day timestamp time
deadline calendar moment when; timezone utc local tz zone offset dst daylight; file document attachment paper; folder
directory dir path location; close release free dispose cleanup unclosed; leak expose disclose reveal divulge leakage
accessible visible; memory heap ram oom footprint; grow grew grown unbounded limitless infinite endless forever
unlimited accumulate pile balloon swell; limit cap bound quota maximum ceiling threshold restrict; size length large
big; cache memoise memoize; tenant customer client shopper buyer consumer purchaser organisation organization; seller
vendor merchant supplier shop store retailer; order purchase buy bought; invoice bill charge billing; refund reimburse
reimbursement repay repayment credit moneyback; pay paid payment settle transaction remit; guarantee warranty
assurance; answer reply response respond address; question ask inquiry enquiry query; apologise apologize apology
sorry regret; exempt exemption exception exclude excluded waive; minor child children underage juvenile kid teenager;
adult grownup; contract agreement deal treaty; clause condition provision term stipulation section paragraph article;
withdraw withdrawal cancel cancellation terminate termination rescind revoke; loan financing credit mortgage borrow
bank lender; law statute regulation rule act legal legislation directive ordinance; court judge tribunal judgment
ruling; summary summarise summarize abstract overview recap digest; report document paper draft write account; column
field attribute property; row record entry line tuple; index indexes indices; database db datastore store storage
persistence; schema migration ddl; join merge; filter where restrict select condition; sort order rank sequence
arrange; null none nil undefined empty missing; empty blank zero; default fallback preset; parameter argument arg
option flag switch setting; variable symbol; function method procedure routine helper; class type struct; loop iterate
iteration cycle repeat each; number count counter quantity tally figure; average mean median; percent percentage share
proportion rate ratio; chart graph plot diagram figure visualisation visualization picture; mislead misleading deceive
distort exaggerate dramatic inflate skew overstate misrepresent; understate downplay minimise minimize; hide hid
hidden mask conceal obscure invisible disguise; show display render present appear visible depict; page screen view
site website; link url href hyperlink; dead defunct gone retired nonexistent broken unreachable discontinued; keyboard
tab; accessibility accessible a11y screenreader contrast disabled; mouse click pointer tap; server backend host
machine node; network connection socket internet; timeout deadline expire; encrypt cipher tls https ssl; plaintext
plain cleartext unencrypted clear http; hash digest checksum; injection inject interpolate concatenate concatenation
format splice embed paste; escape quote sanitise sanitize encode unescaped unquoted; regex regexp pattern expression;
exponential catastrophic backtrack quadratic redos; attacker hostile malicious crafted adversary intruder hacker
untrusted; everybody everyone anyone anybody world public all anonymous; process program daemon application app
service binary; job task cron batch worker; schedule nightly daily night hourly periodic; queue backlog buffer; event
signal notification; production prod live; deploy deployment rollout release ship publish; config configuration
setting preference; dependency package library module; documentation docs readme manual guide docstring comment;
rename name call title label; unused dead unreferenced unreachable needless; useless redundant superfluous needless
unnecessary pointless; split separate divide decompose extract; merge combine join unite consolidate; share common
mutual joint; same identical equal alike equivalent; differ different mismatch disagree contradict inconsistent
deviate discrepancy conflict diverge tally match clash; confuse mix swap mistake interchange conflate; success
successful succeed pass green ok; stop halt cease; increase rise rose risen raise grow climb up higher; decrease
reduce fall fell lower down shrink decline; translate translation language wording; search lookup find found look;
room hotel accommodation; flight plane airline; book booking reserve reservation; meeting appointment call; approve
approval consent permission authorise sign agree agreed; instruct instruction told request ask demand order wish want
require; inform notify tell told notification communicate announce alert warn; assume assumption guess presume suppose
speculate; important matter significant crucial essential key; private personal internal confidential sensitive pii;
public external open outside; input payload argument; string text; sign signature; part partial partially subset some
incomplete half; whole entire entirely all complete full fully every; unconditional unconditionally always invariably;
never not; optional mandatory required compulsory; temp temporary scratch interim; permanent permanently persistent
lasting; child subprocess fork; unsafe dangerous insecure vulnerable risky hazard exploit hole weakness; safe secure
protect; random seed nondeterministic flaky flakey intermittent unstable sporadic unreliable; clean cleanup tidy
leftover residue remain stay left; rollback revert undo restore backout reverse; backup restore snapshot archive;
transaction atomic atomically commit; constraint unique uniqueness foreign; integer int overflow wrap; negative minus
below sign; positive plus above; first initial beginning; last final end; before prior earlier ahead; after later once
following; hardcode hardcoded literal constant magic baked fixed; expire expiry ttl lifetime validity; subscribe
subscription unsubscribe membership plan; discount rebate voucher coupon reduction; tax vat duty levy; shipping
delivery shipment parcel package courier; damaged broken defective faulty; complaint complain grievance; doctor
physician clinician; drug medicine medication tablet dose prescription; disease illness condition diagnosis; symptom
sign; weight mass; distance far mile kilometre length; street address location place where; phone telephone mobile
call number; salary wage pay compensation; employee staff worker employer; landlord tenant lessor lessee lease rent;
house home flat apartment property building; car vehicle auto; school pupil student teacher; train model fit fitted
learn; evaluate evaluation score metric measure accuracy assess benchmark; leak contaminate contamination peek see
seen holdout; overfit overfitting; bias biased unfair skew unrepresentative; correlation causation cause causal
because; significance significant pvalue; outlier extreme anomaly; impute interpolate fill guess; label annotate
annotation tag class; quarter month year annual; revenue turnover sales income earnings; profit margin gain; expense
spending outlay cost; budget forecast plan projection; growth rate; footnote note caption; heading title header
headline; spelling typo misspell misspelt misspelled spelt; grammar sentence phrase; tone rude impolite harsh
unfriendly curt polite courteous; unclear ambiguous vague confusing; contradict inconsistent opposite; escalate
escalation supervisor manager hand forward; promise commit pledge assure guarantee; policy rule guideline terms
procedure; identity verify identification proof; fraud scam phishing; scope unrelated unasked unrequested beyond extra
outside requested; plan step stage phase; git branch commit push force; conflict merge rebase; lint linter format
style; compile build ci pipeline; cpu processor core; disk storage volume space; pool connection exhausted exhaust
starve; allocate allocation buffer; pointer dereference dangling; await async asynchronous coroutine promise; callback
handler hook listener; render rerender repaint redraw; component widget element; state store; cookie session storage;
header metadata; endpoint route api url handler; status code; body content payload; redirect forward; cors origin;
csrf forgery; xss script markup html; upload attachment; paginate pagination page limit; memory unbounded whole
entire; stream chunk buffer; quota throttle rate; healthcheck probe liveness readiness health; alert alarm page;
metric gauge counter label cardinality; replica standby follower secondary; primary leader master; shard partition;
cluster node; terraform infrastructure provision; bucket s3 blob object; region zone; certificate cert tls expiry;
firewall port ingress exposed; hard difficult tough tricky tedious; easy simple trivial straightforward; problem issue
defect bug flaw trouble; cause reason because why due root; effect result consequence outcome lead therefore; prevent
avoid stop protect guard forbid hinder; need require must necessary demand want; use employ utilise utilize apply rely
consume depend; hold keep kept retain preserve store contain maintain; put place set insert assign; give provide
supply offer hand pass; turn convert transform cast change parse coerce map; count tally number total; measure gauge
quantify time; compute calculate derive work; choose chose chosen select pick opt decide; real genuine actual true
proper; find detect discover notice spot see identify; think believe consider regard deem; know understand realise
realize aware; speak say mention discuss talk cover address treat; explain describe clarify detail document; suggest
recommend propose advise; correct fix repair solve resolve remedy cure patch; improve enhance better optimise
optimize; worsen degrade deteriorate regress regression; damage harm corrupt ruin spoil break mangle garble; waste
squander idle; expect anticipate assume presume; trust believe rely confidence; happen occur arise appear emerge;
affect influence impact hit touch concern; depend rely hinge; compare against versus contrast; combine join merge mix
together; divide split separate; move shift relocate transfer migrate; enter type input key fill; leave exit quit
depart abandon; return come back give; follow obey respect honour honor comply adhere observe; violate breach
contravene ignore disobey; happen race collide clash conflict; reuse recycle share; duplicate redundant same again;
outside beyond exceed over above past more; inside within in under; between among; near close adjacent next; different
other another separate distinct; only solely merely just exclusively single; every each all any per; half part
partial; rare seldom rarely infrequent uncommon; often frequent frequently common usual usually typical; quick soon
immediate immediately instantly promptly once straight directly; late overdue delayed belated; early premature
prematurely soon; temporary transient brief; exact exactly precise precisely; approximate roughly about estimate
estimated; certain sure definite confident; unknown unclear unspecified undefined unnamed; valid legal legitimate;
invalid illegal malformed unparseable; broken corrupt damaged; full exhausted saturated complete; heavy expensive
costly intensive; strange odd unexpected surprising weird; harmless benign safe; empty none nothing zero blank
without; group cluster team batch set; list array collection sequence series enumerate; map dictionary dict hash
lookup; object instance entity; interface contract protocol api; message text string wording; word term phrase
expression; topic subject theme matter; example sample instance illustration; guide instruction direction manual;
warning alert caution; mistake error slip blunder typo; feature function capability; bill receipt invoice; ticket case
issue request; client browser frontend ui; admin operator maintainer ops; developer programmer engineer author;
manager supervisor boss lead; reader audience recipient; writer author; visitor guest; tool utility command; command
shell cli bash; button control widget; icon image picture logo photo; colour color contrast hue; font text type; menu
dropdown select picker selector; dialog modal popup window; field input box form; mobile phone small screen
responsive; layout design style css; price cost amount rate fare; cheap low inexpensive; balance account sum funds;
deposit advance upfront; interest rate yield; share stock equity; debt liability owe owes owed outstanding; asset
property holding; audit review inspect examine; approve sign confirm accept clear; date deadline due; period duration
interval span window term range; weekend holiday closed; morning evening night overnight; annual yearly year; monthly
month; weekly week; hour hourly; rate speed frequency pace; map chart; north south east west; country nation state;
city town; europe european eu gdpr; privacy personal gdpr data protection; consent agreement opt permission; age old
birthday birth; gender sex; name surname person; married spouse wife husband; parent mother father; baby infant
newborn; pregnant pregnancy; allergy allergic; blood test lab panel; surgery operation procedure; hospital clinic
ward; nurse doctor staff; food meal dish; drink alcohol; travel trip journey; train rail; visa passport; luggage
baggage bag; seat place; cancel refund void; exchange swap replace; guarantee promise assure; quality standard grade;
proof evidence receipt; fair unfair bias; threat danger risk hazard; weak strong; strength power; energy electricity
power; heat temperature warm hot; water leak flood; noise silence; light dark; sum add plus total; subtract minus
deduct; multiply times product; divide ratio quotient; equal same match; greater larger bigger more exceed; smaller
less fewer lower; highest maximum max top most peak; lowest minimum min bottom least; trend slope growth; baseline
control reference; hypothesis claim theory; experiment trial study test; method approach technique way; dataset data
corpus; feature variable predictor column; target label outcome; training fit learn; validation holdout evaluation;
duplicate row repeated record; unit scale measure; axis baseline origin; legend caption label key; outdated superseded
older; latest newest recent; draft unfinished preliminary wip; final finished definitive; appendix annex attachment
schedule; chapter section part; title headline heading; signature sign autograph; translate render version; literal
verbatim word exact; omit leave skip drop ignore; invent fabricate make false fictional; misquote misstate distort;
assume guess; contradict conflict oppose; repeat restate duplicate; shorten trim cut abbreviate; lengthy long verbose
wordy; polite formal; jargon technical; audience reader customer; goal aim purpose objective intent; ask request
order; allowed permitted entitled may; obligation duty must obliged; liable liability responsible responsibility;
penalty fine fee; notice period termination; tenant renter occupant; owner proprietor landlord; witness testify;
evidence exhibit; appeal objection; guilty innocent; sandbox isolate isolation container; host machine server; port
socket; proxy gateway router; dns domain hostname resolve; packet request traffic; load balance; scale replicas
horizontal; crash restart loop; upgrade update bump migrate; downgrade rollback revert; patch fix hotfix; feature flag
toggle; monitor observe watch metrics; trace span; sample rate; alert page notify; cron schedule timer; retry backoff;
idempotent twice duplicate; order sequence; consumer worker subscriber; producer publisher; topic queue channel; lock
lease hold; starve wait block; scan read search; full table; plan explain; nullable null optional; cascade delete
propagate; trigger hook; view query; cursor iterator; batch chunk bulk; export dump; import load ingest; format layout
serialise serialize; encode encoding charset utf8 unicode; decode parse; newline line break; whitespace space blank;
quote apostrophe; comma separator delimiter; case upper lower capital; trim strip; pad fill; slice cut substring;
compare equality identity; copy alias reference share mutable; constant immutable frozen fixed; global shared static
singleton; local private inner; public exported; inherit subclass extend derive; override shadow hide; generic
template; cast coerce convert any; assert check invariant; mock stub fake double; fixture setup; snapshot golden; skip
disable ignore xfail; random nondeterministic order; sleep wait; real genuine actual true authentic; state claim say
assert; finish complete end terminate stop; entire whole all complete full; hold held; send sent; build built; keep
kept; lose lost; find found; run ran; begin began begun; break broke broken; choose chose chosen; fall fell fallen;
give gave given; know knew known; leave left; make made; pay paid; say said; see saw seen; sell sold; speak spoke
spoken; take took taken; think thought; tell told; throw threw thrown; understand understood; go went gone; write
wrote written; bring brought; buy bought; catch caught; come came; draw drew drawn; feel felt; grow grew grown; hide
hid hidden; lead led; mean meant; meet met; rise rose risen; spend spent; stand stood; win won; get got gotten; lend
lent; teach taught; enthält enthalten weist hat nennt führt zeigt; prüft prüfen überprüft kontrolliert validiert
testet; speichert schreibt legt protokolliert; löscht entfernt verwirft; sendet schickt versendet verschickt; falsch
fehlerhaft unrichtig inkorrekt verkehrt; langsam träge; schließt geschlossen; antwort reply auskunft; rechnung
faktura; kunde kundin käufer; preis kosten betrag; vérifie contrôle teste valide; écrit inscrit enregistre apparaît
figure journalise; supprime efface retire enlève; envoie expédie transmet; faux erroné incorrect inexact; ferme fermé;
contient comporte inclut; réponse message; facture note; prix montant coût; comprueba verifica valida revisa controla;
escribe guarda registra aparece figura; borra elimina suprime quita; envía manda remite; incorrecto erróneo equivocado
falso; contiene incluye lleva; respuesta contestación; factura recibo; precio importe coste; verifica valida confere
checa; grava escreve registra; apaga remove exclui elimina; envia manda; errado incorreto; проверяет проверяют
проверка проверить; пишет пишется записывает записывается сохраняет; удаляет удаляется стирает; отправляет посылает
шлёт; неверный неправильный ошибочный; содержит включает; once simultaneous concurrent parallel; trained training
train learn; loaded load fetch; narrow filter restrict; exceed above over; tiny small; username login account user;
superuser root admin; freeze froze frozen hang hung block stuck; app application program ui interface; undo rollback
revert rolled; expire end lapse run; vulnerability hole weakness flaw exploit; literal word verbatim; quote
apostrophe; crash break fail; nobody never no; restore backup snapshot; repeat provide; disk storage stored file
upload; rude unfriendly impolite harsh; date day; wrong another different; excess exceed high too; buffer memory
allocate reserve; iteration loop time; refund money return repay; late longer delay; alternative alt text description;
sort order ordered alphabetical lexical; duplicate copy copied same several; embellish exaggerate polish look; entry
row record; euro dollar currency; requests require demand need; sensitive personal private; dump report; ignore
swallow silent; connection handle socket; worker job task
"""

_KEPT = 2_048


@lru_cache(maxsize=_KEPT)
def groups(word: str) -> tuple[int, ...]:
    """Return the numbers of the groups that a folded word is in, whatever its inflection; none for most words."""
    return tuple(sorted({number for base in (word, *_bases(word)) for number in _index().get(base, ())}))


def _bases(word: str) -> list[str]:
    found = []
    for ending in ("s", "es", "d", "ed", "ing", "er", "ly", "ment", "n"):
        if len(word) >= len(ending) + 3 and word.endswith(ending):
            base = word[: -len(ending)]
            found += [base, base + "e"]
            if base[-1] == "i":
                found.append(base[:-1] + "y")
            if len(base) > 3 and base[-1] == base[-2]:
                found.append(base[:-1])
    return found


@cache
def _index() -> dict[str, tuple[int, ...]]:
    index: dict[str, tuple[int, ...]] = {}
    for number, group in enumerate(_GROUPS.split(";")):
        for word in group.split():
            index[word] = (*index.get(word, ()), number)
    return index
