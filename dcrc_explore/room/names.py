"""Names from outside and codes from inside: nicknames, cells of a table, the code of a room."""

from __future__ import annotations

import hmac
import re
import secrets
import unicodedata

LONGEST_NICKNAME = 24
# Short, easy to read aloud, hard to confuse, more than 128.
_WORDS = """
acorn agate alder amber anchor apple arrow aspen atlas aurora badge bamboo barley basil beach beacon birch bison blossom
bonfire breeze bridge bronze brook cactus camel canoe canyon carrot castle cedar cherry cliff clover cobalt comet copper
coral cotton cricket crown crystal dahlia daisy delta desert dolphin dragon eagle ember falcon feather fern finch fjord
flint forest fossil garden ginger glacier granite grape harbour hazel heron honey island ivory jasmine jungle juniper
kayak kiwi lagoon lantern lemon lily linen lotus magnet mango maple marble meadow melon mint mirror moss nectar oasis
ocean olive onyx orchid otter owl panda paper pearl pebble pepper pine planet plum poppy prairie quartz raven reef river
robin rocket saddle saffron sage sailor salmon shell silver sparrow spruce sunset tiger topaz tulip valley velvet violet
walnut willow winter zebra
""".split()  # noqa: SIM905 - a list of so many strings is hard to read


def new_code() -> str:
    """Return a new code for a room: four short words and a number, about 34 bits.

    Wrong codes are limited by :class:`Limits`: from one address, trying all of them takes 50 years.

    Examples
    --------
    >>> code = new_code()
    >>> code.count("-"), same_code(code.upper().replace("-", " "), code)
    (4, True)
    """
    words = [secrets.choice(_WORDS) for _ in range(4)]
    return "-".join([words[0], str(10 + secrets.randbelow(90)), *words[1:]])


def same_code(given: str, code: str) -> bool:
    """Compare a code with the right one in constant time; capitals and spaces do not matter.

    Examples
    --------
    >>> same_code("Kiwi 42 owl", "kiwi-42-owl"), same_code("kiwi-42-fox", "kiwi-42-owl")
    (True, False)
    """
    written = re.sub(r"[\s\-]+", "-", given.strip().lower())
    return hmac.compare_digest(written.encode(errors="replace"), code.lower().encode())


def nickname(text: object) -> str:
    r"""Return a nickname as plain text: one line, nothing invisible, at most 24 characters.

    The name of a guest without one, such as "guest 7", is nobody's nickname.

    Examples
    --------
    >>> nickname("  Ada\n\u202e Lovelace "), nickname(None), nickname("Guest 1")
    ('Ada Lovelace', '', '')
    """
    if not isinstance(text, str):
        return ""
    composed = unicodedata.normalize("NFC", text[:200])
    # Categories C: controls, directions, halves of characters and what nobody has defined.
    visible = "".join(" " if c.isspace() else c for c in composed if c.isspace() or unicodedata.category(c)[0] != "C")
    name = " ".join(visible.split())[:LONGEST_NICKNAME].strip()
    return "" if re.fullmatch(r"guest\W*\d*\W*", unicodedata.normalize("NFKC", name).casefold()) else name
