"""Letters in every charset, told rightly, wrongly and not at all."""

from __future__ import annotations

import codecs
from collections.abc import Mapping

from minisearch.testing.server import Response, Route
from minisearch.testing.zoo.pen import Pen, page, pen

SERBIAN = "Шума је мирна, а река тече поред старог млина."
RUSSIAN = "В лесу родилась ёлочка, в лесу она росла, зимой и летом стройная, зелёная была."
CROATIAN = "Šuma žubori, čekajući kišu; đak nosi šešir."
JAPANESE = "森の中に古い水車があります。川は静かに流れています。"
CHINESE = "森林里有一座老磨坊，河水静静地流着。"
GERMAN = "Der Bär schläft über den Winter, hört aber jedes Geräusch draußen."


def lettered(title: str, text: str, charset: str, *, header: str = "", meta: str = "", mark: bytes = b"") -> Response:
    """A page in `charset`, of which header and markup say what they like."""
    tag = f'<meta charset="{meta}">' if meta else ""
    markup = (
        f"<!DOCTYPE html><html><head>{tag}<title>{title}</title></head><body><p>{text}</p><p>{text}</p></body></html>"
    )
    kind = "text/html" + (f"; charset={header}" if header else "")
    return Response(200, {"Content-Type": kind}, mark + markup.encode(charset))


@pen
def charsets(_: Pen) -> Mapping[str, Route]:
    """Charsets told by a mark, a header, the markup, or nobody."""
    utf16 = codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE
    pages: dict[str, Route] = {
        "/utf8-mark": lettered("Mark", SERBIAN + " 1", "utf-8", header="windows-1251", mark=codecs.BOM_UTF8),
        "/utf16le-mark": lettered("Two bytes", SERBIAN + " 2", "utf-16-le", mark=utf16[0]),
        "/utf16be-mark": lettered("Two bytes turned", SERBIAN + " 3", "utf-16-be", mark=utf16[1]),
        "/utf16-header": lettered("Two bytes told", SERBIAN + " 4", "utf-16-le", header="utf-16le"),
        "/1251-header": lettered("Header", SERBIAN + " 5", "cp1251", header="windows-1251"),
        "/1251-meta": lettered("Meta", SERBIAN + " 6", "cp1251", meta="windows-1251"),
        "/8859-2": lettered("Latin two", CROATIAN + " 7", "iso-8859-2", meta="iso-8859-2"),
        "/1250": lettered("Windows latin two", CROATIAN + " 8", "cp1250", header="windows-1250"),
        "/sjis": lettered("Shift", JAPANESE + " 9", "shift_jis", header="Shift_JIS"),
        "/eucjp": lettered("Extended", JAPANESE + " 10", "euc_jp", meta="euc-jp"),
        "/gb": lettered("National", CHINESE + " 11", "gb18030", meta="gb2312"),
        "/latin1": lettered("Umlauts", GERMAN + " 12", "cp1252", header="iso-8859-1"),
        "/untold-utf8": lettered("Untold", CROATIAN + " 13", "utf-8"),
        "/untold-1251": lettered("Untold Cyrillic", " ".join([RUSSIAN] * 6) + " 14", "cp1251"),
        "/untold-koi8": lettered("Untold koi8", " ".join([RUSSIAN] * 6) + " 15", "koi8-r"),
        "/untold-sjis": lettered("Untold shift", " ".join([JAPANESE] * 6) + " 16", "shift_jis"),
    }
    return {"/": page("Charsets", *pages), **pages}


@pen
def charset_lies(_: Pen) -> Mapping[str, Route]:
    """Charsets told wrongly: the bytes know better."""
    lots = " ".join([SERBIAN] * 4)
    pages: dict[str, Route] = {
        "/latin1-is-utf8": lettered("Says Latin", GERMAN + " 1", "utf-8", header="iso-8859-1"),
        "/utf8-is-1251": lettered("Says utf-8", lots + " 2", "cp1251", header="utf-8", meta="windows-1251"),
        "/utf8-is-1251-untold": lettered("Says utf-8 alone", lots + " 3", "cp1251", header="utf-8"),
        "/meta-is-utf8": lettered("Markup says Latin two", CROATIAN + " 4", "utf-8", meta="iso-8859-2"),
        "/unknown": lettered("Says what nobody knows", CROATIAN + " 5", "utf-8", header="x-klingon"),
        "/two-sayings": lettered(
            "Header and markup differ", SERBIAN + " 6", "cp1251", header="windows-1251", meta="utf-8"
        ),
        "/some-broken": Response(
            200,
            {"Content-Type": "text/html; charset=utf-8"},
            f"<title>Some bytes broken</title><p>{GERMAN} {CROATIAN}</p>".encode() * 20
            + b"<p>\xff\xfe broken \xc3</p>",
        ),
        "/mojibake": lettered("Read wrongly once", SERBIAN.encode().decode("latin-1") + " 7", "utf-8", header="utf-8"),
    }
    return {"/": page("Lies about letters", *pages), **pages}
