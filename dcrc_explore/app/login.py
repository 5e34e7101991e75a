"""Our pages for signing in and out: they ask for the token, and confirm that it is forgotten."""

from __future__ import annotations

import html
from typing import Any

from jupyter_server.auth.login import LoginFormHandler
from jupyter_server.auth.logout import LogoutHandler

from dcrc_explore.app.notices import notice

_LINK = (
    "The terminal in which <code>dcrc-explore</code> was started shows the whole link. "
    "It ends in <code>token=</code> and a row of letters. Open that link."
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


class SignedOutHandler(LogoutHandler):
    """Forgets that a browser has shown the token."""

    def render_template(self, name: str, **values: Any) -> str:
        """Return our page instead of the one that is asked for."""
        return notice("This browser is signed out", _LINK)
