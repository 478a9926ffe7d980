import pytest

from minisearch.parse.charset import decode

TEXTS = {
    "Russian": (
        "Садовод начинает свой день рано утром, когда роса ещё лежит на траве. Объявление: «продаются саженцы»",
        "cp1251 koi8-r iso8859-5 cp866 mac-cyrillic",
    ),
    "Ukrainian": ("Навесні треба обрізати троянди, підготувати ґрунт і внести добрива", "cp1251 koi8-u iso8859-5"),
    "Bulgarian": ("Той обикаля лехите, гледа дали не са се появили вредители и полива разсада", "cp1251 iso8859-5"),
    "Serbian": ("У пролеће треба орезати руже, припремити земљиште и додати ђубриво", "cp1251 iso8859-5"),
    "Greek": ("Άλλα φυτά χρειάζονται περισσότερο νερό. Ο κηπουρός ξεκινά τη μέρα του νωρίς", "cp1253 iso8859-7"),
    "Hebrew": ("הגנן מתחיל את יומו מוקדם בבוקר, כאשר הטל עדיין מונח על הדשא והאוויר קריר", "cp1255 iso8859-8"),
    "Arabic": ("يبدأ البستاني يومه في الصباح الباكر عندما يكون الندى لا يزال على العشب", "cp1256 iso8859-6"),
    "Persian": ("باغبان روز خود را صبح زود آغاز می کند، هنگامی که شبنم هنوز روی چمن است", "cp1256"),
    "Thai": ("คนสวนเริ่มต้นวันแต่เช้าตรู่ เมื่อน้ำค้างยังอยู่บนหญ้าและอากาศเย็นสบาย", "cp874 iso8859-11"),
    "Korean": ("정원사는 이른 아침에 하루를 시작한다. 풀잎에는 아직 이슬이 맺혀 있고 공기는 서늘하다.", "euc-kr"),
    "Chinese": ("园丁清晨很早就开始一天的工作，那时草地上还有露水，空气也很凉爽。", "gb18030"),
    "Taiwanese": ("園丁清晨很早就開始一天的工作，那時草地上還有露水，空氣也很涼爽。", "big5"),
    "Japanese": ("庭師は朝早く一日を始めます。草にはまだ露がおり、空気は涼しいです。", "shift_jis euc-jp"),
}
CASES = [(language, codec) for language, (_, codecs) in TEXTS.items() for codec in codecs.split()]


@pytest.mark.parametrize("times", [1, 30])
@pytest.mark.parametrize(("language", "codec"), CASES)
def test_a_text_in_another_alphabet_is_read_whatever_its_charset(language, codec, times):
    said = TEXTS[language][0]
    text = f"<title>{said[:20]}</title><a href=/news>Home</a>" + f"<p>{said}</p>\n" * times + "&copy; 2003, webmaster"
    body = text.encode(codec, "xmlcharrefreplace")
    found = decode(body)
    assert (found.text, found.evidence) == (body.decode(codec), "guessed from its letters")
