"""The address of a room as a picture that phones read."""

from __future__ import annotations

import io


def qr_svg(address: str) -> str:
    """Return an address as a QR code: an SVG element with a title for screen readers.

    Examples
    --------
    >>> qr_svg("http://192.0.2.7:8900/kiwi-42-owl")[:4]
    '<svg'
    """
    try:
        import segno
    except ImportError as error:
        raise ImportError('QR codes need segno: pip install "dcrc-explore[room]"') from error
    file, looks = io.BytesIO(), {"scale": 4, "dark": "#000", "light": "#fff", "title": f"QR code of {address}"}
    segno.make(address, error="m", micro=False).save(file, kind="svg", xmldecl=False, svgns=True, nl=False, **looks)
    return file.getvalue().decode()
