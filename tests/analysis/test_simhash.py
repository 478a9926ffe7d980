import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.analysis.simhash import NEAR, distance, near, simhash

WORDS = [f"w{chr(97 + i)}{chr(97 + j)}" for i in range(26) for j in range(26)]


def prose(seed, count):
    return " ".join(random.Random(seed).choices(WORDS, k=count))


def test_the_same_words_have_the_same_hash_whatever_their_case_and_spacing():
    assert simhash("The  Quick\nbrown fox") == simhash("the quick brown fox ")


def test_a_text_without_words_says_nothing():
    assert simhash("") == simhash(" \n\t") == simhash("", " ") == 0


def test_what_stands_beside_speaks_for_a_text_without_words():
    assert simhash("", "home about") == simhash("home about")


@given(st.text(), st.text())
def test_any_text_has_a_hash_of_64_bits(text, beside):
    assert 0 <= simhash(text, beside) < 1 << 64


@given(st.text())
def test_no_text_breaks_it_be_it_with_lone_surrogates(text):
    assert 0 < simhash(text + "\ud800") < 1 << 64


def test_the_hash_is_the_same_on_every_machine_and_in_every_version():
    assert simhash("It was the best of times, it was the worst of times") == 15509099914773542700
    page, menu = f"{prose(1, 3000)} “Čaša” 3.11.2 (2026) {prose(2, 50)}", f"{prose(3, 800)} 猫と犬 İ"
    assert simhash(page, menu) == 12454014710789191859


@pytest.mark.parametrize("seed", range(20))
def test_a_long_text_with_one_word_changed_is_near(seed):
    words = prose(seed, 1500).split()
    changed = [*words[:700], "otherwise", *words[701:]]
    assert distance(simhash(" ".join(words)), simhash(" ".join(changed))) <= NEAR


@pytest.mark.parametrize("seed", range(20))
def test_a_short_text_with_one_word_changed_is_not(seed):
    words = prose(seed, 30).split()
    changed = [*words[:15], "otherwise", *words[16:]]
    assert not near(simhash(" ".join(words)), simhash(" ".join(changed)), len(words))


@pytest.mark.parametrize("seed", range(20))
def test_different_texts_differ_in_about_half_the_bits(seed):
    assert 16 <= distance(simhash(prose(seed, 400)), simhash(prose(seed + 100, 400))) <= 48


def test_the_order_of_words_counts():
    words = prose(1, 300).split()
    assert distance(simhash(" ".join(words)), simhash(" ".join(sorted(words)))) > NEAR


def test_a_run_that_is_repeated_votes_once():
    table = "0 " * 5000
    assert distance(simhash(prose(1, 200) + table), simhash(prose(2, 200) + table)) > NEAR


def test_a_few_numbers_among_many_words_are_all_alike():
    text = prose(1, 100)
    assert simhash(f"{text} updated 2026-11-03, version 3.11.2") == simhash(f"{text} updated 2025-01-30, version 3.9")


def test_a_number_counts_in_a_short_text_and_in_one_that_is_about_numbers():
    assert simhash("room 101 is taken") != simhash("room 102 is taken")
    table = [str(n) for n in range(30)]
    assert distance(simhash(f"{prose(1, 100)} {' '.join(table)}"), simhash(f"{prose(1, 100)} {' '.join(table[::-1])}"))


def test_names_with_digits_in_them_are_no_numbers():
    text = prose(1, 100)
    assert simhash(f"{text} mask_epi32") != simhash(f"{text} mask_epi64")


def test_a_long_navigation_does_not_drown_the_text_beside_it():
    menu = prose(9, 3000)
    one, other = prose(1, 60), prose(2, 60)
    assert distance(simhash(f"{one} {menu}"), simhash(f"{other} {menu}")) <= 3 * NEAR
    assert distance(simhash(one, menu), simhash(other, menu)) > 4 * NEAR


def test_a_different_list_of_links_counts_though_the_text_is_the_same():
    around = prose(1, 60)
    assert distance(simhash(around, prose(2, 500)), simhash(around, prose(3, 500))) > 3 * NEAR


def test_in_scripts_without_spaces_every_letter_is_a_word():
    letters = random.Random(1).choices([chr(code) for code in range(0x4E00, 0x5200)], k=4000)
    changed = "".join([*letters[:700], "猫", *letters[701:]])
    assert distance(simhash("".join(letters)), simhash(changed)) <= NEAR  # as one word, it would be another one


def test_a_huge_word_is_no_trouble():
    assert simhash("x" * 1_000_000) != simhash("1" * 1_000_000 + "x")
