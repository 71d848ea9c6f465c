"""Words of reviewing that are used for one another: programs, data, documents, customer service.

The groups are general and closed, in base forms, with a semicolon between two; a word may be in several.
"""

from __future__ import annotations

__all__ = ["SYNONYMS"]

SYNONYMS = (
    (
        0.9,
        """
console stdout terminal stderr screen; crash panic abort die segfault kill fall; overwrite overwrote overwritten replace
clobber override; fast quick rapid speed; hang block freeze froze frozen stuck stall wedge unresponsive; root admin
administrator privilege superuser sudo elevated; login signin authenticate authentication auth logon session; float
double decimal precision rounding; round truncate precision rounding; cent penny pennies pence; timezone utc local tz
zone offset dst daylight; folder directory dir path location; memory heap ram oom footprint; grow grew grown unbounded
limitless infinite endless forever unlimited accumulate pile balloon swell; size length large big; cache memoise
memoize; refund reimburse reimbursement repay repayment credit moneyback; guarantee warranty assurance; apologise
apologize apology sorry regret; exempt exemption exception exclude excluded waive; minor child children underage
juvenile kid teenager; adult grownup; contract agreement deal treaty; withdraw withdrawal cancel cancellation terminate
termination rescind revoke; loan financing credit mortgage borrow bank lender; law statute regulation rule act legal
legislation directive ordinance; court judge tribunal judgment ruling; index indexes indices; database db datastore
store storage persistence; schema migration ddl; default fallback preset; variable symbol; function method procedure
routine helper; class type struct; loop iterate iteration cycle repeat each; average mean median; mislead misleading
deceive distort exaggerate dramatic inflate skew overstate misrepresent; understate downplay minimise minimize; hide hid
hidden mask conceal obscure invisible disguise; link url href hyperlink; dead defunct gone retired nonexistent broken
unreachable discontinued; keyboard tab; accessibility accessible a11y screenreader contrast disabled; mouse click
pointer tap; network connection socket internet; encrypt cipher tls https ssl; plaintext plain cleartext unencrypted
clear http; hash digest checksum; injection inject interpolate concatenate concatenation format splice embed paste;
regex regexp pattern expression; exponential catastrophic backtrack quadratic redos; attacker hostile malicious crafted
adversary intruder hacker untrusted; schedule nightly daily night hourly periodic; queue backlog buffer; event signal
notification; config configuration setting preference; dependency package library module; documentation docs readme
manual guide docstring comment; unused dead unreferenced unreachable needless; useless redundant superfluous needless
unnecessary pointless; split separate divide decompose extract; share common mutual joint; same identical equal alike
equivalent; confuse mix swap mistake interchange conflate; stop halt cease; decrease reduce fall fell lower down shrink
decline; translate translation language wording; room hotel accommodation; flight plane airline; book booking reserve
reservation; assume assumption guess presume suppose speculate; private personal internal confidential sensitive pii;
input payload argument; unconditional unconditionally always invariably; optional mandatory required compulsory; temp
temporary scratch interim; permanent permanently persistent lasting; child subprocess fork; unsafe dangerous insecure
vulnerable risky hazard exploit hole weakness; safe secure protect; random seed nondeterministic flaky flakey
intermittent unstable sporadic unreliable; rollback revert undo restore backout reverse; backup restore snapshot
archive; transaction atomic atomically commit; constraint unique uniqueness foreign; integer int overflow wrap; positive
plus above; first initial beginning; hardcode hardcoded literal constant magic baked fixed; expire expiry ttl lifetime
validity; subscribe subscription unsubscribe membership plan; discount rebate voucher coupon reduction; tax vat duty
levy; damaged broken defective faulty; complaint complain grievance; doctor physician clinician; drug medicine
medication tablet dose prescription; disease illness condition diagnosis; symptom sign; weight mass; distance far mile
kilometre length; landlord lessor; tenant lessee; lease rent; house home flat apartment property building; car vehicle
auto; school pupil student teacher; train model fit fitted learn; evaluate evaluation score metric measure accuracy
assess benchmark; overfit overfitting; bias biased unfair skew unrepresentative; correlation causation cause causal
because; significance significant pvalue; outlier extreme anomaly; impute interpolate fill guess; label annotate
annotation tag class; quarter month year annual; profit margin gain; expense spending outlay cost; budget forecast plan
projection; footnote note caption; heading title header headline; spelling typo misspell misspelt misspelled spelt;
grammar sentence phrase; tone rude impolite harsh unfriendly curt polite courteous; unclear ambiguous vague confusing;
contradict inconsistent opposite; escalate escalation supervisor manager hand forward; policy rule guideline terms
procedure; identity verify identification proof; fraud scam phishing; scope unrelated unasked unrequested beyond extra
outside requested; conflict merge rebase; lint linter format style; cpu processor core; disk storage volume space; pool
connection exhausted exhaust starve; allocate allocation buffer; pointer dereference dangling; await async asynchronous
coroutine promise; callback handler hook listener; render rerender repaint redraw; component widget element; cookie
session storage; header metadata; body content payload; redirect forward; cors origin; csrf forgery; xss script markup
html; upload attachment; stream chunk buffer; quota throttle rate; healthcheck probe liveness readiness health; alert
alarm page; metric gauge counter label cardinality; replica standby follower secondary; primary leader master; shard
partition; cluster node; terraform infrastructure provision; bucket s3 blob object; region zone; certificate cert tls
expiry; firewall port ingress exposed; hard difficult tough tricky tedious; easy simple trivial straightforward; problem
issue defect bug flaw trouble; cause reason because why due root; effect result consequence outcome lead therefore;
prevent avoid stop protect guard forbid hinder; choose chose chosen select pick opt decide; real genuine actual true
proper; think believe consider regard deem; know understand realise realize aware; explain describe clarify detail
document; suggest recommend propose advise; improve enhance better optimise optimize; worsen degrade deteriorate regress
regression; waste squander idle; expect anticipate assume presume; trust believe rely confidence; happen occur arise
appear emerge; affect influence impact hit touch concern; depend rely hinge; compare against versus contrast; move shift
relocate transfer migrate; follow obey respect honour honor comply adhere observe; happen race collide clash conflict;
reuse recycle share; inside within in under; between among; near close adjacent next; different other another separate
distinct; rare seldom rarely infrequent uncommon; often frequent frequently common usual usually typical; quick soon
immediate immediately instantly promptly once straight directly; late overdue delayed belated; early premature
prematurely soon; temporary transient brief; exact exactly precise precisely; approximate roughly about estimate
estimated; certain sure definite confident; unknown unclear unspecified undefined unnamed; valid legal legitimate;
invalid illegal malformed unparseable; broken corrupt damaged; full exhausted saturated complete; heavy expensive costly
intensive; strange odd unexpected surprising weird; harmless benign safe; group cluster team batch set; map dictionary
dict hash lookup; object instance entity; interface contract protocol api; word term phrase expression; topic subject
theme matter; example sample instance illustration; guide instruction direction manual; warning alert caution; feature
function capability; admin operator maintainer ops; developer programmer engineer author; manager supervisor boss lead;
reader audience recipient; writer author; tool utility command; command shell cli bash; button control widget; colour
color contrast hue; font text type; menu dropdown select picker selector; dialog modal popup window; layout design style
css; cheap low inexpensive; deposit advance upfront; share stock equity; debt liability owe owes owed outstanding; asset
property holding; audit review inspect examine; weekend holiday closed; morning evening night overnight; annual yearly
year; monthly month; weekly week; hour hourly; rate speed frequency pace; north south east west; country nation state;
city town; europe european eu gdpr; privacy personal gdpr data protection; consent agreement opt permission; gender sex;
married spouse wife husband; parent mother; parent father; baby infant newborn; pregnant pregnancy; allergy allergic;
surgery operation procedure; hospital clinic ward; nurse doctor staff; food meal dish; drink alcohol; travel trip
journey; train rail; visa passport; luggage baggage bag; seat place; cancel refund void; exchange swap replace; quality
standard grade; proof evidence receipt; fair unfair bias; threat danger risk hazard; weak strong; strength power; energy
electricity power; heat temperature warm hot; water leak flood; noise silence; light dark; subtract minus deduct;
multiply times product; divide ratio quotient; greater larger bigger more exceed; smaller less fewer lower; highest
maximum max top most peak; lowest minimum min bottom least; trend slope growth; baseline control reference; hypothesis
claim theory; method approach technique way; dataset data corpus; target label outcome; training fit learn; validation
holdout evaluation; unit scale measure; axis baseline origin; outdated superseded older; draft unfinished preliminary
wip; final finished definitive; appendix annex attachment schedule; chapter section part; translate render version;
literal verbatim word exact; misquote misstate distort; contradict conflict oppose; repeat restate duplicate; shorten
trim cut abbreviate; polite formal; jargon technical; goal aim purpose objective intent; allowed permitted entitled may;
obligation duty must obliged; liable liability responsible responsibility; penalty fine fee; notice period termination;
tenant renter occupant; owner proprietor landlord; witness testify; evidence exhibit; appeal objection; guilty innocent;
sandbox isolate isolation container; port socket; proxy gateway router; dns domain hostname resolve; load balance; scale
replicas horizontal; upgrade update bump migrate; downgrade rollback revert; patch fix hotfix; feature flag toggle;
monitor observe watch metrics; trace span; alert page notify; cron schedule timer; retry backoff; consumer worker
subscriber; producer publisher; topic queue channel; plan explain; nullable null optional; cascade delete propagate;
trigger hook; cursor iterator; batch chunk bulk; export dump; format layout serialise serialize; encode encoding charset
utf8 unicode; whitespace space blank; quote apostrophe; comma separator delimiter; case upper capital; case lower; trim
strip; pad fill; slice cut substring; compare equality identity; constant immutable frozen fixed; global shared static
singleton; local private inner; public exported; inherit subclass extend derive; override shadow hide; generic template;
cast coerce convert any; mock stub fake double; fixture setup; snapshot golden; real genuine actual true authentic; hold
held; fall fell fallen; know knew known; see saw seen; sell sold; speak spoke spoken; think thought; throw threw thrown;
understand understood; go went gone; bring brought; catch caught; come came; draw drew drawn; feel felt; lead led; mean
meant; meet met; spend spent; stand stood; win won; get got gotten; lend lent; teach taught; enthält enthalten weist hat
nennt führt zeigt; prüft prüfen überprüft kontrolliert validiert testet; speichert schreibt legt protokolliert; löscht
entfernt verwirft; sendet schickt versendet verschickt; falsch fehlerhaft unrichtig inkorrekt verkehrt; langsam träge;
schließt geschlossen; rechnung faktura; kunde kundin käufer; preis kosten betrag; supprime efface retire enlève; envoie
expédie transmet; faux erroné incorrect inexact; ferme fermé; contient comporte inclut; facture note; prix montant coût;
comprueba verifica valida revisa controla; escribe guarda registra aparece figura; borra elimina suprime quita; envía
manda remite; incorrecto erróneo equivocado falso; contiene incluye lleva; respuesta contestación; factura recibo;
precio importe coste; verifica valida confere checa; grava escreve registra; apaga remove exclui elimina; envia manda;
errado incorreto; проверяет проверяют проверка проверить; пишет пишется записывает записывается сохраняет; удаляет
удаляется стирает; отправляет посылает шлёт; неверный неправильный ошибочный; содержит включает; once simultaneous
concurrent parallel; trained training train learn; loaded load fetch; narrow filter restrict; freeze froze frozen hang
hung block stuck; app application program ui interface; undo rollback revert rolled; vulnerability hole weakness flaw
exploit; repeat provide; alternative alt text description; embellish exaggerate polish look; euro dollar currency
""",
    ),
    (
        0.7,
        """
secret credential password passphrase token apikey key; startup boot launch start begin began begun initialise
initialize init open; end finish complete conclude close terminate shutdown exit quit stop; add append insert include
attach put; change modify alter edit update mutate adjust touch rewrite rewrote amend revise; copy duplicate clone
replicate mirror; retry attempt reissue resend try reattempt redo repeat; pause delay wait sleep backoff interval gap
spacing; slow sluggish lag latency lengthy long delay stall performance expensive costly; deadlock lock mutex; race
concurrent concurrency parallel simultaneous simultaneously thread synchronise synchronize unsynchronised lock
threadsafe interleave; container image docker pod; permission right authorization authorisation authorise authorize
access acl role grant allow permit privilege; deny reject refuse decline forbid forbidden block prohibit disallow turn;
check validate validation verify verification ensure confirm guard sanitise sanitize inspect examine look; test spec
assert assertion exercise suite; coverage cover untested uncovered exercise test; right correct true accurate valid
proper; outdated obsolete stale old deprecated expired superseded past previous former earlier yesterday; unsupported
unfounded baseless unsubstantiated unproven unverified evidence proof prove support back basis; source citation cite
reference refer attribute quote quotation origin provenance; sample cohort subject participant patient population group;
few small little tiny insufficient minor scarce low short; many large big huge numerous high vast great massive lot
excessive; file document attachment paper; close release free dispose cleanup unclosed; leak expose disclose reveal
divulge leakage accessible visible; limit cap bound quota maximum ceiling threshold restrict; seller vendor merchant
supplier shop store retailer; order purchase buy bought; invoice bill charge billing; pay paid payment settle
transaction remit; clause condition provision term stipulation section paragraph article; summary summarise summarize
abstract overview recap digest; column field attribute property; filter where restrict select condition; sort order rank
sequence arrange; null none nil undefined empty missing; parameter argument arg option flag switch setting; percent
percentage share proportion rate ratio; chart graph plot diagram figure visualisation visualization picture; show
display render present appear visible depict; page screen view site website; server backend host machine node; timeout
deadline expire; escape quote sanitise sanitize encode unescaped unquoted; process program daemon application app
service binary; job task cron batch worker; production prod live; deploy deployment rollout release ship publish; merge
combine join unite consolidate; differ different mismatch disagree contradict inconsistent deviate discrepancy conflict
diverge tally match clash; success successful succeed pass green ok; search lookup find found look; meeting appointment
call; approve approval consent permission authorise sign agree agreed; inform notify tell told notification communicate
announce alert warn; important matter significant crucial essential key; public external open outside; part partial
partially subset some incomplete half; clean cleanup tidy leftover residue remain stay left; negative minus below sign;
last final end; before prior earlier ahead; after later once following; shipping delivery shipment parcel package
courier; street address location place where; phone telephone mobile call number; salary wage pay compensation; employee
staff worker; leak contaminate contamination peek see seen holdout; revenue turnover sales income earnings; growth rate;
promise commit pledge assure guarantee; plan step stage phase; git branch commit push force; compile build ci pipeline;
state store; endpoint route api url handler; status code; paginate pagination page limit; memory unbounded whole entire;
need require must necessary demand want; use employ utilise utilize apply rely consume depend; hold keep kept retain
preserve store contain maintain; put place set insert assign; turn convert transform cast change parse coerce map; count
tally number total; measure gauge quantify time; compute calculate derive work; find detect discover notice spot see
identify; correct fix repair solve resolve remedy cure patch; damage harm corrupt ruin spoil break mangle garble;
combine join merge mix together; enter type input key fill; leave exit quit depart abandon; violate breach contravene
ignore disobey; duplicate redundant same again; outside beyond exceed over above past more; only solely merely just
exclusively single; every each all any per; list array collection sequence series enumerate; message text string
wording; mistake error slip blunder typo; bill receipt invoice; ticket case issue request; client browser frontend ui;
visitor guest; icon image picture logo photo; field input box form; mobile phone small screen responsive; price cost
amount rate fare; balance account sum funds; interest rate yield; approve sign confirm accept clear; date deadline due;
period duration interval span window term range; map chart; age old birthday birth; name surname person; blood test lab
panel; sum add plus total; equal same match; feature variable predictor column; duplicate row repeated record; legend
caption label key; signature sign autograph; invent fabricate make false fictional; lengthy long verbose wordy; packet
request traffic; crash restart loop; sample rate; idempotent twice duplicate; lock lease hold; starve wait block; full
table; view query; import load ingest; decode parse; newline line break; copy alias reference share mutable; assert
check invariant; skip disable ignore xfail; random nondeterministic order; give gave given; antwort reply auskunft;
vérifie contrôle teste valide; écrit inscrit enregistre apparaît figure journalise; réponse message; expire end lapse
run; crash break fail; disk storage stored file upload; wrong another different; excess exceed high too; buffer memory
allocate reserve; iteration loop time; refund money return repay; late longer delay; sort order ordered alphabetical
lexical; duplicate copy copied same several; requests require demand need; dump report; ignore swallow silent;
connection handle socket
""",
    ),
    (
        0.5,
        """
print write wrote written log emit output dump record trace echo; fail failure break broke broken error fault exception
throw thrown raise go wrong; ignore swallow drop discard suppress disregard overlook neglect skip omit lose unhandled
unchecked leave out miss forget forgot forgotten; miss missing absent lack without no none nowhere omit leave left lose
forget never; delete remove erase purge wipe destroy drop clear lose lost gone vanish disappear truncate; create make
made build built generate produce construct; twice double doubly repeat repeatedly again duplicate second two both
multiple redundant; send sent transmit deliver dispatch post forward ship issue submit upload; mail email message letter
mailing notice; receive get got obtain fetch retrieve load read download pull take took taken accept collect; call
invoke execute run ran trigger fire perform launch; request query call hit; user account person people human operator
visitor member; allow permit accept grant let enable pass; wrong incorrect false mistaken erroneous invalid bad faulty
inaccurate error mistake incorrectly wrongly off flawed untrue; new recent latest current fresh now newest up modern;
conclusion inference claim assertion statement state say said assert conclude infer allege maintain; invent fabricate
hallucinate made up fictitious nonexistent imaginary bogus exist fake; money monetary currency amount sum price cost fee
charge total figure value; date day timestamp time deadline calendar moment when; tenant customer client shopper buyer
consumer purchaser organisation organization; answer reply response respond address; question ask inquiry enquiry query;
report document paper draft write account; row record entry line tuple; number count counter quantity tally figure;
everybody everyone anyone anybody world public all anonymous; rename name call title label; increase rise rose risen
raise grow climb up higher; instruct instruction told request ask demand order wish want require; whole entire entirely
all complete full fully every; never not; give provide supply offer hand pass; speak say mention discuss talk cover
address treat; return come back give; empty none nothing zero blank without; experiment trial study test; audience
reader customer; scan read search; username login account user; nobody never no
""",
    ),
)
"""What a word of the same group counts, where the same word counts 1, and the groups. The less a group tells, since
many findings have a word of it, the less it counts."""
