"""Words that are used for one another in some places only, or whose meanings are close.

They help to find a note that says the same in other words. They are too loose to tell that two words in one place of
two sentences mean the same: "the red line" is not "the green line".
"""

from __future__ import annotations

__all__ = ["KINDRED"]

KINDRED = (
    (
        0.9,
        """
error fault failure problem exception mistake; stacktrace traceback backtrace; silent silently quiet quietly unnoticed
invisible tacit unreported; hide hidden conceal mask cover disguise bury obscure; notice spot realise detect catch;
unmentioned undisclosed unreported omit; unchecked unverified unvalidated unsanitised untrusted raw blindly blind;
blindly trust rely unquestioned; verify verification confirm confirmation corroborate substantiate crosscheck
doublecheck; distinguish tell differentiate discern apart discriminate; refactor restructure reorganise rewrite clean;
rename renamed renaming label relabel; reformat formatting whitespace indentation style layout; evict evicted eviction
expire purge flush invalidate clear; invalidate invalidation stale refresh expire evict clear; truncate cut chop clip
shorten crop; overwrite clobber replace lose destroy; generate generator produce emit output; spawn fork launch create
start; insert add put inject embed; update refresh renew sync upgrade modernise; refresh reload update renew redraw;
plagiarise plagiarism copied verbatim lifted paste; repeat repetition again recurring duplicate redundancy; once one
single onetime; persist persistent durable store save; transmit transfer send convey; trigger fire cause launch start;
startup boot initialisation launch start; done finished completed ready; attempt try effort retry; hang stuck block
freeze stall unresponsive deadlock forever endless endlessly infinite; concurrent parallel simultaneous race thread
multithreaded async; race racy concurrency interleaving window synchronization; unlocked unguarded unprotected
unsynchronised race; shared share global common static mutable; anew again fresh recreate rebuild scratch each; late
tardy overdue belated delayed; immediately instant instantly promptly once; slow slowly sluggish inefficient performance
quadratic expensive; fast quick speedy efficient optimise; efficient inefficient performance waste wasteful; frequency
often every interval periodic rate; minute minutely; nightly overnight night daily evening; schedule scheduled cron
timetable plan timer; recent latest newest current today; unpaid outstanding due owe; voucher credit coupon giftcard
gift; credit voucher balance; tax vat gst duty; profit margin earnings; loss deficit shortfall; budget spending cost;
cent penny rounding fraction; inflation nominal real prices adjusted; nominal unadjusted inflation; many numerous
multiple lot lots much plenty; most majority mostly largely; some part several partial; half fifty; average mean median
typical; mean average expected; median percentile quantile; minus negative subtract below; triple three thrice; dozen
twelve; hundred hundreds; thousand thousands; exaggerate overstate inflate magnify bigger; exceed surpass over above
beyond larger greater than; large big huge bulky voluminous; authorise authorisation permission allowed access; forbid
prohibit ban disallow deny; unauthorised unprivileged forbidden illegal; owner owned belong belongs ownership; belong
belongs own owner; staff employee personnel team colleague; internet world outside public web; exposed open reachable
accessible public; restrict limit constrain narrow; blacklist blocklist deny; thank thanks gratitude; greet greeting
salutation hello address; tone rude impolite harsh annoyed irritated curt brusque unfriendly; polite courteous friendly
kind; annoyed irritated angry upset cross; complaint grievance complain dissatisfied unhappy; explain explanation reason
why justify; reason why because rationale motive; describe description descriptive explain; descriptive meaningful
telling clear; vague unclear ambiguous imprecise unspecific; translate translated rendering render version; language
english spanish german french locale tongue; cite cited citation reference source; uncited unsourced source reference;
wikipedia encyclopedia wiki; blog weblog post; study paper research trial; newspaper press media news; contradict
conflict disagree refute otherwise; invent invented fabricate fabricated hallucinated made fictional; certain sure
confident certainty definite; uncertain unsure uncertainty doubt doubtful hedged; overconfident confident certain;
probable likely probably possible; exact precise accurate exactly; approximate rough roughly about circa; guess guessed
estimate speculate; predictable guessable guess predict; random rng prng randomness generator nonce seed; decide
decision choose choice; recommend recommendation suggest advise advice; propose proposal suggest; advise advice
recommend counsel; warn warning caution alert; understand understood grasp; confuse mix mistake muddle; swap swapped
exchange transpose reverse switch; reverse inverted invert opposite; path location route directory; tmp temp temporary;
symlink link symbolic; recursive recursively recursion nested; archive zip tar compressed; orphan orphaned dangling
foreign parent reference; foreign fk reference constraint; unique duplicate uniqueness distinct; where filter condition
clause predicate; migration schema ddl migrate; rollback undo revert downgrade reverse down; index btree lookup; planner
optimiser plan; primary main master leader; restore recover recovery; fixture setup teardown; flaky unreliable
intermittent nondeterministic timing; cover coverage tested; valid correct legal; result outcome output; debug verbose
trace; supplier vendor provider; passenger traveller rider; patient sufferer; doctor physician signed; tenant renter
lessee; landlord lessor owner; lease rent tenancy contract; booking reservation appointment; hotel room stay
accommodation lodging; basket cart checkout; parcel package shipment goods delivery consignment; goods item product
merchandise parcel; shipping delivery postage freight; stock inventory available sold; sold stock unavailable; available
stock ready; product item goods article; damage damaged broken; move moved relocate relocation; birthday born birth dob
age; month monthly weeks; february march month; axis scale; label caption title; caption title heading; colour color hue
palette red green; colour blind colourblind distinguish; map atlas geography; scale distance kilometre bar ruler; slice
piece share segment; pie slice circle; bar column histogram; sample population cohort respondents survey; survey
questionnaire poll respondents; selection sampling bias biased; bias skew skewed unfair unrepresentative; correlation
correlate association together; interval ci confidence; imbalanced imbalance skewed class majority; accuracy recall
precision f1 metric score; train training fit fitted; leak leakage contaminate leaked; overfit memorise; model
classifier predictor regression; predict prediction forecast; forecast prediction projection outlook; temperature
celsius fahrenheit degrees heat; degree celsius fahrenheit; metric imperial units; unit units measure; weight weighs kg
heavy mass; network connection remote; firewall ingress security; ssh shell remote; pod container node; dockerfile image
dockerignore; environment env staging; feature functionality behaviour; behaviour conduct feature; config configuration
settings options; default preset standard; enable enabled on activate active; disable disabled off deactivate; toggle
switch flag; exhaust fill full deplete; capacity space size; starve hog exhaust; neighbour other adjacent; version
release; unpinned latest floating; latest newest tag; interpreter python runtime; syntax grammar; incompatible break
unsupported; repository repo git; commit committed checkin; git repo version; branch head; merge pull; scope extent
range; hash digest md5 sha bcrypt argon2; md5 sha1 broken weak digest; salt bcrypt argon2 hash; encrypt encryption
cipher; inject injection unescaped escape; unsigned signature verify fake; fake forge forged bogus spoof; leak expose
escape divulge; consent agreed opt permission; marketing advertising advertisement ads newsletter promotional; type
annotation signature hint; class object; extract factor pull; comment remark note; responsibility responsibilities thing
concern; complex complicated convoluted; readable legible clear; allocate reserve malloc; iterator cursor loop; advance
step next increment; overflow wrap exceed; float floating decimal double fraction; equal equality same identical; case
upper capital sensitive; compare equal; handle descriptor resource; webhook callback event; alert page alarm notify
notified; retention rotate rotation kept keep; keyboard mouse pointer; plan schedule intention; requirement demand need;
rule policy regulation; harm damage hurt; lose lost loss; former left previous ex; join joined; close resolve resolved
closed solved; resolve solve settle closed; open pending unresolved; sentence paragraph passage text; paragraph passage
section; original source; part piece portion; target destination; shown displayed visible; together jointly; instead
rather; place location spot; good fine; best optimal; bad poor; should ought; expect want; using via; individually each
one single; performance load speed benchmark; load stress; golive launch release; find found locate; anywhere nowhere
none; yesterday tomorrow today; remain stay still; still yet; insurance claim; condition state; abuse misuse exploit;
abrupt sudden suddenly unannounced; absolute relative; accident incident crash collision; achieve reach attain meet
fulfil fulfill satisfy; acknowledge confirm admit recognise; adequate sufficient enough suitable; adjacent neighbouring
next beside; advantage benefit gain plus; afraid worry worried concern; agenda plan programme; allege claim purport;
ambiguous unclear vague equivocal; analyse analyze analysis examine study evaluate; announce publish tell; anonymise
anonymous pseudonym mask; anticipate expect foresee; appropriate suitable proper fitting; arbitrary any random;
attribute credit ascribe assign; assume presume suppose premise; attach include enclose append; author writer wrote
creator; automatic automatically auto unattended; avoid prevent bypass skip circumvent; aware know known; backward
backwards compatible compatibility break breaking; bar forbid stop; bare naked plain raw; base basis foundation ground;
batch bulk group chunk; belong part; bind bound attach; binding mandatory obligatory; bloat bloated huge big; boundary
edge limit border corner; branch fork path; brittle fragile flaky; bundle package; burden load; bypass circumvent skip
evade around avoid; calculation arithmetic computation sum; careless sloppy hasty; category class kind type group;
ceiling cap upper maximum; censor redact mask; chain sequence series; chance probability likelihood odds; cheat game
trick; circular cycle cyclic loop recursion; collapse fall merge; commercial business trade; complain object;
complicated complex intricate hard; comply follow obey conform adhere; component part module piece; conclude infer
deduce; concise short brief terse; concrete specific definite; confidential secret private; confirm approve acknowledge;
consistent uniform same; inconsistent mixed mismatch contradict differ uneven; context background; continue carry
proceed go; contradict oppose deny; contribute add; convention standard style practice; convince persuade; cope handle
manage deal; core central main; correct fix amend; couple coupled tie bound dependent; coupling coupled dependent tie;
courtesy polite; credible reliable trustworthy; critical crucial serious; crude rough; curious strange; customise tailor
adapt; dead stale unreachable; dedicated separate own special; deep nested; defect bug flaw fault; defend protect; defer
postpone delay later put; postpone defer delay reschedule; deficient lacking; define declare specify; deprecate
obsolete; deserve merit; design plan layout; detach separate; determine decide find; diagnose find; dictate prescribe;
differ vary; diligent careful; direct straight; disappoint disappointed unhappy; dispute contest disagree; disrupt break
interrupt; distort skew twist; distribute spread share; diverse varied; domain field area; dominate outweigh swamp skew;
doubt question uncertain; outage downtime down unavailable incident; draft sketch; drain empty; drift diverge; duty
obligation responsibility; dynamic changing; eager early; effective working; elapsed passed; eligible entitled
qualified; embed include; emphasise stress highlight; encounter meet; encourage urge; endanger risk threaten; enforce
impose apply require; enlarge grow; ensure guarantee; entail imply; entitled eligible right; escalate raise hand;
establish set prove; evaluate assess judge; evident obvious clear; exceptional rare; exclusive sole; excuse apology;
exhaustive complete full; inexhaustive partial; exist present; expand widen extend grow; expect await; expensive costly
dear; expert specialist professional; explicit clear stated; implicit hidden unstated tacit assumed; expose open; extend
widen lengthen; extension suffix; external outside third; factor element; faithful true accurate; fallacy error;
familiar known; favour prefer; feasible possible; feedback comment; fill complete populate; populate fill set; finalise
finish; fit suit; flag mark; flip reverse invert; flood swamp overwhelm spam; overwhelm flood overload swamp hammer;
hammer flood overload burden; overload overwhelm hammer flood stress; flush write; foreign abroad; forgo waive skip;
formal official; formula equation; fraction part share; framework library; frustrate annoy; fund finance; fuzzy vague;
gather collect; general generic broad; generalise extrapolate apply; extrapolate generalise project beyond; govern rule;
gradual slow; gross net; grounds basis reason; guide lead; halve half; handy useful; harmful damaging; hasty rushed
quick; helpful useful; highlight mark emphasise; hint clue; honest truthful; hurry rush; hypothetical imaginary; ideal
best; idle unused inactive; illegal unlawful forbidden; unreadable illegible small tiny cluttered; clutter cluttered
crowded messy overlap; overlap cover collide overlapping; imitate copy; imminent soon; impact effect; impair harm;
impede block; imply suggest mean; impossible unable; unreachable inaccessible dead; incoming received; incompatible
conflict; incorporate include; indent indentation spacing tabs; individual single; inefficient slow wasteful; inhibit
prevent; innocent harmless; install setup set; instant moment; instruct tell; intact unharmed; integrate combine; intend
mean plan; interfere disturb; internal inner private; invalidate void; investigate examine look; involve include;
irreversible permanent undo final; undo reverse irreversible revert; isolate separate; jeopardise endanger; jump leap;
junk rubbish garbage clutter; justify explain reason warrant; unjustified unwarranted unsupported; keyword term; lazy
lazily deferred; ledger journal book; level tier; limited restricted; connect connection link attach; live active; lock
freeze; reasoning logic argument; loose lax; maintenance upkeep; major big; manual manually hand; match fit equal agree;
maximal largest; meaning sense; minimal least; misinterpret misread misunderstand misunderstood confuse; misplace lose;
mitigate reduce; mix blend; naive simple; narrow tight; necessary needed; normal usual; normalise normalize standardise
scale; novel new; object oppose; oblige require; obscure unclear; observe see; occasional sometimes; occupied busy;
offend offensive rude; offer propose; official authority government agency; agency authority regulator body; offset
shift; ongoing running; opaque unclear; opinion view; oppose against; opposite reverse contrary; optimistic rosy;
overflow spill; overhead cost; oversee supervise; oversight omission mistake; pack wrap; participant attendee; attend
participate join; plagiarise copy; plausible credible; implausible unlikely impossible unrealistic; unrealistic
implausible optimistic impossible; unlikely implausible improbable rare; polish improve; popular common; possess own
have; possible can; potential possible may; practise practice; prejudice bias; prepare ready; pressure stress; pretend
fake; principal main; priority urgent importance; urgent priority immediately pressing; privacy private; procure buy;
prolong extend; prominent visible; prompt quick; prone liable; unprotected exposed open; provisional temporary; prune
cut; qualify eligible; raise lift; reasonable sensible; recall remember; reckless careless dangerous; recognise
identify; reconcile match; rectify fix correct; recur repeat; refer point cite; despite regardless although; register
enrol record; unreliable untrustworthy dubious questionable; dubious questionable unreliable doubtful; replace
substitute swap exchange; reproduce reproducible repeat; reside live; rest remainder others; restart reboot; resume
continue; retract withdraw; rigid inflexible hard; rumour hearsay unconfirmed; unconfirmed rumour unverified; scatter
spread; score grade mark; serial sequential sequentially one another; severe serious; shortage lack; steal theft stolen;
tamper manipulate forge; thorough careful; threshold cutoff limit
""",
    ),
    (
        0.7,
        """
crash panic abort die segfault explode blow blowup traceback throw raise exception indexerror keyerror typeerror npe;
exception traceback stacktrace stack error raise throw catch except; catch caught swallow except rescue handle hide;
ignore swallow suppress silence mute hide discard disregard bypass; report mention tell disclose surface; missing absent
lost unavailable nonexistent gone unset undefined; compare comparison contrast against versus set beside benchmark
relative; modify change alter edit mutate rewrite adapt adjust amend tweak touch; delete remove erase drop purge wipe
discard destroy eliminate strip evict prune; removal deletion erasure wipe drop; strip trim remove cut drop chop;
instantiate instance construct object build; add append insert introduce include extra additional; introduce bring add
cause; copy clone duplicate replicate mirror paste; both two pair couple; single one sole lone only; save saved persist
store keep retain; send submit post deliver transmit dispatch forward publish emit; deliver delivery arrive arrival ship
bring; receive get obtain accept incoming arrive; yield produce return generator; execute execution run perform; start
begin launch boot initiate open commence; stop halt end cease terminate quit; finish end complete done conclude;
incomplete unfinished partial missing; cancel cancellation abort revoke void annul rescind undo call; abort cancel
interrupt kill stop; retry reattempt repeat again attempt backoff; wait waiting await block pause sleep poll; poll
polling check wait; sleep delay pause wait timeout; timeout deadline limit duration bound expire; deadline due date
cutoff limit term; endless infinite unbounded unlimited never limitless; unbounded boundless unlimited uncapped limit
cap grow; thread threads threadsafe worker executor pool; atomic atomically lock mutex transaction critical exclusive;
lock mutex semaphore critical section exclusive hold; reuse share reused cached once; delay delayed late lag latency
slow; daily day nightly night overnight; expire expires expired expiry valid lifetime age old; expired outdated lapsed
invalid old; old outdated obsolete stale former aged ancient decade dated past; outdated stale obsolete superseded
legacy old deprecated; former previous past old ex; prior previous earlier before; money cash funds payment amount sum
currency; price cost fee charge amount expense tariff; refund reimburse repay money return credit chargeback; pay paid
payment charge debit settle; charge charged bill debit invoice; free gratis complimentary cost charge; discount voucher
coupon promo promotion rebate code; invoice bill receipt statement; salary wage pay income earnings; revenue turnover
sales income proceeds; currency euro dollar usd eur pound yen; exchange rate conversion convert; few little scant
handful small; more additional further extra; amount quantity number sum volume; quarter three fourth; decrease drop
fall decline shrink reduce down lower; insufficient inadequate little short few; excess surplus extra too; long lengthy
large; permission right privilege access grant authorisation allowed entitled; access reach read open permission; public
exposed open world internet anyone; whitelist allowlist allow list permitted restrict; claim statement assertion
sentence; unanswered ignored reply open; respond answer react; question ask enquiry request; name naming named called
title identifier; quote quotation citation cite passage verbatim; article page paper publication; evidence proof support
back basis ground; prove demonstrate show establish; support back corroborate; attachment attached attach file; upload
send file submit; download fetch file; table relation dataset; id identifier key number; identifier name id; query
select sql statement; scan sequential full table; backup copy dump restore; assert assertion check expect; fail red
failing; input argument parameter value; argument parameter param input; invalid bad malformed illegal wrong broken;
empty blank nothing zero none void; output result print stdout; print output show echo; log logs logging logfile journal
record; appointment meeting slot date; address location live lived home residence; age old years born; quarter quarterly
q1 q4 three months; timestamp time datetime; clock time; hour hours time; photo picture image photograph; image picture
photo screenshot; causation cause causal bring effect; estimate point value; dose dosage amount medication; endpoint url
route path; url link address; request call http; response reply answer body; http network request; probe healthcheck
health check; image container docker base; deploy release rollout ship push; resource resources limit; pin pinned lock
fixed; compile compiler build; support supported compatible work; commit message log; diff patch change; patch fix
change; unrelated irrelevant scope beside nothing; asked requested wanted; credential secret login; escape escaped quote
sanitise; sign signed signature; expose leak reveal disclose show; variable name; constant literal magic number; long
lengthy big; pointer reference memory; free freed release give; buffer array memory; increment increase count add;
alphabetical name sorted; close closed release dispose; descriptor handle fd file; event message notification; payload
body message; job task work; task job assignment; terminate end cancel; leave left depart quit; show display reveal;
view see look; roundtrip trip query; search query look; make cause; letter mail paper; paper document form; status
state; acquire obtain get take gain; aggregate group rollup sum total summarise; alias name nickname; assign allocate
give attribute; begin start first; behave behaviour act work; calculate compute computation work derive figure; capture
record catch take; compensate compensation refund make; consecutive row successive; contact reach call write; contain
include hold; handle treat deal process manage; craft make; delegate hand pass; depict show draw; describe say; digit
figure number; dismiss reject ignore; ineffective useless effect vain nothing; excerpt quote passage; export write dump;
extract pull take; forward pass; gap hole missing; habit custom; improper wrong; inappropriate unsuitable wrong;
indicate show point; inquire ask; interpret read understand; disconnect detach drop; lodge file submit; meaningless
pointless empty tells nothing; mutable change; nominate name; operate run; precede before; previous last; propagate
spread pass; reflect show; bereaved death died deceased widow; broken damaged faulty defective cracked dented scratched
torn malfunctioning work; exchange swap replacement replace substitute; renewal renew extend prolong auto; child kid
minor son daughter boy girl infant baby; wife husband spouse partner married; disabled disability wheelchair accessible
barrier step; vegetarian vegan meat diet dietary food meal; allergy allergic nut gluten intolerance; pregnancy pregnant
expecting trimester; interaction interact combine contraindicated contraindication together; contraindication
contraindicated unsafe forbidden dangerous; side effect adverse reaction; surgery operation procedure operate surgical;
fracture broken bone; heart cardiac coronary; liver hepatic; lung pulmonary respiratory; skin dermal; brain cerebral
neurological; cancer tumour tumor malignant oncology; blood haemoglobin hemoglobin; sugar glucose diabetes diabetic
insulin; pressure hypertension hypertensive bp; fever temperature febrile; pain ache painful analgesic; infection
infected bacterial antibiotic; vaccine vaccination jab shot immunisation; court tribunal judge judgment ruling verdict;
plaintiff claimant sue sued lawsuit suit action; lawsuit litigation suit case sue; lawyer attorney solicitor counsel;
penalty fine sanction fee punish; breach violation violate infringe infringement break; copyright licence license
licensed permission rights; licence license gpl mit terms permitted; heir inherit inheritance estate will; sublet lodger
subtenant; deposit security bond; notice termination terminate quit period; confidentiality confidential nda secret
disclose; liability liable responsible damages; indemnify indemnity compensate; overdue unpaid outstanding late arrears;
asset equipment property; equity shares stock capital; dividend payout distribution; loan credit borrow mortgage debt;
forecast projection outlook estimate predict guidance; revenue turnover sales takings top; margin profit markup
earnings; ebitda ebit operating profit; accrual accrue cash basis; bonus commission incentive; headcount staff employees
workforce; inflation cpi purchasing real nominal; exchange fx rate conversion; quarter q1 q2 q3 q4 quarterly; fiscal
financial year fy; population inhabitants people residents; unemployment jobless unemployed; emission carbon co2
greenhouse; election vote poll ballot; poll survey opinion; president leader head; minister secretary; government
authorities state official; company firm corporation business enterprise organisation; founder founded established
started; ceo chief boss executive director; merger acquisition takeover merge acquire bought; product launch release
introduce; press news media newspaper journalist; release statement announcement; study paper research publication trial
article; preprint unreviewed unpublished peer reviewed; primary original firsthand; secondary secondhand hearsay;
paywall paywalled subscription; retracted retraction withdrawn; outlet newspaper magazine; archive wayback snapshot;
dead broken 404 gone removed; forum reddit thread post; anonymous unnamed unknown; satire parody joke humour; power
underpowered size; median middle; spread variance deviation variability dispersion; bars error whisker; outlier extreme
anomalous; impute fill replace; normalise scale standardise per capita; capita head person inhabitant; linear straight;
trend slope direction; seasonality seasonal season; causal cause lead drive effect influence; confounder confound
confounding third; control group placebo baseline comparison; randomise randomised random assigned; blind blinded
double; subgroup subset segment; train training learned fitted; leak leaked leakage contaminated; tune tuned
hyperparameter search; epoch iteration step; learning rate; baseline naive reference compare; imbalance imbalanced
skewed rare; threshold cutoff boundary; axis scale y x; scatter point dot; 3d perspective; colour color palette hue
shade; rainbow jet viridis; font text letters size; overlap overlapping cover hide collide; caption title description;
resolution blurry pixelated low; map projection; north arrow scale; alt alternative text description reader; contrast
pale grey gray light; modal dialog popup overlay; spinner loading progress; button click press tap; placeholder hint
label; page scroll viewport; dark theme mode; rerender render effect; hook useeffect dependency; state props component;
bundle size javascript; lazy load; css style class; debounce throttle keystroke typing; unmount unmounted removed; xss
html sanitise escape inner; cors origin cross; csrf token forgery; cookie samesite httponly secure; redirect open url;
path traversal dot directory; deserialise deserialize pickle yaml unsafe; brute force guess attempts lockout; timing
constant comparison; privilege escalation root admin sudo; least privilege broad wide wildcard star; revoke revoked
withdraw disable remove; certificate cert ssl tls https; verify verification disabled skip; encrypt encrypted encryption
rest transit; pii personal private sensitive gdpr; mask redact hide; autoscale autoscaling scale replicas; node host
machine vm instance; volume disk mount storage; bucket s3 storage object; region zone datacentre datacenter; failover
fallback standby; redundancy redundant spare; drift manual; secret vault env variable; canary gradual percent; downtime
outage unavailable interruption; maintenance window night; threshold level; noisy noise false; runbook procedure guide
playbook; backoff jitter wait; circuit breaker; exactly once; offset position; consumer worker listener; lazy eager;
deadlock circular; isolation serialisable serializable snapshot dirty phantom; transaction commit rollback atomic;
varchar text length truncated; decimal numeric float money; view materialised; vacuum bloat; join cartesian cross
product multiply; group aggregate having; like wildcard pattern; backfill populate fill; trigger procedure; off boundary
fence one; index bounds range; rounding round cents; float exact equality; encoding utf8 unicode bytes; case
insensitive; locale comma decimal; whitespace blank space trim; regex pattern match; dst summer daylight clock; closure
late binding; global state shared; singleton instance; exception broad bare catch; generator iterator consumed
exhausted; callback hell promise; unhandled rejection; volatile visibility; copy shallow deep alias; equality hash
identity; complexity quadratic nested slow; allocation garbage; unsafe pointer raw; uninitialised uninitialized garbage;
nullability optional; todo fixme unfinished; nested deep indentation; abbreviation abbreviated short; docstring missing;
semver version major; changelog release notes; deprecated warning; shared fixture; coverage branch; snapshot blind;
property edge case; network real external; pretend done; destructive delete irreversible; instruction ignored followed;
requirement forgot unmet missing; budget tokens cost waste; context forgot earlier; summary claims false; premature done
early finish; evidence proof output shown; hotel inn lodging accommodation stay; breakfast meal board included; bed room
suite twin; baggage luggage suitcase bag; ticket fare seat; airport terminal gate; refundable nonrefundable refund;
rebook rebooking alternative another; upgrade better class; student pupil learner; teacher instructor lecturer; homework
assignment exercise; recipe ingredient cook dish; portion serving; translate translation rendering wording; formal
informal polite du sie tu vous; idiom literal word; omitted untranslated left; term glossary terminology; tense past
present; gender masculine feminine; plural singular; typo misspelling spelling; comma punctuation; passive active voice;
repetition repetitive redundant; jargon technical plain; abbreviation acronym undefined; tone formal casual; cite
citation reference footnote; quote attribution misattributed; paraphrase restate; contradict inconsistent; evidence
anecdote; exaggerate overstate claim; hedge certain sure; irrelevant off topic; upstream downstream; eventual
consistency; webhook callback hook; signature hmac verify; header content type; version v1 v2; schema contract openapi;
grpc proto; mime extension type; virus malware scan; temp temporary tmp leftover; permission mode chmod readable world;
symlink link follow; glob wildcard pattern; environment variable unset; pipe pipefail; signal sigterm kill shutdown
graceful; zombie orphan child; daemon background service; clock skew ntp drift; repeal repealed abolish abolished
revoked force lapsed; exceed over more above beyond surpass; binary artefact artifact executable blob; commit checkin
checked push committed; conclusion conclude draw inference; label caption tick text; serve supply provide; restart
reboot bring respawn relaunch; die dies crash killed exit; allergy allergic reaction intolerance; medicine drug
medication remedy; huge large big 80 enormous giant; artefact artifact output binary; sign evidence trace indication;
respondent participant voter; provider vendor company side; blind impaired sight vision screenreader; hotel place
accommodation venue; forbidden ban prohibited allow; consecutive successive neighbouring following; recipe instructions
directions; fraud scam suspicious; posix portable sh dash bash; promise describe document documented; expectation
assertion expected; abroad foreign norway international; denominator divisor base divide; opinion view undecided; kill
abort cut terminate; store stored save saved; status 200 ok; well fine good ok success; growth rise grew increase;
removed deleted gone; unused unneeded needless needs; drag pull fetch carry; longer anymore; family class group; lfs
large huge; thousand many; everything rest; month june september quarter; traffic visits visitors; plain simple
""",
    ),
    (
        0.5,
        """
fail failure malfunction misfire break crash error unsuccessful unsuccessfully failing breakdown; omit omission leave
forget skip miss drop exclude absent missing lack; lack absent missing without need want; nothing none nobody anything
something; check verify validate test inspect confirm ensure vet vetted control assure; review inspect scrutinise audit
look read; create make build construct produce generate instantiate allocate spawn new; duplicate duplicated redundant
repeated twice double identical copy; write save store persist record log put; read load fetch retrieve query pull get
access; load loading import read fetch ingest; return yield give produce back result; duration time length period long
last; forever ever endless endlessly always infinitely indefinitely permanently never; all every everything entire whole
complete each; count counted number total tally quantity amount; sum add total aggregate addition up; increase grow rise
gain climb growth up higher; accept take allow admit receive agree; user account member customer; guest visitor user;
say state claim assert mention tell write; tell inform say notify; mention state say name note cite; ask request want
question; test tests testing suite spec case; user person customer people visitor; customer client buyer shopper
consumer purchaser guest user; guest traveller visitor tenant customer; figure chart graph plot diagram image; staging
preprod test; abandon give quit drop leave surrender; accumulate pile collect build up grow; adopt take use; consult ask
read look; consume use eat take; agent bot assistant you representative rep operator; cancellation cancel cancelled call
calledoff off; arrival arrive arrived reach reached come came land landed; depart departure leave left go went; parcel
package shipment consignment delivery goods item order box; entitle entitled entitlement eligible right claim due; waive
waived free charge exempt drop; overcharge overcharged charged too much excess double; subscription plan contract
membership tariff renewal renew; phone telephone number call mobile hotline; opening hours open business; elderly senior
old pensioner retired; dose dosage amount quantity milligram mg tablet pill; prescription prescribe prescribed order;
trademark brand logo name; invoice bill receipt billed charged; depreciation depreciate write value wear; interest rate
coupon yield; ledger book account journal; reconcile reconciliation match balance agree tally; salary pay wage payroll;
page site website web url link; date dated year published; sample respondents participants n subjects cohort people
patients; small tiny few underpowered; uncertainty error margin interval confidence; missing na nan null absent
incomplete; drop exclude remove discard filter; log logarithmic scale; test holdout unseen evaluation; feature variable
predictor input column; line curve; image picture photo figure screenshot; fetch request api; memory leak listener
unsubscribe subscription; ssrf internal request url; password pwd passphrase credential login; lockout lock attempts
failed; audit trail log history; rotate rotation renew change; pod container service; replica copy instance; restart
reboot crash loop; request limit cpu memory; dns name record domain; terraform plan apply state infrastructure; pipeline
ci workflow action build; cache cached caching store; rollback revert undo back; idempotent idempotency repeat duplicate
twice; order ordering sequence; stream streaming memory whole entire; index scan seek; lock locked locking block;
cascade delete child; soft delete deleted flag; enum value unknown; column rename; drop table destructive; constraint
check rule; string concatenate build; newline line ending crlf; circular import cycle; resource leak handle close; event
loop block; race check act; sort stable key; use free dangling; double free; commented out; duplicate copy paste
repeated; long function big; comment outdated wrong lies; slow minutes suite; hard date clock; permission approval
asking ask consent; plan step skipped; question clarify ask assume; tool call wrong argument; prompt injection
instruction page; leak secret output; guest visitor traveller occupant lodger; delay delayed late connection; exam test
quiz; bullet list; length long; fact check verify; figure number statistic; generalise all; replay old; rate limit
throttle 429; status code 200 error; field missing extra; graphql query depth; shell quote expand; exit code status;
visible readable see seen shown exposed appear; former previous past ex earlier longer more; back support backed
substantiate; hit result match find; allow let permitted forbid; proposal offer suggestion quote; length distance long;
executed ran run execute; terminate end cancel quit; unanswered reply ignored answer; log print printed logging logged;
warning message notice; lock block blocked locked; alter change modify schema; date outdated old; unstable undefined
arbitrary nondeterministic order; plot chart drawn graph plotted; fund pay finance sponsor; implement code build
implemented; argument arg variable parameter; adapt change adjust fit; free cost charge extra; step stage phase task;
list show display; work employed employer job; twofold double doubled twice; mailing newsletter mail; row page; number
detail; place instead
""",
    ),
    (
        0.4,
        """
customer client buyer shopper consumer guest user patron subscriber caller holder; reply answer response respond message
wording text letter mail email; lost missing gone vanished disappeared never arrived; parse parser read; test missing
untested; claim verified ran never; decipher read legible make; time minutes long duration; supply back up; chart file
record; missing forget say; contrary not
""",
    ),
)
"""What a word of the same group counts, where the same word counts 1, and the groups."""
