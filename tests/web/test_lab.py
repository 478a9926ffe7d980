"""The lab, without a browser: what the server answers to forms, files and programs."""

import io
import json
import re

import pytest

from minisearch.lab.lessons import LESSONS
from minisearch.lab.options import APPLICABLE


def ranks(html):
    """{page: the cells of its row} of the table of ranks."""
    rows = re.findall(r'<tr data-page="([^"]*)">(.*?)</tr>', html, re.S)
    return {page: re.findall(r"<td class=\"n\">([^<]*)</td>", row) for page, row in rows}


def short(html):
    return re.search(r'class="short">([^<]*)<', html)[1]


def test_the_page_is_complete_without_scripts(client):
    html = client.get("/lab?preset=spider-trap&damping=0.8&dangling=leak&digits=3").text
    assert ranks(html)["A"] == ["1", "0.614"]
    for part in ("Iterations", "convergence", "Matrices", "<svg"):
        assert part in html


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.source)
def test_every_step_of_a_lesson_is_a_page(client, lesson):
    for step in lesson.steps:
        assert client.get("/lab", query_string=step.fields).status_code == 200


def test_what_was_chosen_stays_chosen(client):
    html = client.get("/lab?method=topic&topics=A,E&damping=0.8&edits=add+C+C&once=1").text
    assert '<option value="topic" selected>' in html
    assert ">A,E</textarea>" in html
    assert 'value="0.8"' in html
    assert re.search(r'name="once" value="1" checked', html)


def test_options_that_the_method_does_not_use_are_ignored_with_a_note(client):
    told = "ignored because hits does not use them: damping, trusted"
    assert told in client.get("/lab?method=hits&damping=0.5&trusted=A&order=hub").text
    assert told in client.get("/api/lab?method=hits&damping=0.5&trusted=A").json["notes"]
    assert "ignored because" not in client.get("/lab?damping=0.5&order=authority").text  # which the form always sends


@pytest.mark.parametrize(("name", "methods"), [(n, m) for n, m in APPLICABLE.items() if n != "max_rounds"])
def test_a_field_is_shown_for_the_methods_that_use_it(client, name, methods):
    holder = re.search(rf'<div class="for ([^"]*)">(?:(?!</div>).)*name="{name}"', client.get("/lab").text, re.S)
    assert holder[1].split() == [f"for-{method}" for method in methods]


def test_an_invalid_choice_is_reported_and_the_form_is_kept(client):
    answer = client.get("/lab?damping=2&text=3+(A,B)")
    assert answer.status_code == 400
    assert "damping must be between 0 and 1" in answer.text
    assert "3 (A,B)" in answer.text
    part = client.post("/lab/results", data={"damping": "2"})
    assert part.status_code == 400
    assert "damping must be between 0 and 1" in part.text
    assert "<html" not in part.text


def test_a_request_that_takes_too_long_is_ended_with_a_message(client, monkeypatch):
    monkeypatch.setattr("minisearch.lab.answer.SECONDS", -1.0)
    for answer in (client.get("/lab?exact=1"), client.post("/lab/results", data={"method": "surfer"})):
        assert answer.status_code == 400
        assert "longer than the limit of" in answer.text
    answer = client.post("/api/lab", json={"preset": "five-pages"})
    assert answer.status_code == 400
    assert answer.content_type == "application/problem+json"
    assert "longer than the limit of" in answer.json["detail"]


def test_a_file_can_be_sent_with_the_form(client):
    file = (io.BytesIO(b"a,b\nb,c\nc,a\n"), "ring.csv")
    html = client.post("/lab", data={"file": file, "preset": "five-pages"}).text
    assert set(ranks(html)) == {"a", "b", "c"}
    assert 'value="a:b;b:c;c:a"' in html  # the next question is about the same web
    broken = client.post("/lab", data={"file": (io.BytesIO(b"{"), "a.json"), "damping": "0.5"})
    assert (broken.status_code, "a.json, line 1: this is not JSON" in broken.text) == (400, True)
    assert 'value="0.5"' in broken.text


def test_a_matrix_can_be_pasted_into_the_form(client):
    html = client.get("/lab", query_string={"text": "\tx\ty\nx\t0\t1\ny\t2\t0\n"}).text
    assert 'class="short">x:y;y:x*2<' in html
    wrong = client.get("/lab", query_string={"text": "0 1 1\n1 0\n0 1 0", "form": "matrix"})
    assert wrong.status_code == 400
    assert "line 2: found 2 numbers, but 3 in the first row" in wrong.text


@pytest.mark.parametrize("form", ["gexf", "graphml", "csv", "json", "matrix.txt"])
def test_the_web_is_saved_in_a_file_that_can_be_read_again(client, form):
    asked = {"preset": "five-pages", "edits": "add E A", "damping": "0.5"}
    answer = client.post(f"/lab/export.{form}", data=asked)
    assert answer.headers["Content-Disposition"] == f"attachment; filename=web.{form}"
    html = client.post("/lab", data={"file": (io.BytesIO(answer.data), f"web.{form}")}).text
    assert short(html) == short(client.get("/lab", query_string=asked).text)
    if form == "json":
        told = {one["id"]: one["pagerank"] for one in answer.json["nodes"]}
        assert sum(told.values()) == pytest.approx(1)


def test_a_picture_of_the_web_can_be_saved_too(client):
    answer = client.get("/lab/export.svg?preset=four-pages")
    assert answer.mimetype == "image/svg+xml"
    assert answer.text.count("<circle") == 4
    assert client.get("/lab/export.exe").status_code == 404
    assert client.get("/lab/export.csv?damping=7").status_code == 200  # which matters to no list of links
    assert client.get("/lab/export.json?damping=7").status_code == 400


def test_the_parts_for_scripts_hold_the_data_of_the_drawing(client):
    html = client.post("/lab/results", data={"preset": "four-pages"}).text
    data = json.loads(re.search(r'id="data">(.*?)</script>', html, re.S)[1])
    assert data["address"] == "A:B,C,D;B:A,D;C:A;D:B,C"
    assert len(data["at"]) == 4
    laid = client.post("/lab/results", data={"preset": "four-pages", "laid": "1"}).text
    assert json.loads(re.search(r'id="data">(.*?)</script>', laid, re.S)[1])["at"] is None


def test_names_of_pages_cannot_break_out_of_the_page(client):
    name = '</script><img src=x onerror="x">'
    for answer in (
        client.post("/lab", data={"text": json.dumps({"nodes": [{"id": name}], "links": []})}),
        client.get("/lab", query_string={"query": name, "from": name, "to": name, "numbers": name, "preset": name}),
    ):
        assert "<img" not in answer.text


def test_the_api_takes_query_strings_forms_and_json(client):
    asked = {"preset": "one-dead-end", "method": "solve", "dangling": "teleport"}
    answers = [
        client.get("/api/lab", query_string=asked),
        client.post("/api/lab", data=asked),
        client.post("/api/lab", json=asked),
    ]
    for answer in answers:
        exact = {row["page"]: row["exact"] for row in answer.json["pages"]}
        assert exact == {"P1": "5307/17165", "P2": "4389/17165", "P3": "616/3433", "P4": "4389/17165"}
    assert answers[0].json["matrices"][3]["entries"][0][1] == "77/240"


def test_a_program_may_send_numbers_switches_and_lists(client):
    found = client.post("/api/lab", json={"web": "A:B;B:A", "damping": 0.5, "exact": True, "edits": ["add A A"]}).json
    assert found["pages"][0]["exact"]
    assert found["damping"] == 0.5


@pytest.mark.parametrize("zero", [0, 0.0, "0"])
def test_zero_is_a_number(client, zero):
    found = client.post("/api/lab", json={"web": "A:B;B:A;C:A", "damping": zero}).json
    assert found["damping"] == 0
    assert [row["pagerank"] for row in found["pages"]] == pytest.approx([1 / 3] * 3)


def test_a_heavy_link_is_answered(client):
    found = client.get("/api/lab?web=A:B*4000000000;B:A&method=surfer&steps=1000").json
    assert found["pages"][0]["counted"] == pytest.approx(0.5, abs=0.1)


def test_a_pasted_text_is_not_called_by_the_name_of_a_preset(client):
    html = client.get("/lab?preset=five-pages&text=A:B;B:A").text
    assert not re.search(r'<option value="five-pages"[^>]* selected', html)


@pytest.mark.parametrize("body", ["[]", "7", "{", '"x"'])
def test_something_else_than_a_json_object_is_refused(client, body):
    answer = client.post("/api/lab", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.content_type == "application/problem+json"


def test_the_crawl_can_be_loaded(client):
    found = client.get("/api/lab?crawl=5").json
    assert len(found["pages"]) == 5
    assert found["pages"][0]["page"].startswith(client.site)


def test_a_query_without_a_link(client):
    first = client.get("/lab?query=roses").text
    link = re.search(r'class="cut" href="([^"]*)#', first)[1].replace("&amp;", "&")
    html = client.get(link).text
    assert "instead of" in html
    assert 'scope="row">Pruning roses in late winter</th>' in html
    wrong = client.get("/lab/what-if?query=roses&from=http://a/&to=http://b/")
    assert wrong.status_code == 200
    assert "no page is called" in wrong.text
