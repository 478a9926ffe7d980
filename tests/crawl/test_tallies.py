from minisearch.crawl.tallies import Latest, Tally, why_asleep


def taken(pages, most):
    """After how many pages, each like one before or not, a tally has enough; None if it never has."""
    tally = Tally()
    return next((number for number, page in enumerate(pages, 1) if tally.take(page, most)), None)


def test_too_many_alike_in_a_row_are_noticed():
    assert taken([True] * 10, 4) == 4


def test_a_few_between_them_that_are_not_make_no_difference():
    assert taken([True, True, False, True, True], 4) == 5


def test_what_is_alike_now_and_then_never_is_too_much():
    assert taken([True, False] * 50, 4) is None


def test_the_reason_tells_of_as_many_pages_as_were_looked_at():
    said = "put to sleep: all urls of a shop, for of the last 25 pages there 20 said nearly the same as others before"
    assert why_asleep("of a shop", 20) == said


def test_only_the_kinds_asked_for_last_are_kept():
    kinds = Latest(list, most=3)
    for name in ("a", "b", "c", "a", "d"):
        kinds.of(name).append(name)
    assert dict(kinds) == {"c": ["c"], "a": ["a", "a"], "d": ["d"]}
