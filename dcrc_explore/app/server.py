"""The process behind the command: JupyterLab or Voila, which ends when the command ends, however that happens."""

from __future__ import annotations

import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from dcrc_explore.app import warm
from dcrc_explore.app.course import page_settings

HOST = "127.0.0.1"
FOLDER = Path(__file__).parent
_GRACE = 20  # seconds that a server has for its goodbyes


def command(kind: str, port: int, folder: Path) -> list[str]:
    """Return the command line of a server: "lab" or "app", on a port, for a working folder.

    Nothing is imported from the working folder.

    Examples
    --------
    >>> command("app", 8888, Path("here"))[1:]
    ['-P', '-m', 'dcrc_explore.app.server', 'app', '8888', 'here']
    """
    return [sys.executable, "-P", "-m", "dcrc_explore.app.server", kind, str(port), str(folder)]


def headers(kind: str, port: int) -> dict[str, str]:
    """Return the headers of every page: nothing is loaded from, sent to or framed by another host.

    Both pages need scripts inside the page, and functions made from text. In JupyterLab a notebook may show pictures
    from elsewhere.
    """
    pictures = " https:" if kind == "lab" else ""
    policy = {
        "default-src": "'self'",
        "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": f"'self' data: blob:{pictures}",
        "media-src": "'self' blob:",
        "font-src": "'self' data:",
        "connect-src": f"'self' ws://{HOST}:{port} blob: data:",
        "worker-src": "'self' blob:",
        "frame-src": "'self' blob: data:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'self'",
    }
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Referrer-Policy": "no-referrer",
    }


def main(arguments: Sequence[str]) -> None:
    """Serve until stopped, or until the command that started this process is gone."""
    kind, port, folder = arguments
    _keep_from_the_log(os.environ["JUPYTER_TOKEN"])
    threading.Thread(target=_end_with_the_command, daemon=True).start()
    warm.start()
    # Jupyter's events could check addresses in foreign letters by this package, which takes more than a second to load.
    # No event has one, and without the package nothing else changes.
    sys.modules["rfc3987_syntax"] = None  # type: ignore[assignment]
    serve = _serve_lab if kind == "lab" else _serve_app
    serve(int(port), Path(folder))


def _keep_from_the_log(secret: str) -> None:
    """Write a word for a secret wherever it would be written into a log."""
    make = logging.getLogRecordFactory()

    def make_without(*arguments: Any, **fields: Any) -> logging.LogRecord:
        record = make(*arguments, **fields)
        with suppress(Exception):  # what can't be formatted is reported by the handler
            if secret in (text := record.getMessage()):
                record.msg, record.args = text.replace(secret, "[secret]"), ()
        return record

    logging.setLogRecordFactory(make_without)


def _end_with_the_command() -> None:
    """Wait for the end of the standard input, which the command holds open as long as it lives."""
    sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE)
    os._exit(1)


def _serve_lab(port: int, folder: Path) -> None:
    from jupyterlab.labapp import LabApp

    settings = {"headers": headers("lab", port), "page_config_data": {"dcrcExplore": page_settings(folder)}}
    LabApp.launch_instance(
        [
            *["--no-browser", f"--ServerApp.ip={HOST}", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"],
            *[f"--ServerApp.root_dir={folder}", "--ServerApp.allow_unauthenticated_access=False"],
            f"--ServerApp.tornado_settings={settings}",
            "--ServerApp.kernel_spec_manager_class=dcrc_explore.app.kernels.SafeKernelSpecs",
            "--IdentityProvider.login_handler_class=dcrc_explore.app.login.TokenHandler",
            "--IdentityProvider.logout_handler_class=dcrc_explore.app.login.SignedOutHandler",
            # As a part of JupyterLab, Voila would give away the pictures of the folder without a token.
            f"--ServerApp.jpserver_extensions={ {'voila.server_extension': False, 'voila': False} }",
            *["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"],
            # JupyterLab refuses root unless told; on loopback with a token that is as safe as the terminal it runs in.
            *(["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
        ]
    )


def _serve_app(port: int, folder: Path) -> None:
    from dcrc_explore.app.page import Page

    Page.launch_instance(
        [
            *[str(FOLDER / "explorer.ipynb"), "--no-browser", "--token", "--template=dcrc-explore"],
            *[f"--Voila.ip={HOST}", f"--port={port}", "--Voila.port_retries=0", f"--Voila.root_dir={FOLDER}"],
            "--VoilaConfiguration.http_keep_alive_timeout=600",
        ]
    )


if __name__ == "__main__":
    main(sys.argv[1:])
