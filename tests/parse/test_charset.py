"""From bytes to text: which charset is believed, and on what evidence."""

import codecs
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from webencodings import lookup

from minisearch.parse.charset import decode, describe

SERBIAN = "Ово је једна обична реченица на српском језику, писана ћирилицом. И још једна, да их буде више."
JAPANESE = "これは日本語の文章です。検索エンジンを作ります。"
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю."
VERSES = "В лесу родилась ёлочка, в лесу она росла, зимой и летом стройная, зелёная была."
CHINESE = "道可道，非常道。名可名，非常名。無名天地之始；有名萬物之母。故常無欲，以觀其妙。"
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy. Nechť již hříšné saxofony ďáblů rozezvučí síň tóny waltzu."
KOREAN = "이것은 한국어 문장입니다. 검색 엔진을 만듭니다."


@pytest.mark.parametrize(
    ("body", "header", "charset", "evidence"),
    [
        (codecs.BOM_UTF8 + "ш".encode(), "text/html; charset=koi8-r", "utf-8", "byte order mark"),
        ("\ufeffш".encode("utf-16le"), "", "utf-16le", "byte order mark"),
        ("\ufeffш".encode("utf-16be"), "", "utf-16be", "byte order mark"),
        ("\ufeffш".encode("utf-32le"), "", "utf-32le", "byte order mark"),
        ("\ufeffш".encode("utf-32be"), "", "utf-32be", "byte order mark"),
        ("ш".encode("cp1251"), "text/html; charset=Windows-1251", "windows-1251", "http header"),
        ("ш".encode("cp1251"), 'text/html;Charset = "cp1251"; x=y', "windows-1251", "http header"),
        ("é".encode("latin-1"), "text/html; charset=ISO-8859-1", "windows-1252", "http header"),
        ("ш".encode("koi8-r"), "text/html; charset=koi8-r", "koi8-r", "http header"),
        ("ш".encode(), "text/html", "utf-8", "valid utf-8"),
        ("ш".encode(), "text/html; charset=klingon", "utf-8", "valid utf-8"),
        ("ш".encode(), "text/html; charset=iso-2022-kr", "utf-8", "valid utf-8"),
        (b"", "", "utf-8", "valid utf-8"),
    ],
)
def test_byte_order_mark_and_header_come_first(body, header, charset, evidence):
    decoded = decode(body, header)
    assert decoded.text in ("ш", "é", "")
    assert (decoded.charset, decoded.evidence) == (charset, evidence)


@pytest.mark.parametrize(
    ("start", "charset", "evidence"),
    [
        ("<meta charset=windows-1251>", "windows-1251", "meta tag"),
        ("<META CHARSET = 'cp1251'/>", "windows-1251", "meta tag"),
        ("<meta content='text/html; charset=cp1251' http-equiv=content-type>", "windows-1251", "meta tag"),
        ("<meta name=x content='charset=koi8-r'><meta charset=cp1251>", "windows-1251", "meta tag"),
        ("<!-- <meta charset=koi8-r> --><meta charset=cp1251>", "windows-1251", "meta tag"),
        ("<meta charset=klingon><meta charset=cp1251>", "windows-1251", "meta tag"),
        (f"<html><!--{'x' * 2000}--><meta charset=cp1251>", "windows-1251", "meta tag"),
        ("<?xml version='1.0' encoding='windows-1251'?>", "windows-1251", "xml declaration"),
    ],
)
def test_markup_can_declare_its_charset(start, charset, evidence):
    decoded = decode((start + SERBIAN).encode("cp1251"))
    assert decoded[:3] == (start + SERBIAN, charset, evidence)
    assert not decoded.is_contradicted


def test_the_header_outranks_the_markup():
    body = f"<meta charset=koi8-r>{SERBIAN}".encode("cp1251")
    assert decode(body, "text/html; charset=cp1251").text.endswith(SERBIAN)


def test_markup_that_declares_utf16_can_only_be_utf8():
    assert decode("<meta charset=utf-16le>ш".encode())[1:3] == ("utf-8", "meta tag")


@pytest.mark.parametrize("wrong", ["iso-8859-1", "windows-1251", "iso-8859-2", "koi8-r", "shift_jis", "utf-16le"])
@pytest.mark.parametrize("source", ["http header", "meta tag"])
def test_valid_utf8_wins_over_another_declared_charset(wrong, source):
    if source == "http header":
        text, header = SERBIAN, f"text/html; charset={wrong}"
    elif wrong == "utf-16le":
        pytest.skip("in markup it means utf-8")
    else:
        text, header = f"<meta charset={wrong}>{SERBIAN}", ""
    decoded = decode(text.encode(), header)
    assert decoded[:3] == (text, "utf-8", "valid utf-8")
    assert decoded.is_contradicted
    assert (decoded.declared, decoded.declared_by) == (lookup(wrong).name, source)
    assert describe(decoded) == f"valid utf-8, though the {source} declares {lookup(wrong).name}"


def test_ascii_that_is_declared_as_utf16_is_no_utf16():
    assert decode(b"<title>Plain</title><p>old English", "text/html; charset=utf-16le").text.startswith("<title>Plain")


@pytest.mark.parametrize("charset", ["utf-16le", "utf-16be"])
def test_utf16_in_ascii_letters_is_no_valid_utf8(charset):
    text = "<title>Plain</title>"
    assert decode(text.encode(charset), f"text/html; charset={charset}")[:2] == (text, charset)


def test_a_little_utf8_is_no_proof_against_a_declared_charset():
    assert decode("é".encode(), "text/html; charset=windows-1250").text == "Ă©"


@pytest.mark.parametrize("header", ["text/html; charset=utf-8", "text/html; charset=shift_jis"])
def test_bytes_that_the_header_does_not_fit_are_read_as_the_markup_declares(header):
    text = f"<meta charset=windows-1251>{SERBIAN}"
    decoded = decode(text.encode("cp1251"), header)
    assert decoded[:3] == (text, "windows-1251", "meta tag")
    assert decoded.is_contradicted


def test_bytes_that_no_declaration_fits_are_detected():
    text = f"<p>{SERBIAN * 5}"
    decoded = decode(text.encode("cp1251"), "text/html; charset=utf-8")
    assert decoded[:3] == (text, "windows-1251", "detected from the text")
    assert describe(decoded) == "detected from the text, though the http header declares utf-8"


@pytest.mark.parametrize("header", ["text/html", "text/html; charset=utf-8", "text/html; charset=koi8-r"])
def test_utf8_with_a_few_broken_bytes_is_utf8(header):
    decoded = decode(SERBIAN.encode() * 5 + b"\xff\xfe\xc3 and \xd0", header)
    assert decoded.text.startswith(SERBIAN)
    assert decoded.charset == "utf-8"
    assert decoded.unreadable


def test_what_cannot_be_read_becomes_the_replacement_character():
    decoded = decode(b"caf\xe9 ok", "text/html; charset=utf-8")
    assert decoded[:3] == ("caf\ufffd ok", "utf-8", "http header")
    assert decoded.is_contradicted
    assert describe(decoded) == "http header, with some unreadable bytes"


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
def test_a_replacement_character_of_the_author_is_readable(mark):
    decoded = decode(mark + "<p>\ufffd\ufffd\ufffd\ufffd</p>".encode(), "text/html; charset=utf-8")
    assert decoded.text == "<p>\ufffd\ufffd\ufffd\ufffd</p>"
    assert not decoded.unreadable


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        ("这是一个中文句子，用来测试编码检测。", "gbk"),
        ("이것은 한국어 문장입니다. 검색 엔진을 만듭니다.", "euc-kr"),
        ("Όλοι οι άνθρωποι γεννιούνται ελεύθεροι", "windows-1253"),
    ],
)
def test_a_header_that_a_few_bytes_contradict_is_believed_whatever_the_markup_declares(text, charset):
    body = f"<meta charset=windows-1251><p>{text * 20}".encode(charset) + b"\x81 \xff\xff \xd2\xff"
    decoded = decode(body, f"text/html; charset={charset}")
    assert text * 20 in decoded.text
    assert (decoded.charset, decoded.evidence, decoded.unreadable) == (charset, "http header", True)


HONEST = [
    *(VERSES, VERSES.upper(), SERBIAN, SERBIAN.upper(), CHINESE, CZECH, CZECH.upper(), KOREAN, JAPANESE),
    *("Ёж", "3×4 = 12², ½ µm ±1 ¹) ²) ³)", "Voilà l'été où les élèves rêvent", "Größe, Bäume, Äpfel, Öl, Übermut"),
    *("Zażółć gęślą jaźń i inne polskie słowa", "Ąžuolas ėjo per žiemą", "Şu ağaçların gölgesi çok güzel"),
    *("Όλοι οι άνθρωποι γεννιούνται ελεύθεροι", "כל בני האדם נולדו בני חורין", "Все SMS-ки и Wi-Fi-сети"),
    *(
        "يولد جميع الناس أحرارا متساوين",
        "มนุษย์ทั้งหลายเกิดมามีอิสระ",
        "Të gjithë njerëzit lindin të lirë",
        "東京都渋谷区神南",
    ),
]
CHARSETS = [f"windows-{number}" for number in range(1250, 1258)] + [f"iso-8859-{part}" for part in (2, 5, 7, 13)]
CHARSETS += ["koi8-r", "koi8-u", "ibm866", "gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr", "utf-8"]


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_charset_that_is_declared_rightly_is_believed_whatever_the_language(charset):
    believed = 0
    for page in (f"<title>T</title><p>{f'{text} ' * times}</p>" for text in HONEST for times in (1, 4, 30)):
        try:
            body = page.encode(lookup(charset).codec_info.name)
        except UnicodeEncodeError:
            continue
        decoded = decode(body, f"text/html; charset={charset}")
        assert decoded[:3] == (page, charset, "http header")
        assert not decoded.is_contradicted
        believed += 1
    assert believed >= 3


def test_gbk_includes_what_was_added_to_it_later():
    text = "<p>这是一个中文句子 𠀀 ḿ"
    assert decode(text.encode("gb18030"), "text/html; charset=gb2312")[:3] == (text, "gbk", "http header")


# -- detection -----------------------------------------------------------------------------------

LATIN = {
    "German": ("Der Bär schläft über den Winter, hört jedes Geräusch draußen.", "cp1252"),
    "French": ("La forêt est très calme, où l’été s’achève à côté du château.", "cp1252"),
    "Spanish": ("El niño corrió mañana, ¿por qué está aquí?", "cp1252"),
    "Swedish": ("Björnen sover på vintern och hör varje ljud där ute.", "cp1252"),
    "Portuguese": ("A floresta não está tão calma, há coração e pão.", "cp1252"),
    "Italian": ("La città è più bella perché c'è il sole, però.", "cp1252"),
    "Catalan": ("La col·lecció és plena de llibres antics; això és fàcil, però també bonic.", "cp1252"),
    "Galician": ("¿Quere máis información? A páxina está aquí, é a 1ª do número 2º. ¿É así?", "cp1252"),
    "Norwegian": ("Vi går på «stranda» når været er bra, og så går vi på «fjellet».", "cp1252"),
    "Danish": ("Når æblerne er røde, går vi på æblerov; “det er sjovt”, siger hun.", "cp1252"),
    "Dutch": ("Eén coëfficiënt is geïnterpreteerd, zo’n café is een crème brûlée waard.", "cp1252"),
    "Croatian": ("Šuma žubori, čekajući kišu; đak nosi šešir u školu.", "cp1250 iso8859-2"),
    "Polish": ("Zażółć gęślą jaźń, a potem idź do domu i śpij spokojnie.", "cp1250 iso8859-2"),
    "Czech": ("Příliš žluťoučký kůň úpěl ďábelské ódy v lese u řeky.", "cp1250 iso8859-2"),
    "Hungarian": ("Árvíztűrő tükörfúrógép, és a kutya ugat az erdőben.", "cp1250 iso8859-2"),
    "Slovak": ("Kôň sa pýta, či ho môžu kŕmiť ďalej; ťava už stĺpik zvalila.", "cp1250 iso8859-2"),
    "Slovenian": ("Šola je v mestu, učenci pa gredo čez cesto.", "cp1250 iso8859-2"),
    "Romanian": ("Pădurea este liniştită, iar râul curge lângă moară şi ţară.", "cp1250 iso8859-2"),
    "Turkish": ("Bahçıvan güne erken başlar; çiğ hâlâ çimenlerin üzerindedir ve İstanbul sıcak.", "cp1254 iso8859-9"),
    "Turkish places": ("İçerik bulunamadı: İstanbul ve İzmir açık, çıkış için tıklayın.", "cp1254"),
    "Lithuanian": ("Pavasarį reikia apgenėti rožes, kad vasarą gėlės džiugintų šeimininką.", "cp1257 iso8859-13"),
    "Latvian": ("Dārznieks sāk savu dienu agri no rīta, kad zāle vēl ir slapja un gaiss dzestrs, šķiet.", "cp1257"),
    "Icelandic": ("Þegar það er orðið kalt á Íslandi þá förum við í sund.", "cp1252"),
    "Estonian": ("Aednik alustab päeva vara hommikul, kui õhk on jahe ja rõõm suur, öö möödas.", "cp1252"),
}
OTHER_SCRIPTS = {
    "Russian": (
        "Садовод начинает свой день рано утром, когда роса ещё лежит на траве. Объявление: «продаются саженцы»",
        "cp1251 koi8-r iso8859-5 cp866",
    ),
    "Ukrainian": ("Навесні треба обрізати троянди, підготувати ґрунт і внести добрива", "cp1251 koi8-u iso8859-5"),
    "Bulgarian": ("Той обикаля лехите, гледа дали не са се появили вредители и полива разсада", "cp1251 iso8859-5"),
    "Serbian": ("У пролеће треба орезати руже, припремити земљиште и додати ђубриво", "cp1251 iso8859-5"),
    "Greek": ("Άλλα φυτά χρειάζονται περισσότερο νερό. Ο κηπουρός ξεκινά τη μέρα του νωρίς", "cp1253"),
    "Hebrew": ("הגנן מתחיל את יומו מוקדם בבוקר, כאשר הטל עדיין מונח על הדשא והאוויר קריר", "cp1255 iso8859-8"),
    "Arabic": ("يبدأ البستاني يومه في الصباح الباكر عندما يكون الندى لا يزال على العشب", "cp1256 iso8859-6"),
    "Persian": ("باغبان روز خود را صبح زود آغاز می کند، هنگامی که شبنم هنوز روی چمن است", "cp1256"),
    "Thai": ("คนสวนเริ่มต้นวันแต่เช้าตรู่ เมื่อน้ำค้างยังอยู่บนหญ้าและอากาศเย็นสบาย", "cp874 iso8859-11"),
    "Korean": ("정원사는 이른 아침에 하루를 시작한다. 풀잎에는 아직 이슬이 맺혀 있고 공기는 서늘하다.", "euc-kr"),
    "Chinese": ("园丁清晨很早就开始一天的工作，那时草地上还有露水，空气也很凉爽。", "gb18030"),
    "Taiwanese": ("園丁清晨很早就開始一天的工作，那時草地上還有露水，空氣也很涼爽。", "big5"),
    "Japanese": ("庭師は朝早く一日を始めます。草にはまだ露がおり、空気は涼しいです。", "shift_jis euc-jp"),
}


def cases(texts):
    return [(language, codec) for language, (_, codecs) in texts.items() for codec in codecs.split()]


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(("language", "codec"), cases(LATIN))
def test_undeclared_latin_script_is_read_in_the_right_charset(language, codec, times):
    text = f"<p>{LATIN[language][0] * times}</p>"
    assert decode(text.encode(codec)).text == text


@pytest.mark.parametrize(("language", "codec"), cases(OTHER_SCRIPTS))
def test_undeclared_text_in_another_script_is_read_in_the_right_charset(language, codec):
    words = OTHER_SCRIPTS[language][0]
    text = f"<title>{words[:20]}</title><a href=/news>Home</a>" + f"<p>{words}</p>\n" * 30 + "&copy; 2003, webmaster"
    body = text.encode(codec, "xmlcharrefreplace")
    decoded = decode(body)
    assert (decoded.text, decoded.evidence) == (body.decode(codec), "detected from the text")


@pytest.mark.parametrize("language", ["Japanese", "Hebrew", "Greek", "Ukrainian"])
def test_one_undeclared_sentence_in_another_script_is_enough(language):
    words, codecs = OTHER_SCRIPTS[language]
    for codec in codecs.split():
        body = words.encode(codec, "xmlcharrefreplace")
        assert decode(body).text == body.decode(codec)


@pytest.mark.parametrize("codec", ["iso8859-2", "cp1250"])
@pytest.mark.parametrize(
    "text",
    [
        "Šuma žubori, čekajući kišu; đak nosi šešir.",
        "Dobrodošli na početnu stranicu našeg društva. Više o nama možete pročitati niže.",
        "Dobrodošli na našu stranicu, više informacija u školi",
        "Učitelj je rekao da će se škola otvoriti tek sledeće godine, posle završetka radova.",
    ],
)
def test_undeclared_croatian_and_serbian_are_read_in_both_charsets(text, codec):
    assert decode(f"<title>Tekst</title><p>{text}</p>".encode(codec)).text.endswith(f"{text}</p>")


def test_the_text_may_begin_late():
    text = "Über die Größe der Bäume, schöne Grüße aus München"
    body = f"<p>{'plain ' * 5000}<p>{f'{text}<p>' * 500}{text}".encode("cp1252")
    assert decode(body).text.endswith(text)


@pytest.mark.parametrize(
    ("body", "header"),
    [
        (b"a", "text/html; charset=" + " " * 50_000),
        (b"<!--" * 50_000 + b"\xe9", "text/html"),
        (codecs.BOM_UTF8 * 50_000 + b"\xff" * 100_000, "text/html"),
        (codecs.BOM_UTF16_LE * 50_000 + b"<p>", "text/html; charset=utf-16"),
        (b"<meta " * 20_000 + b"\xe9", "text/html"),
        (b"<" * 100_000 + b"\xe9", "text/html"),
    ],
    ids=["blanks", "comments", "marks", "marks of two kinds", "meta tags", "signs"],
)
def test_no_body_takes_long_to_decode(body, header):
    began = time.process_time()
    decode(body, header)
    assert time.process_time() - began < 5


labels = st.sampled_from(
    ["utf-8", "utf-16", "cp1251", "shift_jis", "big5", "iso-2022-jp", "gb18030", "x-user-defined", "\ud800"]
)


@given(st.binary(max_size=60), labels | st.text(max_size=8), st.booleans())
@example(bytes(range(256)) * 200, "", False)
@example(b"\x81", "", False)
@example(b"<p title=\xe9>", "", False)
@example(b"<p>" + codecs.BOM_UTF16_LE + b"\xe9", "", False)
@example(b"\x00\xff\x00", "", False)
def test_any_bytes_give_text(body, label, in_header):
    if not in_header:
        body = b"<meta charset=" + label.encode(errors="replace") + b">" + body
    decoded = decode(body, f"text/html; charset={label}" if in_header else "")
    assert decoded.text.encode().decode() == decoded.text
    assert decoded.charset == decoded.charset.lower()
    assert describe(decoded)


@given(st.text())
def test_utf8_is_read_as_it_was_written(text):
    decoded = decode(text.encode(), "text/html; charset=utf-8")
    assert decoded.text == text.removeprefix("\ufeff")
