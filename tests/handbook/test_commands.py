"""Every command in the handbook runs, and prints what the page shows."""

import re

from bs4 import BeautifulSoup

from minisearch.lesson.exercises import exercises
from tests.handbook import console


def test_every_command_prints_what_its_page_shows():
    wrong = []
    with console.desk() as desk:
        for page in console.pages():
            for measured, steps in console.blocks(page):
                assert steps, f"{page.name} has a block without a command"
                for command, shown in steps:
                    printed = desk.run(command)
                    if console.comparable(printed, measured) != console.comparable(shown, measured):
                        wrong.append(f"{page.name}: $ {command}\n--- shown\n{shown}\n--- printed\n{printed}")
        for exercise in exercises():  # on the same desk, for its files take seconds to make
            if exercise.command and not _shows(exercise, desk.run(exercise.command)):
                wrong.append(f"exercise {exercise.number}: {exercise.command} does not show {exercise.answer}")
    assert not wrong, "\n\n".join([*wrong, "if this is meant: python -m tests.handbook.console"])


def _shows(exercise, printed):
    """Whether each part of the answer is a word of what was printed."""
    words = printed.replace(",", " ").replace("/", " ").replace(".html", " ").replace(":", " ").split()
    parts = exercise.answer.replace(",", " ").replace("/", " ").replace(".html", " ").split()
    return all(any(word.startswith(part) for word in words) for part in parts)


def test_all_blocks_are_seen():
    for page in console.all_pages():
        text = page.read_text("utf-8")
        assert len(console.BLOCK.findall(text)) == text.count('class="console'), page.name
        assert len(console.FILE.findall(text)) == text.count('class="file'), page.name


# Numbers in the text that no command prints: steps of a calculation that stands beside them, or round tolerances.
WORKED_OUT = {
    "bm25.html": {1.063, 6.126, 3.126, 0.960, 2.938},
    "convergence.html": {0.000001, 0.001, 0.00000001},
    "random-surfer.html": {0.385},  # of the matrix, which has a chapter of its own
    "spam-mass.html": {0.229, 0.264},  # 8/35 and 37/140
    "tf-idf.html": {4.727, 3.467, 0.019},
}


def test_the_text_quotes_no_number_that_no_command_prints():
    outputs = " ".join(shown for page in console.pages() for _, steps in console.blocks(page) for _, shown in steps)
    printed = [float(number) for number in re.findall(r"\d+\.\d+", outputs)]
    for page in console.HANDBOOK.rglob("*.html"):
        main = BeautifulSoup(page.read_text("utf-8"), "html.parser").main
        for other in main.select("pre"):
            other.extract()
        decimal = "," if "/sr/" in page.as_posix() else "."
        for number in re.findall(rf"\d+\{decimal}\d{{3,}}", main.get_text(" ")):
            value, digits = float(number.replace(",", ".")), len(number.partition(decimal)[2])
            known = value in WORKED_OUT.get(page.name, ()) or any(round(one, digits) == value for one in printed)
            assert known, f"{page.name} says {number}"
