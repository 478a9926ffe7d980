"""Small words: those that hold a sentence together and say nothing of what it is about.

In "how do I list the tables" only two words are sought. But `where` and `any` are names of functions, and "The Who" is
a band: small words are passed over in sentences alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from minisearch.text.terms import speller

# By language: words that ask; articles, pronouns, auxiliaries, prepositions and conjunctions; and words that
# deny, which are never passed over (`is not null`) but are not what a sentence is about, either.
_TABLE = {
    "en": """what which who whom whose how why when where |
        a an the this that these those there here i me my we us our you your he him his she her it its they them their
        am is are was were be been being do does did done have has had having can could will would shall should may
        might must of in on at to for from by with about as into onto and or but if than then so such any some
        | not no""",
    "de": """was welche welcher welches wer wem wen wessen wie warum wieso weshalb wann wo woher wohin |
        der die das den dem des ein eine einen einem einer eines ich mich mir mein meine wir uns unser du dein man er
        sie es sich ihr ihre sein seine dies diese dieser dieses bin ist sind war waren wird werden wurde hat haben
        hatte kann können konnte muss müssen soll sollte darf will von in im an am auf zu zum zur für aus bei mit über
        als nach um und oder aber wenn dass ob so | nicht kein keine""",
    "es": """qué cuál cuáles quién quiénes cómo cuándo dónde |
        el la los las lo un una unos unas yo me mi mis nos nuestro tú tu su sus se ser es son era fue está están hay
        ha han he puede puedo pueden debe debo hacer de del en a al para con por sobre como y e o u pero si que este
        esta estos estas ese esa | no""",
    "fr": """que quel quelle quels quelles qui quoi comment pourquoi quand où est-ce |
        le la les un une des du de je me mon ma mes nous notre vous votre tu ton il elle on ils elles se son sa
        ses leur ce cet cette ces être est sont était ont a ai avons avez peut peux doit dois faire fait en dans
        sur à au aux pour par avec et ou mais si | ne pas non""",
    "it": """che cosa quale quali chi come perché quando dove |
        il lo la i gli le un uno una io mi mio mia noi ci nostro tu tuo si suo sua è sono era erano essere ha ho hanno
        può posso possono deve devo fare di a da in con su per tra fra del della dei delle al alla nel nella e o ma se
        questo questa questi | non no""",
    "ru": """что какой какая какое какие кто кого кому чей как почему зачем когда где куда откуда |
        я меня мне мой моя мы нас наш вы вас ваш он она оно они его её их себя это этот эта эти тот та те быть есть
        был была было были может могу можно нужно надо в во на с со к ко о об от до из у за по для при и или но а если
        то бы ли же | не нет""",
    "sr": """šta što ko tko koji koja koje kojeg kome čiji kako zašto čega kad kada gde gdje kuda odakle |
        ja me mi moj moja moje nas nam naš vi vas vam vaš on ona ono oni ga mu joj ih im svoj ovo ovaj ova ovi to taj
        ta te biti sam si je smo ste su bio bila bilo bili li da se ima imam imaju mogu može možemo treba u na s sa
        k o od do iz za po pri i ili ali a ako bi | ne nije""",
}


def small(words: Iterable[str], languages: Iterable[str], enough: float) -> list[bool]:
    """Which words are small ones that can be passed over: none if nothing else is left, or if it is no sentence.

    A sentence has `enough` small words; one that asks, at its beginning, counts twice.

    >>> small("how do I list the tables".split(), ["en"], 3)
    [True, True, True, False, True, False]
    >>> small("where clause".split(), ["en"], 3), any(small("to be or not to be".split(), ["en"], 3))
    ([False, False], False)
    """
    words = list(words)
    found, empty, asks = [False] * len(words), [False] * len(words), False
    for language in languages:
        asking, joining, denying = _of(language)
        spelled = [speller(language).term(word) for word in words]
        found = [known or word in asking or word in joining for known, word in zip(found, spelled, strict=True)]
        empty = [known or word in denying for known, word in zip(empty, spelled, strict=True)]
        asks = asks or (bool(words) and spelled[0] in asking)
    about = [not passed and not denied for passed, denied in zip(found, empty, strict=True)]
    return found if any(about) and sum(found) + asks >= enough else [False] * len(words)


@cache
def _of(language: str) -> list[frozenset[str]]:
    spell, kinds = speller(language), [words.split() for words in _TABLE.get(language, "||").split("|")]
    return [
        frozenset(spell.of_plain(words) if all(map(str.isascii, words)) else map(spell.term, words)) for words in kinds
    ]
