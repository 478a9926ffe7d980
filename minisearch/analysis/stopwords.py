"""Stop words: words that hold a sentence together and do not describe its subject.

In "how do I list the tables" only two words matter. But `where` and `any` are names of functions, and "The Who" is a
band: stop words are ignored in sentences alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from minisearch.analysis.analyzer import unstemmed

# By language: question words; articles, pronouns, auxiliaries, prepositions and conjunctions; and negations, which are
# never ignored (`is not null`) but are not what a sentence is about, either.
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


def stop_words(words: Iterable[str], languages: Iterable[str], enough: float) -> list[bool]:
    """Which words are stop words that can be ignored: none if no other word is left, or if the query is not a sentence.

    A sentence has `enough` stop words; a question word at its beginning counts twice.

    >>> stop_words("how do I list the tables".split(), ["en"], 3)
    [True, True, True, False, True, False]
    >>> stop_words("where clause".split(), ["en"], 3), any(stop_words("to be or not to be".split(), ["en"], 3))
    ([False, False], False)
    """
    typed = list(words)
    ignored, negated, is_question = [False] * len(typed), [False] * len(typed), False
    for language in languages:
        questions, fillers, negations = _lists(language)
        folded = [unstemmed(language).term(word) for word in typed]
        ignored = [known or word in questions or word in fillers for known, word in zip(ignored, folded, strict=True)]
        negated = [known or word in negations for known, word in zip(negated, folded, strict=True)]
        is_question = is_question or (bool(folded) and folded[0] in questions)
    has_subject = not all(stop or negation for stop, negation in zip(ignored, negated, strict=True))
    return ignored if has_subject and sum(ignored) + is_question >= enough else [False] * len(typed)


@cache
def _lists(language: str) -> list[frozenset[str]]:
    """The question words, fillers and negations of a language."""
    kinds = [words.split() for words in _TABLE.get(language, "||").split("|")]
    return [frozenset(map(unstemmed(language).term, words)) for words in kinds]
