"""What a person types finds what a person would expect: names of things whole and in parts, words in every script."""

import unicodedata

import pytest

CASES = [
    # language of the page, what stands on it, what finds it, what does not; "|" stands between queries
    (
        "en",
        "call os.path.join(a, b) here",
        "os.path.join | os.path | path.join | os path join | join | OS.Path.Join",
        "ospath",
    ),
    (
        "en",
        "a ThreadPoolExecutor runs",
        'ThreadPoolExecutor | threadpoolexecutor | thread pool executor | Executor | "thread pool"',
        "readpool",
    ),
    ("en", "in snake_case style", "snake_case | snake case | snake | case | SNAKE_CASE", "snak*e"),
    ("en", "written in C++ today", 'C++ | c++ | c | "in C++ today"', "D++"),
    ("en", "written in C# today", "C# | c#", "F#"),
    ("en", "written in F# today", "F# | f#", "C#"),
    ("en", "runs on .NET and more", '.NET | .net | net | NET | "on .NET and"', "dotnet"),
    ("en", "encoded in utf-8 text", "utf-8 | UTF-8 | utf | 8 | utf\u20118 | utf_8", "utf-16"),
    ("en", "encoded in utf\u20108 text", "utf-8", ""),
    ("en", "for x86-64 machines", "x86-64 | x86_64 | x86 | 64", "x87"),
    ("en", "since 3.11.2 only", '3.11.2 | 3.11 | 3 | "3.11.2"', "3.12.2 | 311"),
    ("en", "a std::vector of them", 'std::vector | std | vector | "std::vector" | vectors', "std::map"),
    ("en", "either a1/b2 will do", 'a1/b2 | a1 | b2 | "a1/b2"', "a1b2"),
    ("en", "use --option-name here", "--option-name | option-name | option name | --option | name", "-option"),
    ("en", "the @decorator above", "@decorator | decorator | decorators", ""),
    ("en", "echo $var now", "$var | var", ""),
    ("en", "def __init__(self)", "__init__ | init | __INIT__", "__exit__"),
    ("en", "don't panic", "don't | don’t | panic", ""),
    ("en", "naïve café Ångström ﬁne ﬀ x²", "naive | cafe | CAFÉ | angstrom | fine | x2 | café", ""),
    ("en", "ＦＵＬＬ ｗｉｄｔｈ １２", "full width 12 | FULL", ""),
    ("en", "ship it 🚀🎉 now ❤️ and 👍🏽 done", "🚀 | 🎉 | ❤ | ❤️ | 👍 | 👍🏿 | 🚀🎉", "🐛"),
    ("en", "flag 🇷🇸 here", "🇷🇸", "🇩🇪"),
    ("de", "Die Straße der Häuser", "Straße | strasse | STRASSE | STRAẞE | Häuser | hauser | Haus", ""),
    ("tr", "İstanbul ısınıyor ILIK", "istanbul | İSTANBUL | ISTANBUL | ısınıyor | isiniyor | ılık | ilik", ""),
    ("fr", "l’été à l'école", "l'ete | l’été | ecole | école", ""),
    ("es", "el niño y la niña", "niño | nino | NIÑO", ""),
    ("pl", "Łódź i żółw", "łódź | lodz | zolw", ""),
    ("vi", "Đường phố Việt Nam", "đường | duong | pho | viet nam | ĐƯỜNG", ""),
    ("el", "Ο Οδυσσεύς στην Ελλάδα", "ΟΔΥΣΣΕΥΣ | οδυσσευς | ελλαδα | ΕΛΛΆΔΑ", ""),
    ("ru", "Ёлка и подъёмы", "елка | ёлки | ЁЛКА | подъемы", ""),
    (
        "sr",
        "Љубав и џеп, његов ђак на ћошку",
        "љубав | ljubav | ǉubav | džep | dzep | ǆep | njegov | đak | djak | ćošku | cosku | LJUBAV | ЊЕГОВ",
        "",
    ),
    ("sr-Latn", "Ljubav i džep, njegov đak na ćošku", "љубав | Љубав | џеп | његов | ђак | ћошку | ljubav | djak", ""),
    ("hr", "Ružičasta kuća", "ružičasta | ruzicasta | ружичаста | кућа | kuce", ""),
    ("zh", "全文搜索引擎和黑猫。", "全文 | 搜索引擎 | 全文搜索 | 索引 | 猫 | 黑猫 | 全", "狗 | 白猫"),
    ("ja", "全文検索エンジンでお茶を飲む人々", "検索 | エンジン | ｴﾝｼﾞﾝ | 茶 | 人々 | 飲む", "珈琲"),
    ("ko", "검색을 하는 책방에서 읽은 공책", "검색 | 검색을 | 책 | 책방 | 공책 | 읽은", "신문"),
    ("ko", unicodedata.normalize("NFD", "한국어 검색"), "한국어 | 한국 | 검색", ""),
    ("th", "ภาษาไทยและการค้นหา", "ภาษา | ไทย | ค้นหา | ภาษาไทย", "อังกฤษ"),
    ("ar", "كِتَابٌ في المكتبة العربيـــة", "كتاب | كِتَاب | العربية | مكتبة", ""),
    ("fa", "می\u200cخواهم کتاب", "می\u200cخواهم | میخواهم | کتاب", ""),
    ("he", "שָׁלוֹם עולם", "שלום | שָׁלוֹם | עולם", ""),
    ("hi", "हिन्दी भाषा में क़लम की खोज", "हिन्दी | भाषा | खोज | क़लम | कलम", "अंग्रेज़ी"),
    (
        "en",
        "an exam\u00adple of a zero\u200bwidth, a wo\u2060rd\u200d and a\ufeffb ma\u00adny os.\u00adpath",
        'example | zerowidth | word | ab | many | exam\u00adple | "an example of" | examples',
        "exam",
    ),
]


@pytest.mark.parametrize(("tag", "text", "finding", "missing"), CASES, ids=[text[:24] for _, text, _, _ in CASES])
def test_what_is_typed_finds_what_is_written(webs, tag, text, finding, missing):
    engine = webs.build([webs.page("there", text, language=tag), webs.page("other", "Something else entirely")])

    def found(query):
        hits = engine.search(f"+({query})").hits  # all of it
        return webs.url("there") in [hit.url for hit in hits]

    assert [query for query in finding.split(" | ") if not found(query)] == []
    assert [query for query in missing.split(" | ") if found(query)] == []


@pytest.mark.parametrize(
    ("query", "meant", "near"),
    [
        ("C++", "a page on C++ here", "a page on C here"),
        ("c#", "a page on C# here", "a page on C here"),
        (".net", "a page on .NET here", "a page on net here"),
        ("__init__", "a page on __init__ here", "a page on init here"),
        ("os.path", "a page on os.path here", "a path page on os"),
        ("utf-8", "a page on utf-8 here", "the 8 page on utf"),
        ("std::vector", "a page on std::vector here", "the vector page on std"),
        ("3.11.2", "a page on 3.11.2 here", "a page on 2 or 3 or 11"),
    ],
)
def test_a_name_as_it_is_typed_comes_before_its_parts(webs, query, meant, near):
    engine = webs.build([webs.page("early-near", near), webs.page("late-meant", meant), webs.page("other", "else")])
    assert [hit.url for hit in engine.search(query).hits] == [webs.url("late-meant"), webs.url("early-near")]


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("an exam\u00adple here", "example", "exam\u00adple"),
        ("a zero\u200bwidth space", "zerowidth", "zero\u200bwidth"),
        ("\ufeffstart of it\u200b", "start", "start"),  # what stands around a word is no part of it
        ("it\u200b ends", "it", "it"),
        ("the .NET way", ".net", ".NET"),
        ("def __init__(self)", "__init__", "__init__"),
        ("ship it 🚀 now", "🚀", "🚀"),
        ("in utf\u20118 text", "utf-8", "utf\u20118"),
    ],
)
def test_what_was_found_is_marked_as_it_is_written(webs, text, query, marked):
    engine = webs.build([webs.page("there", text), webs.page("other", "Something else entirely")])
    (hit,) = engine.search(query).hits
    assert [hit.snippet[start:end] for start, end in hit.marks] == [marked]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("lang:sr", ["cyrillic", "latin"]),
        ("lang:SR-Latn", ["cyrillic", "latin"]),
        ("lang:srp", ["cyrillic", "latin"]),
        ("lang:Serbian", ["cyrillic", "latin"]),
        ("lang:српски", ["cyrillic", "latin"]),
        ("lang:serbo-croatian", ["cyrillic", "latin"]),
        ("lang:croatian", []),
        ("lang:German", ["german"]),
        ("lang:(de OR sr)", ["cyrillic", "german", "latin"]),
        ("-lang:(deutsch OR serbian)", ["english"]),
        ("lang:klingonish", []),
    ],
)
def test_a_language_goes_by_its_tag_and_by_its_name(webs, query, found):
    tags = {"cyrillic": "sr-Cyrl", "latin": "sr-Latn", "german": "de", "english": ""}
    engine = webs.build([webs.page(path, "text", language=tag) for path, tag in tags.items()])
    assert sorted(hit.url for hit in engine.search(query).hits) == [webs.url(path) for path in found]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("title:(hedge maze)", ["1"]),
        ("title:(hedge OR maze)", ["1", "2", "3"]),
        ('title:"hedge maze"', ["1"]),
        ("maze -title:(hedge OR wall)", ["3", "4"]),
        ("+title:(maze (hedge OR wall))", ["1", "2"]),
        ("title:(maze body:garden)", ["2"]),  # the nearer field counts
        ("title:(maze -hedge)", ["2", "3"]),
        ("Title:hedge", ["1"]),
        ('title:("hedge maze" OR wall*)', ["1", "2"]),
    ],
)
def test_a_field_holds_for_all_that_stands_in_brackets(webs, query, found):
    pages = [
        webs.page("1", "about", title="The hedge maze"),
        webs.page("2", "the garden", title="A wall and a maze"),
        webs.page("3", "the rest", title="Maze"),
        webs.page("4", "hedge and wall and maze", title="None of it"),
    ]
    engine = webs.build(pages)
    assert sorted(hit.url for hit in engine.search(query).hits) == [webs.url(path) for path in found]


def test_a_long_reference_that_explains_a_function_comes_before_a_short_page_that_uses_it(webs):
    name, much = "gtk_widget_queue_draw_area", "Widgets have many methods. " * 40
    pages = [
        webs.page("all", f"{name} asks to draw again. {much}", title="GtkWidget", headings=["gtk_widget_show", name]),
        webs.page("area", f"An area to draw in. Call {name} when the area changes.", title="GtkDrawingArea"),
        *(webs.page(f"{number}", "Widgets may queue to draw in an area.") for number in range(6)),
        *(webs.page(f"{number}", "Text.") for number in range(6, 40)),
    ]
    hits = webs.build(pages).search(f"{name}()").hits
    assert [hit.url for hit in hits[:2]] == [webs.url("all"), webs.url("area")]
