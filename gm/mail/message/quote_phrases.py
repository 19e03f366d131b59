"""Phrases that mail programs write around a quote, in the languages of their users: data for `gm.mail.message.quotes`.

Each line of a list holds the alternatives of one language or program. Patterns match one line of at most
`limits.LINE` characters, nearly all from its start, and have no nested repeats.
"""

from __future__ import annotations

import re

from gm.mail.message.charset import normalize_text


def _any(alternatives: str) -> str:
    return "(?:" + "|".join(line.strip() for line in normalize_text(alternatives).split("\n") if line.strip()) + ")"


def _pattern(source: str) -> re.Pattern[str]:
    return re.compile(source, re.IGNORECASE)


VERBS = _pattern(
    r"\b"
    + _any(
        r"""
        wrote|writes|quoting
        schrieb|schrieben|geschrieben|zitat von
        a écrit|écrit|écrivait
        escribió|escribio|ha escrito|va escriure|idatzi|escribiu|citando
        scrisse|ha scritto|scritto
        escreveu
        schreef|geschreven|citeren
        skrev|skrifaði|citerar
        kirjoitti|kirjutas
        napisał|napisała|napisał\(a\)|pisze
        napsal|napsala|napsal\(a\)|píše|napísal|napísala
        írta|ezt írta
        a scris|scris
        yazdı|şunu yazdı
        написал|написала|написал\(а\)|пишет|пише|написав|написала|написа
        je napisao|je napisala|napisao|je napisal
        έγραψε
        rašė|rakstīja|menulis|đã viết
        """
    )
    + r"\b|写道|寫道|のメール|が書きました|さんは書きました|님이 작성|작성:|כתב|מאת|كتب|เขียนว่า|نوشت"
)
OPENERS = _pattern(
    _any(
        r"""
        on|am|le|el|il|em|op|den|dne|dňa|på|pe|la|în|στις|in einer|w dniu|dnia|vào|pada|в
        zitat|quoting|citando|el día|il giorno|il dì
        mon|tue|wed|thu|fri|sat|sun
        mo|di|mi|do|fr|sa|so
        lun|mar|mer|jeu|ven|sam|dim
        ma|ti|ke|to|su|po|út|st|čt|pá|ne|pon|wt|śr|czw|pt|sob|niedz
        пн|вт|ср|чт|пт|сб|вс|нд
        """
    )
    + r"\b"
)
TIME = re.compile(r"\b\d{1,2}[:.h]\d{2}\b|[时時시]\d{1,2}[分분]?|\d{1,2}[时時시]")
DAY = re.compile(r"\b20\d\d\b|20\d\d[年년]|\b\d{1,2}[./-]\d{1,2}[./-]\d{2}\b")
"""Dates of letters have years that begin with 20; press has years such as 1901."""

DIVIDERS = _pattern(
    r"\W{0,3}\s?[-_=*]{2,40}\s{0,3}"
    + _any(
        r"""
        original[- ]?message|original appointment|reply message|reply above this line
        forwarded message|forwarded by
        ursprüngliche (?:nachricht|e-?mail|mail)|urspruengliche nachricht|original-?nachricht
        weitergeleitete (?:nachricht|e-?mail|mail)
        message d['’]origine|message original|message initial|message transf[ée]r[ée]
        mensaje original|missatge original|mensaje reenviado
        messaggio original[ei]|messaggio inoltrato
        mensagem original|mensagem encaminhada
        oorspronkelijke? bericht|doorgestuurd bericht
        ursprungligt meddelande|originalmeddelande|vidarebefordrat meddelande
        oprindelig (?:meddelelse|besked|mail)|opprinnelig melding|original melding|videresend[et] (?:meddelelse|melding)
        alkuperäinen viesti|välitetty viesti
        wiadomość oryginalna|oryginalna wiadomość|wiadomość przekazana
        původní (?:zpráva|e-mail)|pôvodná správa|přeposlaná zpráva
        eredeti üzenet|továbbított üzenet
        mesajul original|mesaj original|orijinal (?:mesaj|ileti)|iletilen mesaj
        исходное сообщение|оригинальное сообщение|пересылаемое сообщение|вихідне повідомлення|оригинално съобщение
        izvorna poruka|originalna poruka|izvirno sporočilo
        αρχικό μήνυμα
        原始邮件|原始郵件|原邮件|转发的?邮件
        元のメッセージ|original のメッセージ|転送メッセージ
        원본 메시지|원본 메일|전달된 메시지
        """
    )
    + r"\b.{0,80}"
)
FORWARDS = _pattern(
    _any(
        r"""
        begin forwarded message
        anfang der weitergeleiteten (?:nachricht|e-mail|mail)
        début du message (?:transféré|réexpédié)
        inicio del mensaje reenviado
        inizio messaggio inoltrato
        início da mensagem (?:encaminhada|reencaminhada)
        begin doorgestuurd bericht
        vidarebefordrat brev|start på (?:videresendt|vidarebefordrat)
        początek przekazywanej wiadomości|začátek přeposlané zprávy|välitetty viesti alkaa
        """
    )
    + r"\s{0,3}:"
)
FORWARDED = _pattern(
    r"forward|weitergeleitet|transf[ée]r|reenviado|inoltrat|encaminhada|doorgestuurd|videresend|转发|転送"
)
RULE = re.compile(r"\s{0,3}(_{8,200}|-{20,200}|={20,200}|\*{20,200})\s*")
LONG_UNDERSCORES = re.compile(r"\s{0,3}_{20,200}\s*")
"""Outlook draws 32, Mailman 47; people draw fewer."""
DASHED = re.compile(r"\s{0,3}-{3,40}\s?[^-].{2,200}?-{3,40}\s*")

FROM = _pattern(
    r"[*_\s]{0,4}"
    + _any(
        r"""
        from|von|absender|de|expéditeur|expediteur|de la|da|mittente|remitente|van|afzender
        från|avsändare|fra|afsender|avsender|lähettäjä|saatja|od|nadawca|odesílatel|odosielateľ
        feladó|kimden|gönderen|от|від|από|απο|nuo|no
        发件人|寄件者|寄件人|差出人|送信者|보낸 사람|보낸사람|מאת|من
        """
    )
    + r"\s{0,2}[:：][*_]{0,2}"
)
LABEL = _pattern(
    r"[*_\s]{0,4}"
    + _any(
        r"""
        sent|date|to|cc|subject|reply-to|received|importance|priority
        gesendet|datum|an|kopie|betreff|antwort an|wichtigkeit
        envoyée?|à|objet|répondre à
        enviado(?: el)?|fecha|para|asunto
        enviada(?: em)?|assunto|data
        inviato|a|oggetto
        verzonden|aan|onderwerp
        skickat|till|ämne|kopia
        sendt|dato|til|emne|kopi
        lähetetty|päivämäärä|pvm|vastaanottaja|aihe
        wysłano|wysłane|do|dw|temat
        odesláno|komu|předmět|odoslané|predmet
        elküldve|dátum|címzett|tárgy
        trimis|către|subiect
        gönderildi|gönderilme|tarih|kime|konu
        отправлено|дата|кому|копия|тема|надіслано
        στάλθηκε|ημερομηνία|προς|θέμα
        发送时间|发送日期|日期|收件人|抄送|主题|寄件日期|收件者|主旨
        送信日時|日時|宛先|件名
        보낸 날짜|날짜|받는 사람|제목
        נשלח|אל|נושא|تاريخ|إلى|الموضوع
        """
    )
    + r"\s{0,2}[:：][*_]{0,2}"
)

SIGNATURE = re.compile(r"(--|‐‐)\s?")
DEVICE = r"(?<![a-z])" + _any(
    r"""
    iphone|ipad|ipod|apple watch|icloud|apple mail|mac(?![a-z])|android|galaxy|samsung|huawei|xiaomi|redmi|oneplus|pixel
    xperia|nokia|motorola|blackberry|windows|smartphone|handy(?![a-z])|mobil(?:e|ger[äa]t|telefon\w{0,3})?(?![a-z])
    cell ?phone|phone|t[ée]l[ée]phone|telefon\w{0,4}|tel[eé]fono|móvil|celular|telefone|telefoon|puhelin\w{0,6}|tablet
    телефон\w{0,3}|смартфон\w{0,3}|почт\w{0,4}
    (?:e-?mail|mail)[- ]app|mail (?:for|für|pour|para|per|voor|för|для)|outlook
    yahoo|gmail|gmx|web\.de|t-online|freenet|proton|tuta|tutanota|aol|zoho|fastmail|k-9|fairemail|thunderbird|mutt
    nine mail|bluemail|blue mail|spark(?![a-z])|airmail|edison mail|canary|superhuman|mailspring|shortwave|mymail
    rediffmail|opera mail|roundcube
    """
)
MOBILE = _pattern(
    _any(
        r"""
        (?:sent|envoyée?|enviad[oa]|enviat|inviat[oa]|verzonden|verstuurd|skickat|skickades|sendt|lähetetty|wysłan[eoay])\b
        (?:gesendet|von meinem|diese (?:nachricht|e-mail|mail) wurde|odesláno|odoslan[éo]|poslano|trimis|küldve)\b
        (?:отправлено|надіслано|изпратено|στάλθηκε|发自|發自|从我的|從我的|נשלח|أُ?رسلت)
        """
    )
    + r".{0,60}?"
    + DEVICE
    + r"|.{0,60}"
    + DEVICE
    + r".{0,40}?(?:gesendet|verzonden|gönderildi|küldtem|küldve|から送信|送信|에서 보냄|보냄)\W*$"
    + r"|"
    + _any(
        r"""
        (?:get|download) outlook for|(?:holen sie sich|laden sie) outlook|outlook (?:für|voor) .{1,20}
        (?:obtenir|obtenez|télécharger|téléchargez) outlook|(?:obtener|obtenga|descargar) outlook
        (?:obtenha|obter) o outlook|(?:scarica|ottieni|ottenere) outlook|(?:hämta|skaffa|få|hent|hanki|lataa) outlook
        (?:pobierz|stáhnout|získat|скачать|получить) outlook
        """
    )
)
BANNER = _pattern(
    r"[\[(*_\s]{0,4}(?:<https?://[^>\s]{1,300}>\s{0,4})?"
    + _any(
        r"""
        (?:caution|warning|attention|external|alert)\b.{0,40}(?:e-?mail|sender|message|extern|organi[sz]ation)
        (?:achtung|vorsicht|warnung)\b.{0,40}(?:e-?mail|extern|absender|nachricht)
        \[?external(?: e-?mail| sender)?\]|you don['’]t often get e-?mail from
        this (?:e-?mail|message) (?:came|originated|was sent) from (?:outside|an external)
        virus-free|virenfrei|sans virus|libre de virus|privo di virus|.{0,4}virusvrij|no virus found in this
        this e-?mail has been checked for viruses|diese e-?mail wurde von avast|l['’]absence de virus|www\.avast
        <#DAB4FAD8-2DD7-40BB-A1B8-4E2AA1F9FDF2>
        please consider the environment|(?:please )?think before (?:you print|printing)|before printing this
        you (?:received|are receiving) this (?:message|e-?mail) because|to unsubscribe from this
        """
    )
)
DISCLAIMER = _pattern(
    r"[\[(*_\s]{0,4}"
    + _any(
        r"""
        (?:this|the) (?:e-?mail|message|communication|transmission|information|contents?)\b
        confidential(?:ity)?\b|disclaimer\b|legal notice|privileged
        (?:diese|der inhalt dieser) (?:e-?mail|nachricht|mitteilung)\b|vertraulich
        ce (?:message|courriel|mail|courrier)\b|confidentialité
        est[ea] (?:mensaje|correo|e-?mail|mensagem|comunicaci[oó]n)\b|aviso (?:legal|de confidencialidad)
        (?:questo|il presente) (?:messaggio|e-?mail)|le informazioni contenute
        (?:dit|deze) (?:bericht|e-?mail|boodschap)\b
        (?:detta|det här|denne|dette) (?:meddelande|e-?post|e-?mail|mail|meddelelse|melding)\w{0,3}\b
        tämä (?:viesti|sähköposti)|ta wiadomość|treść tej wiadomości|tato zpráva|tento e-?mail
        это (?:сообщение|письмо)|данное сообщение|настоящее сообщение
        """
    )
)
LEGAL = _pattern(
    r"confidential|privileged|intended (?:only |solely )?(?:recipient|for)|addressee|unauthori[sz]ed|disclos|legally|"
    r"vertraulich|unbefugt|rechtlich geschützt|confidentiel|destinataire|confidencial|destinatari|riservat|"
    r"vertrouwelijk|geadresseerde|konfidentiell|fortrolig|luottamuksel|poufn|důvěrn|конфиденциал|адресат"
)
