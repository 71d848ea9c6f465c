"""Words that come up together, since they are about the same thing: what is paid, what is sent, what is tested."""

from __future__ import annotations

__all__ = ["TOPICS"]

TOPICS = (
    (
        0.4,
        """
flight plane airline airport passenger ticket seat luggage baggage boarding gate train bus rail station trip travel
journey traveller departure arrival connection itinerary passport visa; injection inject escape sanitise xss csrf sql
shell command attacker malicious exploit vulnerability crafted untrusted traversal forge spoof payload hostile attack
phishing; alert alarm monitor metric dashboard notify page pager oncall threshold observe incident panel gauge; document
documentation readme guide comment docstring example explain tutorial manual changelog; colour contrast blind accessible
accessibility screenreader keyboard mouse focus tab alt readers hue red green disabled; sample survey respondents
population bias cohort questionnaire selection participants subjects study size patients representative random; mean
median average variance deviation outlier skew distribution percentile extreme statistic sum quantile typical; tenant
landlord rent lease renter apartment notice deposit flat house property repair; unit celsius fahrenheit metre mile
kilogram pound metric imperial convert conversion degree temperature distance scale kilometre; weight size length
distance measure height width dimension; photo picture image attachment upload screenshot camera; school student teacher
exam grade course lesson class homework pupil; energy electricity power heat gas emission carbon climate; city country
region state population map geography border capital area inhabitant; car vehicle driver road accident engine fuel; food
meal ingredient recipe allergy restaurant menu cook; invent quote ceo press release interview statement said attributed;
dog cat pet animal horse bird breed vet; metre meter foot feet inch mile kilometre length distance height width
centimetre; kilogram gram pound ounce weight mass heavy kg lb; litre gallon volume liquid cup pint; penicillin
amoxicillin antibiotic infection allergy reaction; aspirin ibuprofen paracetamol painkiller pain fever tablet; insulin
diabetes glucose sugar metformin; heart blood pressure cardiac stroke ecg pulse; clinic practice hospital surgery ward
doctor gp physician medical; symptom diagnosis fever cough pain rash nausea dizziness; shoe shirt dress trousers jacket
size clothing fabric wear garment; chair table sofa bed furniture desk shelf; airport flight land takeoff gate airline
plane boarding; hotel hostel motel inn room stay night lodging breakfast; restaurant cafe meal dinner lunch breakfast
menu dish; oven bake cook boil fry recipe ingredient minutes flour; bank account iban transfer branch card loan savings
atm; spouse wife husband mother father parent brother sister child family; monday tuesday wednesday thursday friday
saturday sunday weekend weekday day; january february march april may june july august september october november
december month; spring summer autumn winter season; rain snow storm weather temperature wind forecast; germany german
berlin france french paris spain spanish italy italian europe european; england english britain british uk london
scotland; america american usa us states washington; china chinese japan japanese india indian asia; law statute act
regulation force repealed repeal amended legal rule provision; judge court verdict appeal trial lawyer witness; police
crime theft fraud arrest; election vote party candidate minister parliament government; war army military soldier;
school university college degree student lecture professor; manufacturer maker producer brand factory supplier fund
sponsor; conflict interest funded sponsor paid bias independent; postgres postgresql mysql sqlite oracle sql database
mongo; redis memcached cache store; kafka rabbitmq sqs queue broker stream; docker podman container image compose
kubernetes; aws azure gcp s3 lambda cloud bucket; npm pip cargo maven package registry install dependency; react vue
angular component frontend javascript typescript; python java rust go ruby javascript typescript c cpp kotlin language;
bash zsh sh dash posix shell script; linux ubuntu debian alpine windows macos os system; chrome firefox safari browser
tab; closure lambda anonymous capture captured callback function; constructor init initialise destructor finalizer
object instance; finally with defer cleanup close release resource context; supervisor systemd restart daemon service
watchdog; lfs binary artefact artifact commit repository blob large; checked checkin commit committed add; numerator
denominator ratio percentage divide share; zero division divide infinity nan; screen reader blind aria label
accessibility; plot plotted series month data axis; budget spend cost exceed price afford expensive dollar; proposal
offer quote estimate bid; conclusion draw infer judge; newsletter mailing subscribe unsubscribe email campaign; allow
forbid permit prohibit ban restrict deny; accept reject refuse approve decline; increase decrease grow shrink rise fall
double third triple; force apply valid effect effective; flood drown swamp spam overwhelm thousands noise noisy; promise
lack describe implement documented implemented; abroad foreign international country border customs duty; undecided
opinion vote poll voter; kill terminate signal abort stop; history layer image inspect argument; provider supplier
operator company side party; right entitled may claim allowed; income earnings wage salary; stored save persist written
disk lost; column field select star unused; capture captured record taken; hand manual manually automatic; contribute
fund pay sponsor; retry hammer flood backoff pause immediately again delay attempt failing overload storm herd; encoding
utf8 umlaut accent garbled character latin ascii emoji broken special non; overflow wrap large huge 32 bit 64 integer
maximum exceed big negative; regex backtrack exponential catastrophic crafted long hang pattern input evil minutes; path
absolute machine home developer laptop hardcoded portable directory elsewhere windows separator; redundancy single point
failure one instance standby spare outage down replica; memory cpu limits starve neighbours pod node quota unlimited
consume kill; pinned latest floating version tomorrow different reproducible lock drift upgrade surprise; imbalanced
accuracy majority constant always rare class recall precision baseline predicts; multiple tests many comparisons chance
correction twenty significant fishing hacking bonferroni; correlation causation cause effect because third confounder
together proves association experiment; outlier extreme mean median skewed average pulled typical robust few; nominal
real inflation adjusted compare prices years purchasing; axis truncated zero start exaggerate visual scale misleading
bars difference cut; extrapolate beyond range future trend continue assume forecast line; fiscal calendar period year
quarter mixed different compare months overlap; source unreliable blog anonymous forum weak primary official single one
wikipedia; opinion fact presented author view neutral claim certain; tone rude cold harsh blame apologise empathy
annoyed friendly polite curt words sorry regret; escalate supervisor human hand specialist beyond authority threatened
lawyer manager; interaction together combined drug contraindicated bleeding risk warfarin both prescribed; pregnant
pregnancy breastfeeding harm unborn avoid contraindicated woman; jurisdiction country state law applies elsewhere
foreign governed; deadline missed expired late passed due filing days over extension; keyboard mouse focus tab reach
click accessible screen reader blind users; contrast pale grey readable text background colour low vision; mobile small
screen phone narrow overflow cut layout viewport; spam mailing consent opt newsletter advertising unsubscribe
permission; visa passport entry expire months travel document required valid; cost expensive cheaper bill cloud budget
waste spend idle oversized; disk full space fill logs uploads rotate quota grows; port open internet firewall exposed
world ssh restrict network anyone; leap year february day age birthday crash; redirect url external phishing parameter
attacker domain; path traversal upload filename dots directory outside escape; deserialise pickle untrusted execute code
yaml load arbitrary; sort stability comparator inconsistent order equal ties; recursion depth stack overflow deep nested
limit; copy shallow mutated caller original alias shared nested
""",
    ),
    (
        0.3,
        """
hotel room guest booking reservation night bed stay checkin checkout breakfast lodging apartment host accommodation
arrival departure suite; permission role access privilege grant admin root owner group member acl policy authorise
authorisation share allow deny forbidden restrict 403 scope guest tenant; encrypt decrypt cipher tls ssl https
certificate hash digest md5 sha salt bcrypt argon2 signature sign signed verify key nonce random rng; memory heap ram
allocate buffer leak free freed pointer reference garbage cache evict overflow oom bounds dangling stack grow malloc;
thread lock mutex race concurrent parallel deadlock atomic semaphore simultaneous worker executor pool synchronise
interleave shared contention critical; cron schedule job nightly daily weekly monthly timer batch task run midnight
hourly periodic trigger calendar; queue message event broker consumer producer topic subscriber publish backlog kafka
webhook notification notify worker ack deliver dead letter; migration schema rollback backfill column down upgrade
downgrade alter drop deploy release revert undo reverse restore; backup restore snapshot recover archive copy replica
disaster retention loss lost; build compile ci pipeline docker image container layer dockerfile base tag artifact cache
dependency pin version lockfile release package context registry; deploy release production staging rollout canary prod
environment rollback live pipeline ship cluster feature flag toggle default enabled; pod container kubernetes node
cluster cpu memory limit replica resource deployment namespace helm terraform bucket provision privileged; log logging
debug logger level trace print stdout verbose retention rotate message record audit telemetry; config configuration
setting option default flag env environment yaml toml parameter value override preset comment; parse parser token syntax
format regex pattern json xml csv string encode decode unicode charset header delimiter serialise quote newline; number
integer float decimal round rounding precision overflow sum negative positive sign minus zero divide arithmetic
calculation fraction percent digit; string text compare case upper lower letter character trim whitespace equal length
encoding sensitive; git commit branch merge push rebase repository diff patch pr history message checkin conflict;
button form field dropdown menu page screen dialog click keyboard mouse widget layout window ui input select mobile
font; correlation causation cause effect significance pvalue hypothesis confidence interval estimate test comparison
multiple confounder evidence; revenue turnover profit margin loss earnings cost budget sales income ebitda cash quarter
fiscal annual forecast balance assets debt expense accounting; source citation cite quote reference article paper study
link blog website page author publication claim fact evidence wikipedia newspaper press statement published paragraph
attributed; claim statement evidence source support prove proof invented fabricated hallucinated made false untrue
contradict unsupported basis fact verify; old outdated stale obsolete superseded dated recent latest current new year
past version former previous deprecated newer newest; translate translation language english spanish german french
sentence original text word locale meaning render rendered reply write speak; sentence paragraph text word grammar
spelling typo wording style phrase heading title summary section chapter passage edit write draft; contract clause party
notice termination terminate law legal court agreement liability obligation seller buyer sign signature breach lease;
patient doctor physician dose dosage drug medicine diagnosis symptom treatment hospital nurse blood lab clinical disease
allergy child adult weight chart prescription; insurance claim policy form signature damage cover premium accident
insurer; tax filing return vat deadline authority income deduction exempt invoice number id; employee staff worker hr
salary wage contract leave manager colleague team hire former department; consent privacy gdpr personal data sensitive
marketing newsletter opt advertising mail subscribe unsubscribe consumer; email mail letter message address recipient
sender subject newsletter inbox attachment spam send; privilege root container docker sandbox user escalate socket host
kernel; size limit cap bound large upload disk memory unbounded grow maximum unlimited fill exhaust space volume;
duplicate twice double repeat again redundant identical copy same unique idempotent counted; delete remove wipe erase
drop purge lost destroy irreversible data loss recursive overwrite clear; read write reader writer stream flush close
open buffer sync; random seed deterministic reproducible reproduce rng flaky order nondeterministic result; dependency
library package version upgrade licence vulnerability outdated pin import compatible interpreter python syntax support;
currency exchange rate euro dollar conversion convert amount price; meeting appointment calendar slot invite time attend
participant date; warranty guarantee repair damage broken defective replace exchange product item return fault;
availability stock sold available inventory out product; search query result engine find google web page keyword; bus
tram metro train transport public station stop line ride; street road house number postcode zip city address town
village live; company firm business employer employee work job staff industry manufacturer maker; json yaml xml csv toml
format file; 200 404 500 status code http; process ps pid command argument line kill; tie breaker stable unstable sort
order page; respondents nonresponse answer survey missing refuse; resolution pixel blurry small decipher read legible
font; search hit result first only match; former previous past ex employer old earlier leave left; garble corrupt mangle
interleave overwrite two writers; expectation expected assert adapt behaviour test; contact phone email address reach
number; message unanswered reply wrote letter ignore wait; transcript log history record trace sign; alter schema
migration lock table block; bruteforce attempts unlimited guess guessing limit lockout throttle try login password tries
rate captcha; certificate verification disabled verify tls accept any middle man trust invalid ssl check self signed;
wildcard star everything any origin all permissions broad rights needed least narrow scope excessive more; plaintext
readable clear log logs written print printed dump secret password token visible leak console stdout; hardcoded source
code repository literal baked secret key committed config environment inside; swallow ignored hidden unnoticed silent
lost error failure exception nobody learn logged caller success pretend; float double decimal cents rounding money
currency precision binary exact amount; naive timezone utc local offset shift hour summer winter dst wrong clock
convert; transaction half partial inconsistent middle between crash rolled commit atomic both together written;
idempotent twice again repeated redelivered duplicate double charge processed replay second same message; mock stub fake
real hides nonexistent behaviour actual never exercised everything patched; duplicate copied paste repeated twice same
helper extract identical elsewhere logic both; name misleading unclear vague meaning cryptic rename says tells purpose
descriptive abbreviation; breaking compatibility existing clients callers old version removed signature rename upgrade
backward; logs noisy verbose debug level info every request flood too many lines; monitoring alert nobody notice
unnoticed outage silent broken page metric failing; staging straight production untested canary everyone once rollout
gradual directly live; sample small few tiny conclude generalise too participants patients respondents evidence power
inference; selection bias only survivors left excluded dropouts skewed representative volunteers asked overlooked;
missing dropped excluded silently rows values blanks incomplete unknown reason imputed; double counted twice both
overlap inflated total sum duplicates once; percent percentage points relative absolute base share change; per capita
population size absolute total large country inhabitants compare normalise; unit units missing unlabelled unknown axis
column thousand million state reader; cherry picked selective chosen period favourable only start convenient ignored;
outdated old years superseded newer edition since changed recent update; quote fabricated invented nowhere appear said
found article text attributed never; misattributed wrong person namesake confused same name another different identity;
promise policy allow entitled authorised offer exception cannot keep rule goodwill; allergy allergic given despite chart
reaction listed avoid alternative; dose weight child adult kidney adjust too high maximum daily renal exceed; superseded
amended repealed replaced old version force statute valid; unsigned signature missing invalid binding signed witness
page; scope beyond asked requested unrelated only extra touched changed untouched wanted; claims verified ran executed
never evidence proof pretends output really tests; loop repeating same again stuck progress attempt identical over
turning nothing learned; hallucinated invented exist nonexistent library function method api file flag option real;
tests changed weakened pass deleted skip expectation adapt instead fix bug; leftover debug print temporary file cleanup
remove forgotten behind residue; backup before overwrite lost copy restore destructive original gone irreversible; alt
text image describe blind reader missing picture; free shipping delivery cost abroad charge threshold order; stock sold
available product unavailable order offered discontinued; hotel stay nights room arrival checkin date booked wrong;
connection flight tight minutes miss transfer arrive late change; licence copyright permission gpl incompatible use code
text allowed attribution; personal data retention delete keep longer necessary privacy years stored; slow performance
seconds wait users page load faster cached milliseconds; container root privileges user escape host unprivileged; dns
cached old address ttl switch propagate; queue stuck poison message blocked behind retry dead letter forever; email
address validation regex valid rejected plus accept syntax; date format ambiguous day month american iso; html script
xss escaped inserted page comment name attacker browser; csrf token form forged site post request; mutable default
argument shared list calls between; closure loop variable late last value captured lambda; blocking event loop async
synchronous call stalls await coroutine; compare equality type string number identity is mismatch
""",
    ),
    (
        0.2,
        """
refund reimburse money cash pay payment charge bill invoice fee price cost amount card bank transfer credit debit
voucher coupon discount purchase checkout wallet paypal deposit balance euro dollar pound cent currency tax vat total
sum; parcel package shipment ship deliver delivery courier goods order warehouse stock address tracking carrier freight
post postage label box dispatch arrive customs return item product pickup; customer client buyer shopper subscriber
consumer complaint support ticket agent reply answer response complain service case apology apologise tone sorry polite
rude friendly grievance satisfaction escalate callback greeting salutation; login password credential account session
token auth authenticate authentication signin signup logout sso mfa otp oauth jwt cookie user username secret identity
reset register; secret key token credential password vault leak expose repository commit env plaintext redact mask log
private certificate; file folder directory path symlink filename extension read write open disk archive zip upload
download attachment document copy move descriptor handle temp mount; timeout wait sleep delay deadline retry backoff
interval poll hang block stall pause second minute slow latency duration attempt forever; date day month year time
timezone utc offset clock timestamp calendar leap february birthday age hour dst local zone week quarter deadline; cache
stale invalidate evict expire ttl refresh old entry memoise warm hit miss key previous; exception catch caught raise
throw error fail failure crash traceback stack trace swallow ignore silent handle except try panic abort hidden mask;
table row column schema index key foreign primary constraint migration database query sql select join where update
insert null unique orphan ddl transaction rollback record relation; query scan index planner slow join sequential loop
n+1 roundtrip fetch select performance plan explain optimise full; test assertion assert fixture mock coverage suite
case flaky expect pass fail green stub fake spec regression snapshot check untested unit integration skip skipped sleep;
server host port network firewall ingress connection proxy socket http request endpoint dns load balancer health probe
url route gateway traffic internet public client; api endpoint request response status header body json payload rest
webhook client route 404 500 http call url version parameter; function method class variable name naming constant type
annotation signature argument parameter return module import refactor extract readable responsibility split helper
interface abstraction magic; loop iterate iterator index array list element bound empty off first last item offset range
length slice cursor; chart graph plot figure axis legend label caption title bar line colour scale readers pie slice
point map hue palette draw visual image tick; regression model train training test validation feature predict prediction
accuracy recall precision f1 class label leak overfit imbalance score metric evaluate forecast fitted baseline;
percentage share total sum count growth rate figure table year quarter increase decrease revenue turnover sales compare
comparison inflation nominal real; summary report omit leave mention include condition missing detail short overview
list skip forget incomplete part; user asked request wanted instruction plan task scope only told requirement unrelated
approval permission confirm edit change; plan step task skip goal requirement stage milestone deadline order sequence
missing; rate limit throttle quota request burst client cap bound unlimited per; pagination page limit offset cursor
first next hundred list export results; null none nil empty missing undefined optional blank value default index error;
pytest junit jest test suite runner executed run ran; visible see read show appear expose; query per row loop
individually each one separate roundtrip batch prefetch eager join single n+1 database hundred thousand; leak grow grows
memory never freed released retained listener unsubscribed reference forever climb restart gc; race concurrent between
check use window another other process meanwhile same time simultaneous two both overwrite lost update toctou atomic;
unauthenticated anyone anybody public without login open everyone call endpoint authentication protected guard reachable
exposed; timeout hang forever wait stuck response slow remote server answer never endless block call; close closed
handle leak open released descriptor connection exhausted pool finally context return given; null none missing absent
crash dereference attribute check optional value exist nothing; unbounded limit evict maximum size forever cache
dictionary list grow full ceiling; index scan slow lookup full table sequential search column million rows sort; zero
empty division divide denominator none count crash list first; assert assertion nothing always pass green trivially true
meaningless check fail cannot never verify result; order depends dependent alone isolation previous state shared
leftover another run first; dead unused unreachable never called nobody remove leftover code function reference; comment
docstring outdated wrong contradicts code says differently behaviour stale documentation; leakage future test training
seen optimistic contaminated split before fitted holdout score; denominator base share relative wrong divided by out of
total population; seasonal season month year before compare quarter same trend christmas; goes beyond source says only
claim stronger overstated supports cautious suggests; question unanswered ignore asked address reply miss say word about
nothing; ask again already given provided repeat information known sent customer second time; another customer data
wrong account disclosed mixed someone else personal details stranger; identity verify before change account caller prove
security question details; closed resolved open waiting reply early still customer ticket confirm; permission ask asked
approval consent confirm without before destructive user agreed; instruction told explicit ignored contrary despite
forbid user rule wanted said; generated file edited hand overwritten next regenerate build source template; assumption
guessed unread without reading looking checking file opened assumed docs; deadlock order locks two each waits other
opposite; stale replica lag read primary behind old just written seconds; pagination page skip missing repeated order
offset unstable rows; string concatenate sql injection parameters bind query quotes user input
""",
    ),
)
"""What a word of the same topic counts, where the same word counts 1, and the topics."""
