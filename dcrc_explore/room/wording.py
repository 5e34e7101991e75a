"""What phones read, in their language: one table of texts for each, in the folder `languages`."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Self

from dcrc_explore.values import one_of

ENGLISH = "en"


class Said(str):
    """A text of ours in English that knows how to say itself in other languages."""

    key: str
    values: dict[str, int]

    def __new__(cls, key: str, **values: int) -> Self:
        """Make the text of a key, with what is filled in."""
        said = super().__new__(cls, table(ENGLISH)[key].format(**values))
        said.key, said.values = key, values
        return said


def say(key: str, **values: int) -> str:
    """Return a text of the table that whoever reads it gets in their language.

    Examples
    --------
    >>> text = say("question_of", n=7, total=150)
    >>> text, in_language({"label": text}, "de")
    ('Question 7 of 150', {'label': 'Frage 7 von 150'})
    """
    return Said(key, **values)


def in_language(content: Any, language: str) -> Any:
    """Return what is sent with all texts of ours in a language; those of other people stay as they are."""
    if isinstance(content, Said):
        return table(language)[content.key].format(**content.values)
    if isinstance(content, dict):
        return {name: in_language(value, language) for name, value in content.items()}
    return [in_language(value, language) for value in content] if isinstance(content, list) else content


@cache
def languages() -> dict[str, str]:
    """Return the languages that there are: their codes with their own names.

    Examples
    --------
    >>> languages()["de"]
    'Deutsch'
    """
    names = sorted(file.name for file in (files("dcrc_explore.room") / "languages").iterdir())
    return {name.removesuffix(".toml"): _read(name)["language"] for name in names if name.endswith(".toml")}


def checked_language(code: str) -> str:
    """Return the code of a language, "" for that of each browser; ValueError for another one."""
    return code and one_of(languages()).checked(code, "language")


@cache
def table(language: str) -> dict[str, Any]:
    """Return the texts of a language by their keys; one with plurals is a dict by the names of Unicode CLDR."""
    return _read(f"{language}.toml")["texts"]


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((files("dcrc_explore.room") / "languages" / name).read_text(encoding="utf-8"))


def wished(header: str) -> str:
    """Return the language that a browser wants most, of those that there are.

    Examples
    --------
    >>> wished("da, pt-BR;q=0.8, en;q=0.7"), wished("")
    ('pt', 'en')
    """
    wishes = []
    for place, wish in enumerate(header[:500].split(",")):
        code, _, quality = wish.partition(";q=")
        try:
            wishes.append((-float(quality or 1), place, code.strip().lower().partition("-")[0]))
        except ValueError:
            continue
    return next((code for _, _, code in sorted(wishes) if code in languages()), ENGLISH)


def filled(html: str, language: str, **more: str) -> str:
    """Fill a page: `{lang}`, `{words}`, which is the whole table as JSON, and the texts whose keys stand in braces.

    Examples
    --------
    >>> filled('<p lang="{lang}">{yes} {what}</p>', "fr", what="<b>")
    '<p lang="fr">Oui &lt;b&gt;</p>'
    """
    words = {name: text for name, text in table(language).items() if isinstance(text, str)}
    for name, text in {**words, "lang": language, **more}.items():
        html = html.replace(f"{{{name}}}", escape(text))
    return html.replace("{words}", json.dumps(table(language), ensure_ascii=False).replace("<", "\\u003c"))
