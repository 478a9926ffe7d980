from minisearch.search.memory import Memory


class Thing:
    def __init__(self, size):
        self.size = size

    def memory(self):
        return self.size


def test_what_was_looked_up_last_is_kept_and_the_rest_forgotten():
    memory = Memory(10)
    for name in "abc":
        memory.keep(name, Thing(4))
    assert [name for name in "abc" if memory.get(name)] == ["b", "c"]
    memory.get("b")
    memory.keep("d", Thing(4))
    assert [name for name in "abcd" if memory.get(name)] == ["b", "d"]


def test_what_has_grown_takes_the_place_of_others():
    memory = Memory(10)
    things = {name: Thing(3) for name in "abc"}
    for name, thing in things.items():
        memory.keep(name, thing)
    things["c"].size = 9
    assert memory.get("c") is things["c"]
    assert [name for name in "abc" if memory.get(name)] == ["c"]


def test_one_thing_is_kept_however_large():
    memory = Memory(10)
    memory.keep("a", Thing(99))
    assert memory.get("a")
    memory.keep("b", Thing(1))
    assert [name for name in "ab" if memory.get(name)] == ["b"]
