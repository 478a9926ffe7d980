"""Languages by name: what a page, a server or a person may call one, and its short tag (ISO 639, BCP 47)."""

from __future__ import annotations

import re

from minisearch.analysis.normalize import fold

# The tag, the codes of three letters, then the names in English and some languages' names for themselves.
_TABLE = """
aa aar afar; ab abk abkhazian; ae ave avestan; af afr afrikaans; ak aka akan; am amh amharic; an arg aragonese;
ar ara arabic العربية; as asm assamese; av ava avaric; ay aym aymara; az aze azerbaijani; ba bak bashkir;
be bel belarusian беларуская; bg bul bulgarian български; bh bih bihari; bi bis bislama; bm bam bambara;
bn ben bengali bangla; bo bod tib tibetan; br bre breton; bs bos bosnian bosanski; ca cat catalan valencian català;
ce che chechen; ch cha chamorro; co cos corsican; cr cre cree; cs ces cze czech čeština česky; cu chu slavonic;
cv chv chuvash; cy cym wel welsh cymraeg; da dan danish dansk; de deu ger german deutsch; dv div divehi maldivian;
dz dzo dzongkha; ee ewe; el ell gre greek ελληνικά; en eng english; eo epo esperanto; es spa spanish castilian español;
et est estonian eesti; eu eus baq basque euskara; fa fas per persian farsi فارسی; ff ful fulah;
fi fin finnish suomi; fj fij fijian; fo fao faroese; fr fra fre french français; fy fry frisian;
ga gle irish gaeilge; gd gla gaelic; gl glg galician galego; gn grn guarani; gu guj gujarati; gv glv manx;
ha hau hausa; he heb iw hebrew עברית; hi hin hindi हिन्दी; ho hmo; hr hrv croatian hrvatski; ht hat haitian;
hu hun hungarian magyar; hy hye arm armenian; hz her herero; ia ina interlingua; id ind in indonesian;
ie ile interlingue; ig ibo igbo; ii iii; ik ipk inupiaq; io ido; is isl ice icelandic íslenska;
it ita italian italiano; iu iku inuktitut; ja jpn japanese 日本語; jv jav jw javanese; ka kat geo georgian;
kg kon kongo; ki kik kikuyu; kj kua kuanyama; kk kaz kazakh; kl kal greenlandic; km khm khmer; kn kan kannada;
ko kor korean 한국어; kr kau kanuri; ks kas kashmiri; ku kur kurdish; kv kom komi; kw cor cornish;
ky kir kirghiz kyrgyz; la lat latin; lb ltz luxembourgish; lg lug ganda; li lim limburgish; ln lin lingala; lo lao;
lt lit lithuanian lietuvių; lu lub luba; lv lav latvian latviešu; mg mlg malagasy; mh mah marshallese;
mi mri mao maori; mk mkd mac macedonian македонски; ml mal malayalam; mn mon mongolian; mr mar marathi;
ms msa may malay; mt mlt maltese; my mya bur burmese; na nau nauru; nb nob bokmål; nd nde; ne nep nepali; ng ndo ndonga;
nl nld dut dutch flemish nederlands; nn nno nynorsk; no nor norwegian norsk; nr nbl; nv nav navajo; ny nya chichewa;
oc oci occitan; oj oji ojibwa; om orm oromo; or ori oriya odia; os oss ossetian; pa pan panjabi punjabi; pi pli pali;
pl pol polish polski; ps pus pashto; pt por portuguese português; qu que quechua; rm roh romansh; rn run rundi;
ro ron rum mo romanian moldavian română; ru rus russian русский; rw kin kinyarwanda; sa san sanskrit;
sc srd sardinian; sd snd sindhi; se sme sami; sg sag sango; sh hbs serbo-croatian srpskohrvatski; si sin sinhala;
sk slk slo slovak slovenčina; sl slv slovenian slovene slovenščina; sm smo samoan; sn sna shona; so som somali;
sq sqi alb albanian shqip; sr srp scc serbian srpski српски; ss ssw swati; st sot sotho; su sun sundanese;
sv swe swedish svenska; sw swa swahili; ta tam tamil; te tel telugu; tg tgk tajik; th tha thai ไทย; ti tir tigrinya;
tk tuk turkmen; tl tgl tagalog; tn tsn tswana; to ton tongan; tr tur turkish türkçe; ts tso tsonga; tt tat tatar;
tw twi; ty tah tahitian; ug uig uighur uyghur; uk ukr ukrainian українська; ur urd urdu; uz uzb uzbek; ve ven venda;
vi vie vietnamese; vo vol volapük; wa wln walloon; wo wol wolof; xh xho xhosa; yi yid ji yiddish; yo yor yoruba;
za zha zhuang; zh zho chi chinese mandarin 中文; zu zul zulu; cnr montenegrin crnogorski
"""


_ROWS = [line.split() for line in _TABLE.split(";")]
_TAGS = {name: names[0] for names in _ROWS for name in names}
_NAMES = {fold(name): tag for name, tag in _TAGS.items() if len(name) > 3 or not name.isascii()}
_ENGLISH = {names[0]: next((name for name in names if len(name) > 3), names[-1]).title() for names in _ROWS}
_NONE = {"und", "zxx", "mul", "mis", "qaa"}  # codes for no language, or for several
_TAG = re.compile(r"([a-z]{2,3})(?:-[a-z0-9]{1,8})*(?=$|[.;@])")  # a locale such as en_US.UTF-8 goes on


def tag(stated: str) -> str:
    """The tag that `stated` is, or that it gives the name of; '' if there is no such language.

    >>> tag("en_GB"), tag("SR-Latn"), tag("English"), tag("српски"), tag("xx"), tag("und"), tag("{{ lang }}")
    ('en-gb', 'sr-latn', 'en', 'sr', '', '', '')
    """
    plain = stated.strip().lower().replace("_", "-")
    found = _TAG.match(plain)
    if found and found[1] not in _NONE and (len(found[1]) == 3 or found[1] in _TAGS):
        return found[0]
    return _NAMES.get(fold(plain), "")


def primary(stated: str) -> str:
    """The shortest tag of a language, given by a tag or a name; anything else is returned unchanged.

    >>> primary("srp-Latn"), primary("sr"), primary("Serbian"), primary("tlh"), primary("x1"), primary("")
    ('sr', 'sr', 'sr', 'tlh', 'x1', '')
    """
    first = (tag(stated) or stated.lower().replace("_", "-").strip()).split("-")[0].strip()
    return "" if first in _NONE else _TAGS.get(first, first)


def name(tag: str) -> str:
    """The English name of a language by its tag, or the tag itself if we know none.

    >>> name("sr-latn"), name("en"), name("tlh")
    ('Serbian', 'English', 'tlh')
    """
    return _ENGLISH.get(tag.partition("-")[0], tag)
