"""The command ``dcrc-explore``: opens the tool in JupyterLab or as a page of its own, or runs an experiment."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from dcrc_explore import __version__
from dcrc_explore.app import server
from dcrc_explore.app.course import copy_notebooks
from dcrc_explore.app.notices import notice
from dcrc_explore.app.server import HOST
from dcrc_explore.storage import StoredFile, numbered

_PATIENCE = 60.0  # seconds until a server that does not listen is given up
_OPENED = 120.0  # seconds that a browser has to read the file that leads it to the page
# Commands with a module of their own, which takes long to load or needs more to be installed.
_ELSEWHERE = {
    "experiment": "dcrc_explore.experiments.cli",
    "scenes": "dcrc_explore.scenes.cli",
    "study": "dcrc_explore.room.study.cli",
}
_LOOK_AGAIN = 1  # seconds after which the browser reads that file again while the server starts


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status.

    Examples
    --------
    >>> try:
    ...     main(["--help"])
    ... except SystemExit:
    ...     pass
    usage: ...dcrc-explore [-h] [--app] [--port PORT] [--no-browser]...
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    name, *rest = words or [""]
    if name == "study" and importlib.util.find_spec("tornado") is None:
        return _fail("tornado is not installed: pip install 'dcrc-explore[room]'")
    if name in _ELSEWHERE:
        return importlib.import_module(_ELSEWHERE[name]).main(rest)
    if name in ("class", "page"):
        return _class(rest) if name == "class" else _page(rest)
    parser = argparse.ArgumentParser(
        "dcrc-explore",
        description="Explore clustering with relative constraints: opens JupyterLab on the first notebook.",
        epilog="Other commands: dcrc-explore experiment (the paper's comparisons), study (a user study), class (a "
        "class answers on phones), page (one file that needs no Python) and scenes (the list of scenes). Each explains "
        "itself with --help.",
    )
    parser.add_argument("--app", action="store_true", help="serve the tool alone, as a page without code (Voila)")
    parser.add_argument("--port", type=int, help="port to listen on; by default the first free one from 8888 on")
    parser.add_argument("--no-browser", action="store_true", help="only print the address, open no browser")
    parser.add_argument("--version", action="version", version=f"dcrc-explore {__version__}")
    options, unknown = parser.parse_known_args(words)
    if unknown:
        parser.error(f"there is no {unknown[0]!r}; commands are class, experiment, page, scenes and study")
    return _open(options.port, app=options.app, open_browser=not options.no_browser)


def _page(words: Sequence[str]) -> int:
    """Write the tool as one HTML file that needs neither Python nor a network."""
    parser = argparse.ArgumentParser(
        "dcrc-explore page",
        description="Write the tool as one HTML file: whoever opens it answers, and sees the clustering move, without "
        "Python and without a network.",
    )
    parser.add_argument("start", nargs="?", default="answers-pay", help="a scene, or a session file (%(default)s)")
    parser.add_argument("--to", type=Path, metavar="FILE", help="where to write it; a name that is taken gets a "
                        "number. FILE.mjs is a module for pages of MyST and marimo")  # fmt: skip
    options = parser.parse_args(words)
    from dcrc_explore.session import Session, SessionError  # takes long to load
    from dcrc_explore.widgets.livepage import live_module, live_page

    name, is_file = Path(options.start).stem, options.start.endswith(".json")
    write = live_module if options.to and options.to.suffix == ".mjs" else live_page
    try:
        page = write(Session.load(options.start, autosave=False)) if is_file else write(scene=options.start)
    except (SessionError, OSError) as error:
        return _fail(str(error))
    with StoredFile.create(options.to or Path(f"{name}.html"), page.encode()) as file:
        print(file.path)
    return 0


def _class(words: Sequence[str]) -> int:
    """Serve the tool as a page with a class opened."""
    parser = argparse.ArgumentParser(
        "dcrc-explore class",
        description="Let a class answer on phones: opens the lecture view with a QR code. With --file, a stopped "
        "class continues.",
    )
    parser.add_argument("data", nargs="?", default="emoji", help="name of a data set, or a folder of photos, texts or "
                        "sounds, or a table (%(default)s)")  # fmt: skip
    parser.add_argument("--host", default=HOST, help="address on which phones join; by default this machine only "
                        "(%(default)s). 0.0.0.0 lets in every device that reaches this machine, without encryption: "
                        "anyone with the code can answer, no one can read answers or files")  # fmt: skip
    parser.add_argument("--phones", type=int, metavar="PORT", help="port for phones; by default the first free one "
                        "from 8900 on")  # fmt: skip
    parser.add_argument(
        "--name", action="append", default=[], help="host name of a proxy with TLS in front of the phones"
    )
    parser.add_argument("--language", default="", help="what phones say, such as de; by default their browser decides")
    parser.add_argument("--file", type=Path, help="file of the class, continued when it exists; by default a new one")
    parser.add_argument("--port", type=int, help="port of the projector's page, which only this machine can open")
    parser.add_argument("--no-browser", action="store_true", help="only print the address, open no browser")
    options = parser.parse_args(words)
    missing = [name for name in ("tornado", "segno") if importlib.util.find_spec(name) is None]
    if missing:
        return _fail(f"{' and '.join(missing)} must be installed: pip install 'dcrc-explore[app,room]'")
    from dcrc_explore.room.wording import languages  # takes long to load

    if options.language and options.language not in languages():
        return _fail(f"--language must be one of {', '.join(languages())}, got {options.language!r}")
    try:
        data = named_data(options.data)
    except ValueError as error:
        return _fail(str(error))
    name = Path(data).stem
    file = options.file or next(path for path in numbered(Path(f"{name}-class.jsonl")) if not path.exists())
    room = {"data": data, "file": str(file.absolute()), "host": options.host, "port": options.phones}
    environment = {"DCRC_EXPLORE_CLASS": json.dumps({**room, "names": options.name, "language": options.language})}
    return _open(options.port, app=True, open_browser=not options.no_browser, more=environment)


def named_data(text: str) -> str:
    """Return the name of a data set, which may be called as on the screen, or a path; ValueError when there is neither.

    Examples
    --------
    >>> named_data("Small digits"), named_data("emoji")
    ('digits-8x8', 'emoji')
    """
    from dcrc_explore.datasets import list_datasets, list_real_datasets  # takes long to load

    known = {name: spec.title for name, spec in list_datasets().items()}
    known |= {name: spec.title for name, spec in list_real_datasets().items() if spec.bundled}
    called = {each.casefold(): name for name, title in known.items() for each in (name, title)}
    if text.casefold() in called:
        return called[text.casefold()]
    if not Path(text).exists():
        raise ValueError(f"DATA must be a path or one of {', '.join(known)}: there is no {text!r}")
    return str(Path(text).absolute())


def _open(port: int | None, *, app: bool, open_browser: bool, more: Mapping[str, str] | None = None) -> int:
    """Start JupyterLab, or the tool as a page, with `more` in its environment."""
    needed = "voila" if app else "jupyterlab"
    if importlib.util.find_spec(needed) is None:
        return _fail(f"{needed} is not installed: pip install 'dcrc-explore[app]'")
    try:
        folder = Path.cwd()
    except FileNotFoundError:
        return _fail("the working folder does not exist any more: change to another one and start again")
    candidates = range(8888, 65536) if port is None else [port]
    reservation, chosen = next(((taken, port) for port in candidates if (taken := _reserve(port))), (None, 0))
    if reservation is None:
        return _fail(f"port {port} cannot be used: choose another with --port, or leave --port out")
    token = secrets.token_urlsafe(24)
    # The token travels in the environment: a command line can be read by everyone on the machine.
    environment = os.environ | {"JUPYTER_TOKEN": token} | dict(more or {})
    if app:
        paths = [str(server.FOLDER), *filter(None, [os.environ.get("JUPYTER_PATH")])]
        environment |= {"JUPYTER_PATH": os.pathsep.join(paths), "DCRC_EXPLORE_FOLDER": str(folder)}
        address = f"http://{HOST}:{chosen}/?token={token}"
    else:
        # Our extension, and no question about news before the first click; a user's own settings still count.
        for variable, place in (("JUPYTER_PATH", "lab"), ("JUPYTER_CONFIG_PATH", "config")):
            paths = [str(server.FOLDER / place), *filter(None, [os.environ.get(variable)])]
            environment[variable] = os.pathsep.join(paths)
        notebook = copy_notebooks(folder).relative_to(folder).as_posix()
        address = f"http://{HOST}:{chosen}/lab/tree/{notebook}?token={token}"
    command = server.command("app" if app else "lab", chosen, folder)
    with reservation:
        return _serve(command, environment, chosen, address, open_browser=open_browser)


def _serve(command: list[str], environment: dict[str, str], port: int, address: str, *, open_browser: bool) -> int:
    """Run a server until it ends or is stopped."""
    signal.signal(signal.SIGTERM, _interrupt)
    with tempfile.TemporaryFile() as log, tempfile.TemporaryDirectory(prefix="dcrc-explore-") as own:
        # In a process group of its own, so that Ctrl+C reaches us alone: JupyterLab would ask whether one is sure.
        # Its standard input ends when we do, by whatever cause, and the server then ends too. It runs in a folder of
        # ours: from the one it is started in, Jupyter would take settings, which are code.
        process = subprocess.Popen(
            command,
            cwd=server.FOLDER,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        print("Starting the server. This takes a few seconds.", file=sys.stderr, flush=True)
        # A file that only the user can read leads the browser to the page: a command line can be read by everyone.
        # It is shown at once, and read again until it knows the address.
        guide = Path(own) / "open.html" if open_browser else None
        try:
            if guide:
                words = "The server is starting. The tool opens here in a few seconds."
                _write(guide, notice("The DCRC Explorer is starting", words, refresh=f"{_LOOK_AGAIN}"))
                # Some browsers are waited for until they end.
                threading.Thread(target=webbrowser.open, args=[guide.as_uri()], daemon=True).start()
            if not _wait_until_listening(process, port):
                if guide:
                    _write(guide, notice("The server did not start", "The terminal shows why."))
                    time.sleep(2 * _LOOK_AGAIN)
                log.seek(0)
                return _fail(f"the server did not start:\n{log.read().decode(errors='replace')[-3000:]}")
            print(f"The Explorer is at {address}\nCtrl+C stops it.", flush=True)
            if guide:
                _write(guide, notice("The DCRC Explorer is ready", refresh=f"0; url={address}"))
                with suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=_OPENED)
                guide.unlink()
            return process.wait()
        except KeyboardInterrupt:
            return 0
        finally:
            _stop(process)


def _write(file: Path, text: str) -> None:
    """Write a file that only the user can read; a reader gets the old text or the new one, never a part."""
    new = file.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def _interrupt(*_: object) -> NoReturn:
    raise KeyboardInterrupt


def _stop(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_listening(process: subprocess.Popen[bytes], port: int) -> bool:
    deadline = time.monotonic() + _PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        try:
            socket.create_connection((HOST, port), timeout=1).close()
            return True
        except OSError:
            time.sleep(0.1)
    return False


def _reserve(port: int) -> socket.socket | None:
    """Return what keeps a port for this command, or None when the port is in use.

    The server binds it some seconds later. Until then it is kept by a socket for datagrams of the same number, so that
    two commands that start at once get two ports.
    """
    taken = socket.socket(type=socket.SOCK_DGRAM)
    try:
        taken.bind((HOST, port))
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((HOST, port))
    except (OSError, OverflowError):
        taken.close()
        return None
    return taken


def _fail(message: str) -> int:
    print(f"dcrc-explore: {message}", file=sys.stderr)
    return 1
