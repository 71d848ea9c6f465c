# ruff: noqa: RUF001 - the words of other scripts are meant
"""The words and phrases of notes that say nothing, in the languages that reviewers drift into.

The phrases are what reviewers were seen to flood with, in the field's issue threads and in both reference systems; the
word sets are what such phrases are made of, so that one in another order or with another filler is known too.
"""

from __future__ import annotations

from foureyes.core.wordlists import words_of

__all__ = ["ADJECTIVES", "LANGUAGES", "NOUNS", "PHRASES", "PRAISE", "PRAISED", "TAIL", "YES", "YES_FILLER"]

PHRASES = """
stop; stop here; stop now; halt; abort; wait; pause; stop it; stop please; hold on; i agree; agree; same here;
findings; issues; comments; results; result
done; task done; task complete; task completed; complete; completed; finished; all done; ok; okay; ok done; okay done
no issue; no issues; no problem; no problems; no concern; no concerns; no remarks; no comment; no comments; no notes
no note; no findings; no new findings; no advice; no new advice; no objection; no objections; no feedback; none; nothing
n a; na; null; nil; nan; undefined; tbd; notes; empty; blank; test; hello; hi; yes; no; true; false
nothing further; no further input; no further input needed; no further action; no action needed; no action required
no changes needed; no changes required; no change needed; no output; no content; no response; no reply; no message
nothing to see here; not applicable; same as before; same as above; see above; as before; ditto
no news; no update; no updates; no change; no changes; unchanged; still the same; business as usual
lgtm; looks good; looks good to me; looks fine; looks correct; all good; all fine; all clear; all correct; good; fine
ship it; go for it; well done; nice one; thumbs up; way to go; keep it up; keep up the good work; no worries
approved; agreed; ack; acknowledged; understood; noted; thanks; thank you; thanks noted; got it; will do; roger; copy
that
on track; agent on track; agent is on track; the agent is on track; still on track; everything is on track
continue; carry on; proceed; go on; keep going; go ahead; resume; moving on; please continue; you may continue
silence; silent; staying silent; i will stay silent; i will pause and wait; waiting; waiting for revision; standing by
standing by for updates; i am standing by; monitoring; watching; observing; listening; idle; no op; noop; pass; skip
end; end of message; end of review; end of notes; eof; eom; over; over and out; that is all; that s all; bye; goodbye
todo bien; todo correcto; continúa; sigue; de acuerdo; vale; listo; adelante; hecho; gracias; nada; ninguno
ras; tout va bien; tout est bon; c est bon; d accord; entendu; continuez; merci; rien; terminé; bien reçu; néant
alles gut; alles in ordnung; alles klar; alles bestens; passt; passt so; weiter; weiter so; fertig; erledigt; verstanden
in ordnung; einverstanden; danke; nichts; zur kenntnis genommen
tutto bene; tutto ok; va bene; d accordo; fatto; grazie; niente; avanti; ricevuto
tudo certo; tudo bem; de acordo; feito; pronto; obrigado; prossiga; entendido; alles goed; akkoord; klaar; ga door;
bedankt
ei huomautettavaa; wszystko w porządku; zgoda; gotowe; dziękuję; sorun yok; her şey yolunda; tamam; devam; teşekkürler
žádné připomínky; vše v pořádku; allt bra; ser bra ut; alt i orden; alt vel
всё хорошо; все хорошо; всё в порядке; все в порядке; ок; готово; понятно; принято; согласен; продолжай; продолжайте
спасибо; стоп; дальше; всё верно; все верно; всё ясно; немає зауважень; все гаразд; добре; дякую
ổn; tốt; được; tiếp tục; xong; cảm ơn; đồng ý; không vấn đề gì
حسنا; تم; موافق; استمر; شكرا; كل شيء على ما يرام; ممتاز; אין הערות; הכל בסדר; מצוין; בסדר
ठीक है; सब ठीक है; हो गया; जारी रखें; धन्यवाद; शाबाश; ไม่มีปัญหา; ไม่มีข้อสังเกต; ดีมาก; โอเค; เรียบร้อย
tidak ada masalah; tidak ada catatan; bagus; lanjutkan; selesai; baik; terima kasih
δεν υπάρχουν παρατηρήσεις; κανένα πρόβλημα; όλα καλά; εντάξει
"""

ADJECTIVES = words_of(
    """further new other additional more major minor significant obvious apparent critical blocking serious notable real
    specific outstanding remaining immediate known open particular pressing relevant important visible actionable
    material substantive noteworthy such meaningful"""
)
NOUNS = words_of(
    """issue issues problem problems concern concerns remark remarks comment comments note notes finding findings
    observation observations objection objections complaint complaints suggestion suggestions feedback advice input
    question questions blocker blockers nit nits change changes action actions correction corrections error errors bug
    bugs defect defects flag flags recommendation recommendations improvements edits guidance intervention"""
)
TAIL = words_of(
    """at this that time point moment stage turn now here so far yet since the last previous latest update review check
    found detected identified noticed spotted seen observed needed required necessary to report add flag raise mention
    say share offer comment on from me my side end i we have see there are is were was currently present for it
    note else or and today right just all as of continue proceed anything"""
)

PRAISE = words_of(
    """good great nice excellent solid perfect fine correct right amazing awesome brilliant fantastic superb impressive
    wonderful outstanding beautiful lovely super bravo kudos congrats congratulations best well lgtm
    gut gute guter gutes toll tolle klasse prima ausgezeichnet ausgezeichnete hervorragend hervorragende perfekt
    großartig
    grossartig bestens bon bonne excellente parfait parfaite bien beau belle génial formidable magnifique
    bueno buena buen excelente perfecto perfecta genial estupendo fantástico bom boa ótimo ótima perfeito perfeita
    ottimo ottima bene perfetto eccellente bravissimo goed goede uitstekend prachtig bra utmärkt flot godt
    отлично отличная отличный хорошо хорошая молодец супер прекрасно замечательно здорово
    świetna świetnie dobra dobrze doskonale harika güzel iyi mükemmel tốt giỏi tuyệt رائع ممتاز अच्छा बढ़िया शानदार
    bagus
    hebat"""
)
PRAISED = words_of(
    """work job done code diff patch change changes progress approach start going everything all looks look looking
    seems is are was ok okay so far here
    to me keep it up on track the this that very really agent plan direction and now as a an again team you your too
    effort stuff going much i like s quite pretty absolutely doing thanks thank carry continue just think feels
    arbeit weiter so sehr wirklich das ist sieht aus alles gemacht läuft nach mach macht job
    travail continue continuez comme ça très c est tout va vraiment fait le la
    trabajo sigue así muy todo va está hecho trabalho continue assim muito tudo feito lavoro continua così molto tutto
    fatto
    werk gedaan heel ga zo door jobbat arbejde работа так держать всё все идёт очень продолжай продолжайте это
    robota praca oby tak dalej iş devam et çok rất lắm làm việc tiếp tục عمل جدا काम बहुत kerja sekali"""
)
YES = words_of(
    """ok okay done noted understood acknowledged ack received roger thanks agreed yes yep yeah approved confirmed
    complete completed finished proceed proceeding continue continuing sure stop stopping halt wait waiting pause
    pausing lgtm silence silent accepted resolved"""
)
YES_FILLER = words_of(
    "now here please it that this for you all so far and then to me i am will got am m everything thank good great"
)

LANGUAGES: tuple[tuple[frozenset[str], frozenset[str], frozenset[str]], ...] = tuple(
    (words_of(negations), words_of(nouns), words_of(rest))
    for negations, nouns, rest in (
        (
            "kein keine keinen keinerlei nichts ohne",
            """anmerkung anmerkungen problem probleme einwand einwände fehler befund befunde hinweis hinweise kommentar
            kommentare beanstandung beanstandungen bedenken auffälligkeit auffälligkeiten mängel fragen ergänzungen
            änderungen vorschläge einwendungen nichts bemerkungen""",
            """weiteren weitere neuen neue gefunden festgestellt erkennbar ersichtlich nötig erforderlich mehr bisher
            derzeit
            momentan aktuell hier soweit zu beanstanden hinzuzufügen ergänzen sagen melden anzumerken bemängeln es gibt
            ich habe sehe im moment berichten keine größeren""",
        ),
        (
            "aucun aucune pas rien sans ras",
            """problème problèmes remarque remarques commentaire commentaires observation observations objection
            objections erreur erreurs anomalie anomalies souci soucis suggestion suggestions question questions rien
            ras""",
            """de d autre autres nouveau nouvelle nouvelles à signaler ajouter redire dire déclarer trouvé trouvée
            trouvées
            détecté détectée constaté pour le moment l instant ici il y a je n ai vois particulière ce stade plus
            tout va bien""",
        ),
        (
            "sin ningún ninguna ninguno nada no",
            """problema problemas comentario comentarios observación observaciones error errores objeción objeciones
            duda
            dudas incidencias hallazgos sugerencias nada cambios""",
            """más nuevos nuevas que añadir agregar reportar señalar objetar decir por ahora el momento aquí hay tengo
            veo se
            encontraron encontrado encontrados detectado detectaron todo bien hasta otros""",
        ),
        (
            "sem nenhum nenhuma nada não",
            """problema problemas comentário comentários observação observações erro erros objeção objeções ressalvas
            dúvidas sugestões nada alterações""",
            """mais novos novas a acrescentar adicionar relatar declarar dizer por enquanto agora há tenho vejo
            encontrado
            encontrados foram no momento tudo certo bem até""",
        ),
        (
            "nessun nessuna nessuno niente nulla senza non",
            """problema problemi osservazione osservazioni commento commenti errore errori obiezione obiezioni rilievo
            rilievi nota note niente nulla dubbi""",
            """da aggiungere segnalare dire dichiarare per ora il momento ho vedo ci sono nuovi altri rilevato trovato
            più""",
        ),
        (
            "geen niets zonder",
            "opmerking opmerkingen probleem problemen fout fouten bezwaar bezwaren bevindingen vragen niets",
            "verdere nieuwe gevonden toe te voegen melden meer op dit moment ik heb zie er zijn",
        ),
        (
            "нет без не никаких ничего нечего немає жодних",
            """замечаний замечания проблем проблемы вопросов ошибок возражений комментариев нареканий претензий
            предложений
            дополнений изменений ничего нечего зауважень питань помилок заперечень""",
            "новых других больше пока у меня обнаружено найдено выявлено добавить нового сейчас нет серьёзных к",
        ),
        (
            "brak bez żadnych nic",
            "uwag problemów błędów zastrzeżeń komentarzy pytań nic",
            "nowych dodatkowych więcej do dodania nie ma mam na razie",
        ),
        ("yok", "sorun hata yorum itiraz not bulgu", "herhangi bir yeni şu an ek başka önemli"),
        (
            "inga ingen inget ingenting ikke ingen intet",
            "anmärkningar problem kommentarer fel bemærkninger problemer merknader kommentarer feil invändningar",
            "nya fler hittades att tillägga just nu flere nye fundet funnet",
        ),
        ("tidak tanpa", "masalah catatan komentar kesalahan temuan", "ada saat ini lagi baru"),
        (
            "không chưa",
            "vấn đề ý kiến lỗi nhận xét bình luận gì",
            "có nào thêm để mới thấy phát hiện cần còn gì báo cáo tôi",
        ),
        (
            "لا ليس بدون",
            "ملاحظات ملاحظة مشاكل مشكلة أخطاء تعليقات تعليق اعتراضات شيء",
            "توجد يوجد أي جديدة حاليا هناك لدي أخرى لإضافته",
        ),
        ("नहीं", "समस्या टिप्पणी त्रुटि आपत्ति सुझाव", "कोई है हैं नई और अभी मिली अतिरिक्त कुछ"),
        (
            "nincs nincsenek semmi",
            "észrevétel észrevételem észrevételek megjegyzés megjegyzésem hiba probléma kifogás kifogásom gond semmi",
            "további új más több most itt",
        ),
        (
            "fără niciun nicio nu nimic",
            "observații observaţii observație probleme problemă comentarii erori obiecții remarci nimic",
            "de adăugat alte noi am sunt există suplimentare",
        ),
        (
            "ei eikä mitään",
            "huomautuksia huomautettavaa kommentteja ongelmia virheitä huomioita lisättävää",
            "ole uusia muita tässä enempää",
        ),
        (
            "žádné žádný žádná bez není nic nejsou",
            """připomínky připomínek problémy problém problémů námitky námitek chyby chyb komentáře poznámky poznámek
            nic""",
            "další dalších nové nových nemám tomu",
        ),
        (
            "καμία κανένα κανένας χωρίς δεν τίποτα",
            "παρατήρηση παρατηρήσεις πρόβλημα προβλήματα σχόλιο σχόλια αντίρρηση λάθος λάθη τίποτα",
            "υπάρχουν υπάρχει έχω άλλη άλλο νέες νέο περαιτέρω",
        ),
        (
            "nema bez nemam няма без нямам",
            "primjedbi primedbi problema komentara grešaka napomena забележки проблеми коментари грешки възражения",
            "novih dodatnih daljnjih drugih нови други",
        ),
    )
)
"""For each language: what denies, what is denied, and what may stand beside them."""
