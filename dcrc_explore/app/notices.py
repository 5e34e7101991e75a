"""Pages of ours where a server would show its own: a link without its token, a farewell, an error."""

from __future__ import annotations

import html
from typing import Any

from jupyter_server.auth.login import LoginFormHandler
from jupyter_server.auth.logout import LogoutHandler

_STYLE = """
:root { color-scheme: light dark; }
body { margin: 12vh auto; max-width: 34rem; padding: 0 1.5rem; font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; }
code { font-size: 0.9em; }
input, button { font: inherit; padding: 0.3rem 0.6rem; }
"""
_LINK = (
    "The terminal in which <code>dcrc-explore</code> was started shows the whole link. "
    "It ends in <code>token=</code> and a row of letters. Open that link."
)


def notice(title: str, *paragraphs: str) -> str:
    """Return a page with a title, which is text, and paragraphs, which are HTML.

    Examples
    --------
    >>> "<h1>A &amp; B</h1><p>Reload.</p>" in notice("A & B", "Reload.")
    True
    """
    words = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>{html.escape(title)} - DCRC Explorer</title><style>{_STYLE}</style>"
        f"<h1>{html.escape(title)}</h1>{words}</html>\n"
    )


class TokenHandler(LoginFormHandler):
    """Asks for the token."""

    def render_template(self, name: str, **values: Any) -> str:
        """Return our page instead of the login that is asked for."""
        if self.get_status() == 200:
            self.set_status(403)
        wrong = ["<strong>This is not the token.</strong>"] if values["message"] else []
        form = (
            f'<form action="{self.base_url}login?next={html.escape(values["next"])}" method="post">'
            f"{self.xsrf_form_html()}<label>Or enter the letters after <code>token=</code> here: "
            '<input name="password" type="password" autocomplete="off" required></label> <button>Open</button></form>'
        )
        return notice("This link lacks its token", *wrong, _LINK, form)


class FarewellHandler(LogoutHandler):
    """Forgets that a browser has shown the token."""

    def render_template(self, name: str, **values: Any) -> str:
        """Return our page instead of the one that is asked for."""
        return notice("This browser is signed out", _LINK)
