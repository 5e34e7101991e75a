"""Every message between Python and the browser. ``static/protocol.js`` says the same there; a test compares the two.

`messages` has what the browser asks for, `sent` what comes with a picture, `numbers` what is asked for after it.
"""
