import pytest
from hypothesis import given
from hypothesis import strategies as st

from minisearch.analysis.analyzer import SNOWBALL
from minisearch.analysis.languages import _TABLE, primary, tag


@pytest.mark.parametrize(
    ("stated", "found"),
    [
        ("en", "en"),
        (" EN_us ", "en-us"),
        ("sr-Cyrl-RS", "sr-cyrl-rs"),
        ("zh-hans", "zh-hans"),
        ("en_US.UTF-8", "en-us"),
        ("de@euro", "de"),
        ("srp-Latn", "srp-latn"),
        ("tlh", "tlh"),
        ("English", "en"),
        ("Français", "fr"),
        ("francais", "fr"),
        ("СРПСКИ", "sr"),
        ("日本語", "ja"),
        ("Serbo-Croatian", "sh"),
        ("", ""),
        ("-", ""),
        ("xx", ""),  # all tags of two letters are known
        ("jp", ""),  # a country
        ("und", ""),
        ("zxx", ""),
        ("{{ lang }}", ""),
        ("en us", ""),
        ("klingonish", ""),
        ("x-default", ""),
        ("\ud800", ""),
    ],
)
def test_a_tag_is_told_from_what_is_none(stated, found):
    assert tag(stated) == found
    assert tag(found) == found


@pytest.mark.parametrize(
    ("stated", "short"),
    [
        ("en-GB", "en"),
        ("eng", "en"),
        ("ger", "de"),
        ("deu-AT", "de"),
        ("iw", "he"),
        ("Deutsch", "de"),
        ("serbian", "sr"),
        ("srp", "sr"),
        ("cnr", "cnr"),
        ("tlh", "tlh"),
        ("und", ""),
        ("", ""),
        ("-", ""),
        ("nonsense", "nonsense"),
    ],
)
def test_a_language_has_one_short_tag_whatever_it_is_called(stated, short):
    assert primary(stated) == short


def test_no_two_languages_share_a_name():
    names = _TABLE.replace(";", " ").split()
    assert len(names) == len(set(names))


def test_every_language_with_rules_of_its_own_is_known():
    assert {tag(spoken) for spoken in SNOWBALL} == set(SNOWBALL)


@given(st.text())
def test_whatever_a_page_claims_is_a_tag_or_nothing(stated):
    found = tag(stated)
    assert tag(found) == found
    assert primary(primary(stated)) == primary(stated)
    assert not set(found) - set("abcdefghijklmnopqrstuvwxyz0123456789-")
