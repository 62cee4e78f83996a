"""How well a text reads: letters of one language in words, or signs where none belong."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from math import log

# The letters beyond a-z of each language, the commonest first.
WESTERN = {
    "German": "üäöß",
    "French": "éèêàçâîôëûïùœüæÿ",
    "Spanish": "óíáéñúü",
    "Catalan": "àóéèíçúòïü",
    "Portuguese": "ãçáéíóâêõúôàü",
    "Italian": "àèùòìé",
    "Danish, Norwegian": "øåæéöä",
    "Swedish, Finnish": "äöåé",
    "Icelandic": "íáðóöúéýþæ",
    "Estonian": "äõüöšž",
    "Dutch": "ëéïöèüêç",
}
CENTRAL = {
    "German": WESTERN["German"],
    "Polish": "łóąęśżćńź",
    "Czech": "áíéěřčšžýůúňóťď",
    "Slovak": "áíčéšžýúľťôňäóďĺŕ",
    "Hungarian": "áéöóőíüúű",
    "Romanian": "ăîâşţșț",
    "Croatian, Slovene": "čšžćđ",
}

# Share of the letters that belong to names from elsewhere.
FOREIGN = 0.2

# What a character costs where no language explains it, as the logarithm of a probability.
STRANGE_LETTER = -9.0
SIGN_BESIDE_WORD = -4.0
STRANGE_SIGN = -9.0
SIGN_IN_WORD = -12.0
NO_CHARACTER = -14.0
CASE_CHANGE = -5.0
STRANGE_PLACE = -3.0

# Signs of every language, which stand beside words or figures.
SIGNS = frozenset("€£§°²³«»„“”‘’–—…ªºµ½¼¾·¿¡©®™±•‚\xa0")
# Those that may also stand right before a word, and those that may stand between two letters.
OPENING = frozenset("«»„“”‘’–—…·¿¡µ•‚\xa0")
JOINING = frozenset("’·–—…")
BOX_DRAWING = range(0x2500, 0x25A0)

# The tilde stands in diphthongs and at the end of a word. Elsewhere ã and õ are mostly ă and ő.
TILDE = re.compile(r"[ãõ](?=[^\W\d_])(?![oeis])", re.IGNORECASE)


def fit(words: Iterable[str], languages: dict[str, str]) -> float:
    """Logarithm of how likely the words are in the likeliest of the languages."""
    letters: Counter[str] = Counter()
    cost = 0.0
    for word in words:
        letters.update(character.lower() for character in word if _is_special_letter(character))
        cost += _cost_of_places(word)
    return cost + max(_likelihood(letters, odds) for odds in _mixtures(languages))


def _is_special_letter(character: str) -> bool:
    return (
        not character.isascii()
        and character not in SIGNS
        and unicodedata.category(character) in ("Ll", "Lu")
    )


def _mixtures(languages: dict[str, str]) -> list[dict[str, float]]:
    """How often each letter comes in a text of one language with names from all of them."""
    shares = [_shares(alphabet) for alphabet in languages.values()]
    letters = set().union(*shares)
    mean = {x: sum(share.get(x, 0) for share in shares) / len(shares) for x in letters}
    return [
        {x: FOREIGN * mean[x] + (1 - FOREIGN) * share.get(x, 0) for x in letters}
        for share in shares
    ]


def _shares(alphabet: str) -> dict[str, float]:
    """Zipf's law: the second letter is half as frequent as the first, and so on."""
    total = sum(1 / rank for rank in range(1, len(alphabet) + 1))
    return {letter: 1 / rank / total for rank, letter in enumerate(alphabet, 1)}


def _likelihood(letters: Counter[str], odds: dict[str, float]) -> float:
    return sum(
        count * (log(odds[letter]) if letter in odds else STRANGE_LETTER)
        for letter, count in letters.items()
    )


def _cost_of_places(word: str) -> float:
    """Cost of signs, and of letters where their language would not put them."""
    around = f" {word} "
    cost = STRANGE_PLACE * len(TILDE.findall(word))
    for before, character, after in zip(around, around[1:], around[2:], strict=False):
        if character.isascii():
            continue
        if _is_special_letter(character):
            cost += _cost_of_letter(before, character, after)
        else:
            cost += _cost_of_sign(before, character, after)
    return cost


def _cost_of_letter(before: str, letter: str, after: str) -> float:
    if before.isdigit() or after.isdigit():
        return STRANGE_PLACE
    # German writes ß also between capitals.
    changes = before.islower() and letter.isupper()
    changes |= letter.islower() and after.isupper() and letter != "ß"
    return CASE_CHANGE if changes else 0.0


def _cost_of_sign(before: str, sign: str, after: str) -> float:
    if unicodedata.category(sign) in ("Cc", "Cn") or sign == "\ufffd":
        return NO_CHARACTER
    if ord(sign) in BOX_DRAWING or (before.isalpha() and after.isalpha() and sign not in JOINING):
        return SIGN_IN_WORD
    usual = sign in (OPENING if after.isalpha() else SIGNS)
    return SIGN_BESIDE_WORD if usual else STRANGE_SIGN
