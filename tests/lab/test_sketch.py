"""A web as a picture."""

from xml.etree import ElementTree

import pytest

from minisearch.lab.sketch import Picture, label_places, link_path, radii, svg

HOSTILE = ['<script>alert("x")</script>', "a & b", "\u202egnol", "\x00\x1b"]


def test_the_picture_is_xml_whatever_pages_are_called():
    picture = Picture(
        HOSTILE, [(0, 1), (1, 0), (2, 2)], [(0, 0), (9, 9), (5, 5), (1, 7)], [1, 0.5, 0, 2], addresses={0: 'x"y'}
    )
    for styled in (True, False):
        tree = ElementTree.fromstring(svg(picture, "a <title>", styled=styled))
        spaces = {"s": "http://www.w3.org/2000/svg"}
        assert len(tree.findall(".//s:circle", spaces)) == 4
        assert len(tree.findall(".//s:path[@class='link']", spaces)) == 3
        assert tree.find(".//s:a", spaces).get("href") == 'x"y'
        assert not tree.findall(".//s:script", spaces)
        assert bool(tree.findall(".//s:style", spaces)) == styled


def test_a_circle_without_a_rank_can_still_be_seen():
    assert radii([0.0, 0.0]) == [8.0, 8.0]
    assert radii([float("nan"), 1.0]) == [8.0, 46.0]


def test_only_links_between_pages_that_link_to_each_other_are_bent():
    picture = Picture("abc", [(0, 1), (1, 0), (0, 2)], [(0, 0), (100, 0), (0, 100)], [1, 1, 1])
    spaces = {"s": "http://www.w3.org/2000/svg"}
    paths = [
        path.get("d") for path in ElementTree.fromstring(svg(picture, "")).findall(".//s:path[@class='link']", spaces)
    ]
    there, back, alone = (tuple(map(float, path.split("Q")[1].split()[:2])) for path in paths)
    assert (there, back, alone) == ((50, 16), (50, -16), (0, 50))


@pytest.mark.parametrize("bent", [True, False])
def test_an_arrow_ends_at_the_rim_of_the_circle(bent):
    x, y = map(float, link_path((0, 0), (100, 0), 20, bent=bent).rsplit(" ", 2)[1:])
    assert (x - 100) ** 2 + y**2 == pytest.approx(20**2, rel=0.01)


def test_every_page_of_a_small_picture_has_its_name():
    assert label_places([(0, 0), (50, 50)], [8, 30], ["a page", "B"]) == {0: (0, 25), 1: (50, 50 + 20 / 3)}


def test_names_in_a_crowded_picture_cover_neither_names_nor_circles():
    at = [(100 + 45 * (page % 10), 50 + 40 * (page // 10)) for page in range(50)]
    sizes = [12 - page / 10 for page in range(50)]
    placed = label_places(at, sizes, ["page name"] * 50)
    assert 3 <= len(placed) <= 14
    places = list(placed.values())
    assert all(abs(a[0] - b[0]) > 70 or abs(a[1] - b[1]) > 16 for a in places for b in places if a is not b)
