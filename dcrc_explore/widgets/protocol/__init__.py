"""Every message between Python and the browser. ``static/types.d.ts`` is written from it.

`messages` has what the browser asks for, `sent` what comes with a picture, `numbers` what is asked for after it.
"""
