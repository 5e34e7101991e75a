"""What the door checks besides the code: names, origins; and the headers of every reply."""

from __future__ import annotations

import ipaddress
from base64 import b64encode
from collections.abc import Mapping, Sequence
from hashlib import sha256

_STYLE = """html{color-scheme:light dark}body{font:18px/1.5 system-ui,sans-serif;max-width:22rem;margin:15vh auto;
padding:0 1rem}label{display:block;margin-bottom:.4rem}
input,button{font:inherit;padding:.7rem .9rem;border-radius:12px;border:1px solid #8a939d;
width:100%;box-sizing:border-box}
button{margin-top:.7rem;background:#0b57d0;color:#fff;border:0;font-weight:600}p{color:#c62828;min-height:1.5em}
@media(prefers-color-scheme:dark){p{color:#ff8a80}}"""
DOOR_PAGE = f"""<!doctype html>
<html lang="{{lang}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{join}}</title><link rel="icon" href="data:,"><style>{_STYLE}</style></head>
<body><form action="/" method="get"><h1>{{join}}</h1>
<label for="code">{{code}}</label>
<input id="code" name="code" required maxlength="100" autocapitalize="none" autocomplete="off" autocorrect="off">
<button>{{join}}</button><p role="status">{{problem}}</p></form></body></html>
"""
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; "
        f"style-src 'self' 'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'; "
        "img-src 'self' data:; media-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "X-Robots-Tag": "noindex",
    "Cache-Control": "no-store",
}


def is_own_host(host: str, port: int, names: Sequence[str], *, anywhere: bool) -> bool:
    """Whether a request names this server: other sites cannot lead a browser here under a name of their own.

    An address in numbers is always ours, when the room is open to other machines: names can be redirected, numbers not.

    Examples
    --------
    >>> [is_own_host(host, 8900, [], anywhere=False) for host in ("127.0.0.1:8900", "evil.example:8900")]
    [True, False]
    >>> is_own_host("192.0.2.7:8900", 8900, [], anywhere=True)
    True
    """
    name, _, given = host.rpartition(":") if ":" in host.rpartition("]")[2] else (host, "", "80")
    name = name.lower()
    if name in names:
        return True
    if given != str(port):
        return False
    if name in ("localhost", "127.0.0.1", "[::1]"):
        return True
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return anywhere


def is_own_origin(method: str, headers: Mapping[str, str], host: str, names: Sequence[str]) -> bool:
    """Whether a request comes from our own page; whatever changes something must say where it comes from.

    Examples
    --------
    >>> is_own_origin("POST", {"Origin": "http://127.0.0.1:8900"}, "127.0.0.1:8900", [])
    True
    >>> is_own_origin("POST", {}, "127.0.0.1:8900", [])
    False
    """
    # A link on another page may lead here, as a QR code does; nothing else may.
    from_elsewhere = headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none")
    if from_elsewhere and (method != "GET" or headers.get("Sec-Fetch-Mode") != "navigate"):
        return False
    origin = headers.get("Origin")
    if origin is None:
        return method in ("GET", "HEAD")
    own = {f"http://{host}"} | {f"https://{host}" for _ in names} | {f"https://{name}" for name in names}
    return origin.lower() in {each.lower() for each in own}
