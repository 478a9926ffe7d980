"""Every command in the handbook runs, and prints what the page shows."""

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
    for page in console.HANDBOOK.rglob("*.html"):
        text = page.read_text("utf-8")
        assert len(console.BLOCK.findall(text)) == text.count('class="console'), page.name
        assert len(console.FILE.findall(text)) == text.count('class="file'), page.name
