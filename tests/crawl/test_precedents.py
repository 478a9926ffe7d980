from minisearch.crawl import precedents as module
from minisearch.crawl.precedents import Precedents
from minisearch.crawl.scope import Rules
from minisearch.records import Found, Link

SITE, HOST = "http://a.example", "a.example"


def test_no_more_is_kept_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(module, "MOST_VERDICTS", 3)
    monkeypatch.setattr(module, "MOST_FOLDERS", 2)
    kept = Precedents(Rules((f"{SITE}/",)))
    kept.keep(Found(f"{SITE}/a", HOST, 1), follow=True)
    many = tuple(Link(f"{SITE}/{name}") for name in "bcdef")
    verdicts, unknown = kept.of_links(many, 1)
    assert [verdict.url for verdict in verdicts] == [link.url for link in many]
    assert unknown == []
    assert [name for name in "abcdef" if kept.of(f"{SITE}/{name}", 1, follow=True)] == ["a", "b", "c"]
    for name in "xyz":
        kept.keep(Found(f"{SITE}/{name}/", HOST, 1), follow=True)
    assert [name for name in "abc" if kept.of(f"{SITE}/{name}", 1, follow=True)] == []
    beside = tuple(Link(f"{SITE}/{name}/a") for name in "xyz")
    assert [place for place, _ in kept.of_links(beside, 1)[1]] == [1, 2]
