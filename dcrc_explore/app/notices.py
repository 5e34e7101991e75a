"""Small pages of ours: the server starts, a link lacks its token, something went wrong."""

from __future__ import annotations

import html

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 12vh auto; max-width: 34rem; padding: 0 1.5rem; font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; }
code { font-size: 0.9em; }
input, button { font: inherit; padding: 0.3rem 0.6rem; }
"""


def notice(title: str, *paragraphs: str, refresh: str = "") -> str:
    """Return a page with a title, which is text, and paragraphs, which are HTML.

    ``refresh`` is after how many seconds the page is loaded again, perhaps from where: "1" or "0; url=...".

    Examples
    --------
    >>> "<h1>A &amp; B</h1><p>Reload.</p>" in notice("A & B", "Reload.")
    True
    """
    again = f'<meta http-equiv="refresh" content="{html.escape(refresh)}">' if refresh else ""
    words = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"{again}<title>{html.escape(title)} - DCRC Explorer</title><style>{_STYLE}</style>"
        f"<h1>{html.escape(title)}</h1>{words}</html>\n"
    )
