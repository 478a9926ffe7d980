import pytest

from minisearch.parse.charset import decode

TEXTS = {
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
CASES = [(language, codec) for language, (_, codecs) in TEXTS.items() for codec in codecs.split()]


@pytest.mark.parametrize(("language", "codec"), CASES)
def test_no_language_of_europe_is_taken_for_another(language, codec):
    text = f"<p>{TEXTS[language][0] * 3}</p>"
    assert decode(text.encode(codec)).text == text
