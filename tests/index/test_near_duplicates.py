"""Pages are grouped as if all pairs were compared, however many are alike."""

import time
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.analysis.simhash import near
from minisearch.index.near_duplicates import groups

fingerprints = st.integers(0, (1 << 64) - 1)


@st.composite
def families(draw):
    """(page, subject, fingerprint, words) in any order, many of them a few bits away from one another."""
    drawn = []
    for base in draw(st.lists(fingerprints, min_size=1, max_size=4)):
        for _ in range(draw(st.integers(1, 6))):
            flipped = draw(st.lists(st.integers(0, 63), max_size=5, unique=True))
            bits = sum(1 << bit for bit in flipped) ^ base
            signed = bits - (1 << 64) if draw(st.booleans()) and bits >> 63 else bits
            drawn.append((draw(st.integers(0, 2)), signed, draw(st.sampled_from([10, 70, 150, 900]))))
    return [(page, *facts) for page, facts in enumerate(draw(st.permutations(drawn)))]


def naive(pages):
    """page -> the pages of its group, itself included: all pairs are compared."""
    group = {page: {page} for page, *_ in pages}
    for (one, *first), (other, *second) in combinations(pages, 2):
        (subject, bits, words), (other_subject, other_bits, other_words) = first, second
        if subject == other_subject and near(bits, other_bits, min(words, other_words)):
            joined = group[one] | group[other]
            group.update(dict.fromkeys(joined, joined))
    return group


@given(families())
def test_groups_are_those_of_comparing_all_pairs(pages):
    found, expected = groups(pages), naive(pages)
    assert {*found} == {page for page, group in expected.items() if len(group) > 1}
    for one in found:
        assert {other for other in found if found[other] == found[one]} == expected[one]


@given(families(), st.randoms(use_true_random=False))
def test_the_number_of_a_group_does_not_depend_on_how_pages_are_numbered(pages, dice):
    renamed = dict(zip(range(len(pages)), dice.sample(range(1000), len(pages)), strict=True))
    again = groups([(renamed[page], *facts) for page, *facts in dice.sample(pages, len(pages))])
    assert again == {renamed[page]: group for page, group in groups(pages).items()}


@given(families())
def test_a_number_fits_into_sqlite(pages):
    assert all(0 <= number < 1 << 63 for number in groups(pages).values())


def test_pages_whose_fingerprints_differ_in_four_bits_are_of_one_group_if_another_is_near_both():
    assert len(set(groups([(1, 7, 0b0000, 500), (2, 7, 0b0011, 500), (3, 7, 0b1111, 500)]).values())) == 1
    assert groups([(1, 7, 0b0000, 500), (3, 7, 0b1111, 500)]) == {}


def test_no_pages_have_no_groups():
    assert groups([]) == {}


def scattered(count, most_flipped, seed=1):
    """Fingerprints that differ from one in a few bits."""
    dice = np.random.default_rng(seed)
    flipped = dice.integers(0, 64, (count, most_flipped))
    used = dice.integers(1, most_flipped + 1, count)[:, None] > np.arange(most_flipped)
    base = int(dice.integers(0, 1 << 63))
    return [
        base ^ sum({1 << int(bit) for bit in row[here]})
        for row, here in zip(flipped, used, strict=True)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("fingerprints", "in_groups"),
    [
        (scattered(5000, 3), 5000),
        ([0xABCD] * 5000, 5000),
        ([(2 * n).bit_count() % 2 | n << 1 | 0xABCD << 48 for n in range(5000)], 5000),
        ([int(bits) << 16 | 0xABCD for bits in np.random.default_rng(2).integers(0, 1 << 48, 5000)], 0),
    ],
    ids=["a few bits apart", "identical", "two bits apart", "alike in a part alone"],
)
def test_thousands_of_pages_of_one_subject_are_grouped_in_little_time(fingerprints, in_groups):
    began = time.process_time()
    found = groups((page, 7, bits, 500) for page, bits in enumerate(fingerprints))
    assert time.process_time() - began < 5  # on a quiet machine it takes less than one
    assert len(found) == in_groups
    assert len(set(found.values())) == bool(in_groups)


def test_pages_that_are_near_to_some_of_thousands_are_found():
    pages = [(page, 7, bits, 500) for page, bits in enumerate(dict.fromkeys(scattered(400, 9)))]
    expected = naive(pages)
    found = groups(pages)
    assert {*found} == {page for page, group in expected.items() if len(group) > 1}
    assert 10 < len(found) < len(pages)
