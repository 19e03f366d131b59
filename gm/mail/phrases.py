"""What mail programs write round a quote, in the languages their users have: data for `gm.mail.quotes`.

Patterns are matched against one line of at most `caps.LINE` characters, from its start, and hold no nested repeats.
"""

from __future__ import annotations

import re

VERBS = re.compile(
    r"\b(wrote|writes|schrieb|schrieben|geschrieben|a écrit|écrit|écrivait|escribió|escribio|ha escrito|va escriure|"
    r"scrisse|ha scritto|scritto|escreveu|schreef|geschreven|skrev|skrifaði|kirjoitti|napisał|napisała|pisze|"
    r"napisał\(a\)|napsal|napsala|napsal\(a\)|píše|napísal|napísala|írta|ezt írta|a scris|scris|yazdı|şunu yazdı|"
    r"написал|написала|написал\(а\)|пишет|пише|написав|написала|написа|je napisao|je napisala|napisao|je napisal|"
    r"έγραψε|said|quoting|zitat von|citando|citerar|citeren|rašė|kirjutas|rakstīja|menulis|đã viết|escribiu|idatzi)\b"
    r"|写道|寫道|のメール|が書きました|さんは書きました|님이 작성|작성:|כתב|כתבה|מאת|كتب|เขียนว่า|نوشت",
    re.IGNORECASE,
)
OPENERS = re.compile(
    r"(on|am|le|el|il|em|op|w dniu|dnia|den|dne|dňa|på|pe|la|în|στις|in einer|zitat|quoting|citando|"
    r"el día|il giorno|il dì|vào|pada|tarihinde|пн|вт|ср|чт|пт|сб|вс|нд|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|"
    r"ven|sam|dim|"
    r"mon|tue|wed|thu|fri|sat|sun|ma|ti|ke|to|su|po|út|st|čt|pá|ne|pon|wt|śr|czw|pt|sob|niedz)\b",
    re.IGNORECASE,
)
MOMENT = re.compile(r"\d{1,2}[:.h]\d{2}|\b\d{4}\b|\d{1,2}[./-]\d{1,2}[./-]\d{2}|\d{4}年")
INITIALS = re.compile(r"[A-Z]{1,3}> ")

DIVIDERS = re.compile(
    r"\W{0,3}\s?[-_=*]{2,40}\s{0,3}(original[- ]?message|original appointment|originalnachricht|"
    r"urspr(ü|ue)ngliche (nachricht|e-?mail|mail)|original-?nachricht|message d'origine|message d’origine|"
    r"message original|"
    r"message initial|mensaje original|missatge original|messaggio original[ei]|mensagem original|"
    r"oorspronkelijk bericht|"
    r"oorspronkelijke bericht|ursprungligt meddelande|originalmeddelande|oprindelig (meddelelse|besked|mail)|"
    r"opprinnelig melding|original melding|alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|"
    r"původní (zpráva|e-mail)|pôvodná správa|eredeti üzenet|mesajul original|mesaj original|orijinal (mesaj|ileti)|"
    r"исходное сообщение|оригинальное сообщение|пересылаемое сообщение|вихідне повідомлення|оригинално съобщение|"
    r"izvorna poruka|originalna poruka|izvirno sporočilo|αρχικό μήνυμα|原始邮件|原始郵件|原邮件|元のメッセージ|"
    r"original のメッセージ|원본 메시지|원본 메일|forwarded message|forwarded by|reply message|reply above this line|"
    r"weitergeleitete (nachricht|e-?mail|mail)|message transféré|message transfere|mensaje reenviado|"
    r"messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|vidarebefordrat meddelande|"
    r"videresend[et] (meddelelse|besked|melding)|välitetty viesti|wiadomość przekazana|přeposlaná zpráva|"
    r"továbbított üzenet|iletilen mesaj|转发的?邮件|転送メッセージ|전달된 메시지)\b.{0,80}",
    re.IGNORECASE,
)
FORWARDS = re.compile(
    r"(begin forwarded message|anfang der weitergeleiteten (nachricht|e-mail|mail)|début du message (transféré|"
    r"réexpédié)|"
    r"inicio del mensaje reenviado|inizio messaggio inoltrato|início da mensagem (encaminhada|reencaminhada)|"
    r"begin doorgestuurd bericht|vidarebefordrat brev|start på (videresendt|vidarebefordrat)|"
    r"początek przekazywanej wiadomości|začátek přeposlané zprávy|välitetty viesti alkaa)\s{0,3}:",
    re.IGNORECASE,
)
RULE = re.compile(r"\s{0,3}(_{8,200}|-{20,200}|={20,200}|\*{20,200})\s*")
UNDERSCORES = re.compile(r"\s{0,3}_{8,200}\s*")
DASHED = re.compile(r"\s{0,3}-{3,40}\s?[^-].{2,60}?-{3,40}\s*")

FROM = re.compile(
    r"[*_\s]{0,4}(from|von|de|da|van|från|fra|od|lähettäjä|feladó|kimden|gönderen|от|від|απ?ό|από|de la|nuo|no|"
    r"saatja|"
    r"发件人|寄件者|寄件人|差出人|送信者|보낸 사람|보낸사람|מאת|من|expéditeur|expediteur|remitente|mittente|afzender|"
    r"avsändare|afsender|avsender|absender|nadawca|odesílatel|odosielateľ)\s{0,2}[:：][*_]{0,2}",
    re.IGNORECASE,
)
LABEL = re.compile(
    r"[*_\s]{0,4}(sent|date|to|cc|subject|reply-to|received|gesendet|datum|an|kopie|betreff|antwort an|envoyé|"
    r"envoyée|"
    r"date|à|objet|enviado|enviado el|enviada|enviada em|fecha|para|asunto|assunto|data|inviato|data|a|oggetto|"
    r"verzonden|aan|onderwerp|skickat|till|ämne|kopia|sendt|dato|til|emne|kopi|lähetetty|päivämäärä|"
    r"vastaanottaja|aihe|"
    r"wysłano|wysłane|do|dw|temat|odesláno|komu|předmět|odoslané|predmet|elküldve|dátum|címzett|tárgy|trimis|către|"
    r"subiect|gönderildi|gönderilme|tarih|kime|konu|отправлено|дата|кому|копия|тема|надіслано|στάλθηκε|ημερομηνία|"
    r"προς|θέμα|importance|priority|wichtigkeit|发送时间|发送日期|日期|收件人|抄送|主题|寄件日期|收件者|主旨|"
    r"送信日時|日時|宛先|件名|보낸 날짜|날짜|받는 사람|제목|נשלח|אל|נושא|تاريخ|إلى|الموضوع)\s{0,2}[:：][*_]{0,2}",
    re.IGNORECASE,
)

SIGNATURE = re.compile(r"(--|—|–|‐‐|-- --)\s?")
MOBILE = re.compile(
    r"(sent (from|with|via|by|using) (my|mail|outlook|yahoo|gmail|samsung|proton|aol|nine|blue|spark|a |an |"
    r"the |iphone|"
    r"android|bluemail|tuta|tutanota|zoho|k-9|fastmail|myMail|mobile|phone|windows|hey|canary|superhuman|mailspring|"
    r"airmail|edison|shortwave|icloud|rediff|thunderbird|opera|fairemail)|get outlook for|download outlook for|"
    r"von meinem .{1,40} gesendet|gesendet (von|mit|über|via|aus)|diese nachricht wurde von meinem|"
    r"outlook für .{1,20}|"
    r"holen sie sich outlook|envoyé (de|depuis|à partir|avec|via|par)|obtenir outlook|obtenez outlook|"
    r"télécharger outlook|"
    r"enviado (desde|do|de|mediante|con|com|via|a partir)|obtener outlook|obtenha o outlook|obter o outlook|"
    r"inviato (da|dal|dall'|dall’|con)\b|scarica outlook|ottieni outlook|ottenere outlook|verzonden (vanaf|met|"
    r"vanuit|via)|"
    r"outlook voor .{1,20} downloaden|download outlook voor|outlook voor|skickat från|skickades från|"
    r"hämta outlook|sendt fra|sendt med|"
    r"få outlook|hent outlook|lähetetty .{1,40}|hanki outlook|wysłan[eoay] z|pobierz outlook|odesláno z|"
    r"odosláno z|odoslané z|"
    r"stáhnout outlook|získat outlook|küldve|az én .{1,20} küldve|trimis (de pe|din)|отправлено (с|из)|надіслано з|"
    r"скачать outlook|iphone'?umdan gönderildi|.{1,30} gönderildi$|poslano (s|iz|z)|στάλθηκε από|"
    r".{0,30}から送信|.{0,30}에서 보냄|"
    r"发自我的|從我的|从我的|發自我的|אני שולח|נשלח מ|أُرسلت من|أرسل من|enviat (des|de) )",
    re.IGNORECASE,
)
FOOTER = re.compile(
    r"[\[(*_\s]{0,4}((caution|warning|achtung|attention|vorsicht|external)\W{1,3}\s?.{0,20}(e-?mail|extern|"
    r"sender|message)|"
    r"\[?external( e-?mail| sender)?\]|you don't often get e-?mail from|this message (came|originated) from outside|"
    r"(this|the) (e-?mail|message|communication|transmission)( message)?( and any| \(|, including| and its|"
    r" is (confidential|intended|"
    r"for the)| may contain| contains| has been (scanned|checked)| was sent (to|from) (you|a))|"
    r"the (information|contents?) (contained |transmitted )?(in|of) this|confidential(ity)?\b.{0,40}(notice|"
    r"e-?mail|message|:)|"
    r"disclaimer\b|virus-free|virenfrei|sans virus|libre de virus|privo di virus|.{0,4}virusvrij|"
    r"please consider the environment|"
    r"(please )?think before (you print|printing)|before printing|this email has been checked for viruses|"
    r"no virus found in this|diese (e-?mail|nachricht) (enthält|wurde|ist|kann|und)|der inhalt dieser e-?mail|"
    r"ce (message|courriel|mail|courrier)( et| électronique|, ainsi| est| a été| peut| contient)|l'absence de virus|"
    r"este (mensaje|correo|e-?mail|mensagem)( y| e | electrónico| está| puede| contiene|, )|esta mensagem|"
    r"(questo|il presente) (messaggio|e-?mail)|le informazioni contenute|(dit|deze) (bericht|e-?mail|"
    r"boodschap)( en| is| kan| bevat)|"
    r"detta (meddelande|e-?post|mail)|denne (e-?mail|meddelelse|e-post|melding)|ta wiadomość|treść tej wiadomości|"
    r"tato zpráva|esta mensaje|это (сообщение|письмо)|данное сообщение|avast\b|www\.avast|"
    r"mit freundlicher unterstützung|"
    r"you received this message because you are subscribed|to unsubscribe from this)",
    re.IGNORECASE,
)
