import codecs
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from webencodings import lookup

from minisearch.parse.charset import LATIN, decode, plainly

SERBIAN = "Ово је једна обична реченица на српском језику, писана ћирилицом. И још једна, да их буде више."
JAPANESE = "これは日本語の文章です。検索エンジンを作ります。"


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
def test_mark_and_header_come_first(body, header, charset, evidence):
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
        ("<?xml version='1.0' encoding='windows-1251'?>", "windows-1251", "xml declaration"),
    ],
)
def test_markup_can_name_its_charset(start, charset, evidence):
    decoded = decode((start + SERBIAN).encode("cp1251"))
    assert decoded[:3] == (start + SERBIAN, charset, evidence)


def test_the_header_outranks_the_markup():
    body = f"<meta charset=koi8-r>{SERBIAN}".encode("cp1251")
    assert decode(body, "text/html; charset=cp1251").text.endswith(SERBIAN)


def test_markup_that_says_utf16_can_only_be_utf8():
    assert decode("<meta charset=utf-16le>ш".encode())[1:3] == ("utf-8", "meta tag")


@pytest.mark.parametrize("charset", ["utf-16le", "utf-16be"])
@pytest.mark.parametrize("header", ["", "text/html; charset=utf-16", "text/html; charset=utf-8"])
def test_two_byte_letters_are_known_by_their_zeros(charset, header):
    text = f"<!DOCTYPE html><p>{SERBIAN}"
    told = "utf-16" in header and charset == "utf-16le"  # the one that is meant when nothing more is said
    assert decode(text.encode(charset), header)[:3] == (
        text,
        charset,
        "http header" if told else "zeros between its letters",
    )


def test_before_anything_is_guessed_a_late_declaration_is_believed():
    text = f"<html><!--{'x' * 2000}--><meta charset=iso-8859-2><p>Škola i kiša."
    assert decode(text.encode("iso-8859-2"))[:3] == (text, "iso-8859-2", "meta tag, though a late one")


@pytest.mark.parametrize("meta", ["", '<meta charset="windows-1251">'])
def test_a_header_that_says_latin_of_another_alphabet_is_not_believed(meta):
    text = f"{meta}<p>{SERBIAN * 5}"
    found = decode(text.encode("cp1251"), "text/html; charset=iso-8859-1")
    assert (found.text, found.charset) == (text, "windows-1251")
    assert found.evidence.endswith("http header said windows-1252, but the bytes are not")


def test_a_declaration_after_1024_bytes_is_not_looked_for():
    assert decode(b" " * 1024 + b"<meta charset=koi8-r>").charset == "utf-8"


@pytest.mark.parametrize(
    ("start", "header", "source"),
    [("", "text/html; charset=shift_jis", "http header"), ("<meta charset=shift_jis>", "", "meta tag")],
)
def test_plain_utf8_wins_over_a_charset_that_cannot_be(start, header, source):
    decoded = decode(f"{start}{SERBIAN}".encode(), header)
    assert decoded.text == start + SERBIAN
    assert decoded.charset == "utf-8"
    assert decoded.evidence == f"{source} said shift_jis, but the bytes are valid utf-8"


def test_a_charset_that_can_be_is_believed():
    assert decode("é".encode(), "text/html; charset=windows-1250").text == "Ă©"


@pytest.mark.parametrize("wrong", ["iso-8859-1", "windows-1251", "iso-8859-2", "koi8-r"])
def test_bytes_that_are_plainly_utf8_win_over_a_charset_in_which_any_bytes_can_be_read(wrong):
    for body, header, source in (
        (SERBIAN, f"text/html; charset={wrong}", "http header"),
        (f"<meta charset={wrong}>{SERBIAN}", "", "meta tag"),
    ):
        decoded = decode(body.encode(), header)
        assert decoded.text == body
        assert decoded.charset == "utf-8"
        assert decoded.evidence.startswith(f"{source} said")


def test_bytes_that_are_plainly_not_utf8_win_over_a_header_that_says_so():
    header = "text/html; charset=utf-8"
    told = f"<meta charset=windows-1251>{SERBIAN}"
    said = "http header said utf-8, but the bytes are not"
    assert decode(told.encode("cp1251"), header)[:3] == (told, "windows-1251", f"meta tag; {said}")
    untold = f"<p>{SERBIAN * 5}"
    assert decode(untold.encode("cp1251"), header)[:3] == (untold, "windows-1251", f"guessed from its letters; {said}")


def test_a_few_broken_bytes_do_not_make_a_page_another_one():
    decoded = decode(SERBIAN.encode() * 5 + b"\xff\xfe\xc3 and \xd0", "text/html; charset=utf-8")
    assert decoded.text.startswith(SERBIAN)
    assert decoded.evidence == "http header, with some bytes unreadable"


@pytest.mark.parametrize(
    ("header", "evidence"),
    [
        ("text/html", "nearly valid utf-8"),
        ("text/html; charset=koi8-r", "http header said koi8-r, but the bytes are nearly valid utf-8"),
        ("text/html; charset=latin1", "http header said windows-1252, but the bytes are nearly valid utf-8"),
        ("text/html; charset=shift_jis", "http header said shift_jis, but the bytes are nearly valid utf-8"),
    ],
)
def test_utf8_with_a_broken_byte_is_not_taken_for_something_else(header, evidence):
    decoded = decode(SERBIAN.encode() + b"\xff", header)
    assert decoded[:3] == (f"{SERBIAN}\ufffd", "utf-8", evidence)


@pytest.mark.parametrize("header", ["", "text/html; charset=utf-8"])
def test_japanese_in_seven_bits_is_known_by_its_escapes(header):
    decoded = decode(f"<p>{JAPANESE}</p>".encode("iso-2022-jp"), header)
    assert decoded[:3] == (f"<p>{JAPANESE}</p>", "iso-2022-jp", "escapes between its letters")
    assert decode(b"<p>\x1b$B\xff is no Japanese</p>").charset != "iso-2022-jp"


@pytest.mark.parametrize("misread", ["latin-1", "cp1252"])
def test_what_was_written_in_utf8_twice_is_read_twice_and_noted(misread):
    text = "Über die Größe: naïve café"
    twice = text.encode().decode(misread).encode()
    assert decode(twice, "text/html; charset=utf-8")[:3] == (
        text,
        "utf-8",
        "http header; it was written in utf-8 twice",
    )
    assert decode(twice + " ш".encode()).text != text  # not all of it: left as it is


@given(st.text(max_size=40))
def test_what_was_written_once_is_not_read_twice_by_mistake(text):
    decoded = decode(text.encode(), "text/html; charset=utf-8")
    if "twice" in decoded.evidence:
        assert bytes(LATIN[letter] for letter in text) == decoded.text.encode()  # it can only have come about so
    elif not text.startswith("\ufeff"):
        assert decoded.text == text


RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю."


@pytest.mark.parametrize(
    "text", [f"<p>{SERBIAN}</p>", "<title>Plain</title><p>old English</p>", "that all can read, without markup. " * 3]
)
@pytest.mark.parametrize("wide", ["utf-16le", "utf-16be"])
@pytest.mark.parametrize("mark", [True, False])
def test_markup_in_one_byte_letters_is_not_believed_to_be_in_two(text, wide, mark):
    sent = "\ufeff".encode(wide) + text.encode() if mark else text.encode()
    found = decode(sent, "" if mark else f"text/html; charset={wide}")
    said = f"{'byte order mark' if mark else 'http header'} said {wide}, but the bytes are not"
    assert found == (text, "utf-8", f"valid utf-8; {said}")


def test_where_two_byte_letters_are_disproved_the_markup_is_asked():
    text = f"<meta charset=windows-1251><p>{SERBIAN}"
    found = decode(text.encode("cp1251"), "text/html; charset=utf-16")
    assert found == (text, "windows-1251", "meta tag; http header said utf-16le, but the bytes are not")


def test_two_byte_letters_without_markup_are_believed():
    text = "丼物の店。" * 20  # which has a byte that looks like the beginning of a tag
    assert decode(text.encode("utf-16le"), "text/plain; charset=utf-16") == (text, "utf-16le", "http header")


@pytest.mark.parametrize(
    ("header", "charset", "evidence"),
    [
        ("", "windows-1251", "guessed from its letters"),
        ("text/html; charset=windows-1251", "windows-1251", "http header"),
    ],
)
def test_a_mark_before_bytes_that_cannot_be_so_is_not_believed(header, charset, evidence):
    found = decode(codecs.BOM_UTF8 + f"<p>{SERBIAN}".encode("cp1251"), header)
    assert found == (f"<p>{SERBIAN}", charset, f"{evidence}; byte order mark said utf-8, but the bytes are not")


def test_a_sign_for_what_could_not_be_read_can_be_read():
    text = "<p>\ufffd\ufffd\ufffd\ufffd</p>"
    assert decode(codecs.BOM_UTF8 + text.encode()) == (text, "utf-8", "byte order mark")


def test_a_few_broken_bytes_after_a_mark_are_noted():
    found = decode(codecs.BOM_UTF8 + SERBIAN.encode() + b"\xff", "text/html")
    assert found == (f"{SERBIAN}\ufffd", "utf-8", "byte order mark, with some bytes unreadable")


@pytest.mark.parametrize(
    ("text", "charset", "wrong"),
    [
        (JAPANESE, "shift_jis", "euc-jp"),
        (JAPANESE, "euc-jp", "shift_jis"),
        (JAPANESE, "shift_jis", "windows-1252"),
        (RUSSIAN, "windows-1251", "shift_jis"),
        (RUSSIAN, "windows-1251", "euc-jp"),
        (RUSSIAN, "windows-1251", "gbk"),
        (RUSSIAN, "koi8-r", "big5"),
        ("Zażółć gęślą jaźń i inne polskie słowa", "iso-8859-2", "euc-kr"),
    ],
)
def test_what_cannot_be_read_as_declared_is_read_in_what_it_can(text, charset, wrong):
    page = f"<title>{text}</title><p>{text * 3}</p>"
    said = f"said {wrong}, but the bytes are not"
    header = f"text/html; charset={wrong}"
    assert decode(page.encode(charset), header) == (page, charset, f"guessed from its letters; http header {said}")
    told_right = f"<meta charset={charset}>{page}"
    assert decode(told_right.encode(charset), header) == (told_right, charset, f"meta tag; http header {said}")
    told_wrong = f"<meta charset={wrong}>{page}"
    evidence = f"guessed from its letters; meta tag {said}"
    assert decode(told_wrong.encode(charset)) == (told_wrong, charset, evidence)


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        ("这是一个中文句子，用来测试编码检测。", "gbk"),
        ("이것은 한국어 문장입니다. 검색 엔진을 만듭니다.", "euc-kr"),
        ("Voilà l'été où les élèves rêvent", "windows-1252"),
        ("Όλοι οι άνθρωποι γεννιούνται ελεύθεροι", "windows-1253"),
    ],
)
def test_a_charset_that_a_few_broken_bytes_contradict_is_believed_whatever_the_markup_says(text, charset):
    sent = f"<meta charset=windows-1251><p>{text * 20}".encode(charset) + b"\x81 \xff\xff \xd2\xff"
    found = decode(sent, f"text/html; charset={charset}")
    assert text * 20 in found.text
    assert (found.charset, found.evidence) == (charset, "http header, with some bytes unreadable")


VERSES = "В лесу родилась ёлочка, в лесу она росла, зимой и летом стройная, зелёная была."
CHINESE = "道可道，非常道。名可名，非常名。無名天地之始；有名萬物之母。故常無欲，以觀其妙。"
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy. Nechť již hříšné saxofony ďáblů rozezvučí síň tóny waltzu."
KOREAN = "이것은 한국어 문장입니다. 검색 엔진을 만듭니다."


@pytest.mark.parametrize(
    ("text", "charset", "wrong"),
    [
        (VERSES, "windows-1251", "koi8-r"),
        (VERSES, "koi8-r", "windows-1251"),
        (VERSES, "iso-8859-5", "windows-1251"),
        (CHINESE, "gb18030", "big5"),
        (KOREAN, "euc-kr", "gbk"),
        (CZECH, "iso-8859-2", "windows-1251"),
        (CZECH, "windows-1250", "koi8-r"),
    ],
)
def test_what_can_be_read_as_declared_but_makes_sense_only_in_another_charset_is_read_in_that(text, charset, wrong):
    page = f"<title>{text}</title><p>{text * 2}</p>"
    found = decode(page.encode(charset), f"text/html; charset={wrong}")
    evidence = f"guessed from its letters; http header said {wrong}, but the bytes are not"
    assert found == (page, charset, evidence)


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
            sent = page.encode(lookup(charset).codec_info.name)
        except UnicodeEncodeError:
            continue
        assert decode(sent, f"text/html; charset={charset}") == (page, charset, "http header")
        believed += 1
    assert believed >= 3


def test_letters_that_were_added_to_gbk_later_are_read_in_it():
    text = "<p>这是一个中文句子 𠀀 ḿ"
    assert decode(text.encode("gb18030"), "text/html; charset=gb2312") == (text, "gbk", "http header")


def test_what_cannot_be_read_is_marked():
    decoded = decode(b"caf\xe9 ok", "text/html; charset=utf-8")
    assert decoded[:3] == ("caf\ufffd ok", "utf-8", "http header, with some bytes unreadable")


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        (SERBIAN, "windows-1251"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        ("Русский текст для проверки определения кодировки", "koi8-r"),
        ("这是一个中文句子，用来测试编码检测。", "gb18030"),
        ("이것은 한국어 문장입니다. 검색 엔진을 만듭니다.", "euc-kr"),
        ("Über die Größe der Bäume, schöne Grüße aus München", "windows-1252"),
        ("Zażółć gęślą jaźń i inne polskie słowa", "windows-1250"),
    ],
)
def test_what_nobody_declares_is_guessed_from_its_letters(text, charset):
    body = f"<p>{'plain ' * 5000}<p>{f'{text}<p>' * 500}{text}".encode(charset)
    decoded = decode(body)
    assert decoded.text.endswith(text)
    assert (decoded.charset, decoded.evidence) == (charset, "guessed from its letters")


@pytest.mark.parametrize(
    ("body", "header"),
    [
        (b"a", "text/html; charset=" + " " * 50_000),
        (b"<!--" * 50_000 + b"\xe9", "text/html"),
        (codecs.BOM_UTF8 * 50_000 + b"\xff" * 100_000, "text/html"),
        (codecs.BOM_UTF16_LE * 50_000 + b"<p>", "text/html; charset=utf-16"),
    ],
    ids=["a charset that is all blanks", "comments without end", "marks without end", "marks of two kinds"],
)
def test_nothing_that_names_no_charset_takes_long_to_read(body, header):
    began = time.process_time()
    decode(body, header)
    assert time.process_time() - began < 5


labels = st.sampled_from(
    ["utf-8", "utf-16", "cp1251", "shift_jis", "big5", "iso-2022-jp", "gb18030", "x-user-defined", "\ud800"]
)


@given(st.binary(max_size=60), labels | st.text(max_size=8), st.booleans())
@example(bytes(range(256)) * 200, "", False)
@example(b"\x81", "", False)
@example(b"\x00\xff\x00", "", False)
def test_any_bytes_give_text(body, label, in_header):
    if not in_header:
        body = b"<meta charset=" + label.encode(errors="replace") + b">" + body
    text, charset, evidence = decode(body, f"text/html; charset={label}" if in_header else "")
    assert text.encode().decode() == text
    assert charset == charset.lower()
    assert evidence


PARTS = [
    *(
        b"a",
        b"<p>" * 30,
        b"\x1b",
        b"\x1b$B",
        b"\xff",
        b"\xc3",
        b"\xe2\x80",
        b"\0",
        b"\x80",
        b"\xed\xa0\x80",
        b"\xc0\x80",
    ),
    *(b"\xe0\x80\x80", b"\xf4\x90\x80\x80", b"\xf0\x8f\xbf\xbf", b"\xef\xbb\xbf", b"<\0p\0"),
    *(b"<meta charset=utf-8>", b"<meta charset=koi8-r>", b"<?xml version='1.0' encoding='utf-8'?>"),
    *(text.encode() for text in ("¶", "Ћирилица", "🔬", "Ñ\x88ÑƒÐ¼Ð°", "naïve", "é”")),
]
bodies = st.lists(st.sampled_from(PARTS), max_size=12).map(b"".join) | st.binary(max_size=200)


@given(bodies, st.sampled_from(["", "; charset=utf-8", "; charset=cp1251", "; charset=utf-16"]).map("a/b".__add__))
def test_what_is_plainly_utf8_is_decoded_as_such_with_the_same_evidence(body, header):
    if evidence := plainly(body, header):
        assert decode(body, header) == (body.decode(), "utf-8", evidence)


@pytest.mark.parametrize(
    "body", [b"", b"<p>a", "<p>ш – “é.” ¶".encode(), "<meta charset=utf-8><p>日本語".encode()], ids=ascii
)
def test_nearly_all_of_utf8_is_plainly_so(body):
    assert plainly(body)
    assert plainly(body * 50, "text/html; charset=utf-8") == "http header"
