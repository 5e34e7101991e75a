"""The command dcrc-explore, run for real; what the pages show is in tests/browser."""

from __future__ import annotations

import asyncio
import hashlib
import html
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import psutil
import pytest
from jupyter_client import BlockingKernelClient
from jupyter_client.connect import write_connection_file
from tornado.httpclient import HTTPClientError, HTTPRequest
from tornado.websocket import websocket_connect

from dcrc_explore.app import warm
from dcrc_explore.app.course import FIRST_NOTEBOOK, copy_notebooks, live_code, page_settings, source
from dcrc_explore.cli import main, named_data
from dcrc_explore.datasets import list_datasets, list_real_datasets

# Without the folder that it is started in among the places of modules, as the installed command.
COMMAND = [sys.executable, "-P", "-c", "import sys; from dcrc_explore.cli import main; sys.exit(main(sys.argv[1:]))"]


def status(address: str | urllib.request.Request) -> int:
    """What a request is answered with; the page that asks for the token is a refusal."""
    try:
        with urllib.request.urlopen(address, timeout=60) as reply:
            return reply.status if "/login" not in reply.url else 403
    except urllib.error.HTTPError as error:
        return error.code


def started(folder: Path, *options: str, browser: Path | None = None) -> subprocess.Popen[str]:
    environment = os.environ | ({"BROWSER": f"{browser} %s"} if browser else {})
    return subprocess.Popen(
        [*COMMAND, *([] if browser else ["--no-browser"]), *options],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def running(folder: Path, *options: str, browser: Path | None = None) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command while it runs, and the address that it prints; at the end it is told to stop."""
    process = started(folder, *options, browser=browser)
    try:
        (address,) = re.findall(r"http://\S+", process.stdout.readline())
        yield process, address
    finally:
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors


@pytest.fixture(params=[[], ["--app"]], ids=["lab", "app"])
def options(request: pytest.FixtureRequest) -> list[str]:
    return request.param


# Everything that either server has, and what it may tell those without the token.
ROUTES = [
    *["/", "/lab", "/lab/tree/x", "/lab/api/settings", "/lab/api/workspaces", "/lab/extensions/x", "/tree", "/metrics"],
    *["/api/status", "/api/kernels", "/api/sessions", "/api/contents", "/api/contents/picture.png", "/api/terminals"],
    *[
        "/api/kernelspecs",
        "/api/config/notebook",
        "/api/nbconvert",
        "/nbconvert/html/x.ipynb",
        "/lsp/status",
        "/files/",
    ],
    *["/files/picture.png", "/view/picture.png", "/voila", "/voila/tree", "/voila/render/x.ipynb"],
    *["/voila/files/picture.png", "/voila/files/.hidden/picture.png", "/voila/files/explorer.ipynb"],
    *[
        "/voila/static/voila.js",
        "/voila/templates/lab/static/voila.js",
        "/voila/labextensions/x",
        "/voila/api/themes/x",
    ],
    *["/voila/api/contents/", "/voila/execution/a-b-c-d-e", "/picture.png", "/explorer.ipynb"],
]


@pytest.mark.slow
def test_serves_on_loopback_with_a_token_and_stops_cleanly(tmp_path: Path, options: list[str]) -> None:
    for picture in (tmp_path / "picture.png", tmp_path / ".hidden" / "picture.png"):
        picture.parent.mkdir(exist_ok=True)
        picture.write_bytes(b"a picture")
    with running(tmp_path, *options) as (process, address):
        assert address.startswith("http://127.0.0.1:")
        page, token = address.split("?token=")
        port = int(re.findall(r":(\d+)/", address)[0])
        server = f"http://127.0.0.1:{port}"
        assert status(address) == 200
        assert status(f"{page}?token=wrong") == 403
        assert {route for route in ROUTES if status(server + route) not in (403, 404)} == set()
        # With the token, the app serves its page and no file of any folder; JupyterLab has those of its folder.
        files = [route for route in ROUTES if route.endswith((".png", ".ipynb"))]
        served = {route for route in files if status(f"{server}{route}?token={token}") == 200}
        assert served == (
            set() if options else {"/files/picture.png", "/api/contents/picture.png", "/view/picture.png"}
        )
        # Nobody gets in by the websocket of a kernel either.
        upgrade = "GET /api/kernels/a-b-c-d-e/channels HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\n"
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(f"{upgrade}Upgrade: websocket\r\nSec-WebSocket-Key: eA==\r\n\r\n".encode())
            assert connection.recv(12) == b"HTTP/1.1 403"
        # On no other address of this machine, and the token on no command line.
        listening = set()
        for each in family(process):
            with suppress(psutil.NoSuchProcess):  # a short-lived one may have ended meanwhile
                listening |= {c.laddr.ip for c in each.net_connections() if c.laddr.port == port}
        assert listening == {"127.0.0.1"}
        assert not [p for p in psutil.process_iter(["cmdline"]) if token in str(p.info["cmdline"])]
        if sys.platform == "linux":  # where what the servers wrote can be looked at
            written = [Path(f"/proc/{p.pid}/fd/{n}").read_bytes() for p in family(process)[1:2] for n in (1, 2)]
            assert not [text for text in written if token.encode() in text]
        with urllib.request.urlopen(address, timeout=60) as reply:
            assert reply.headers["Referrer-Policy"] == "no-referrer"
            policy = dict(one.strip().split(" ", 1) for one in reply.headers["Content-Security-Policy"].split(";"))
        assert policy["default-src"] == policy["frame-ancestors"] == "'self'"
        assert policy["object-src"] == "'none'"
    assert process.returncode == 0
    with pytest.raises(OSError, match="refused"):
        socket.create_connection(("127.0.0.1", port), timeout=5)


@pytest.mark.slow
def test_nobody_is_served_under_another_name(tmp_path: Path, options: list[str]) -> None:
    """A foreign page may let its own name point to this machine; even the token would not help it."""
    with running(tmp_path, *options) as (_, address):
        page, token = address.split("?token=")
        for host, expected in (("evil.example", 403), ("localhost", 200)):
            headers = {"Authorization": f"token {token}", "Host": host}
            assert status(urllib.request.Request(page, headers=headers)) == expected


def message(kind: str, content: dict[str, Any]) -> str:
    """A message to a kernel."""
    header = {"msg_id": kind, "msg_type": kind, "session": "s", "username": "", "version": "5.3", "date": ""}
    rest = {"channel": "shell", "parent_header": {}, "metadata": {}, "buffers": []}
    return json.dumps({"header": header, "content": content, **rest})


async def talk(channels: str, token: str, *messages: str) -> None:
    """Send messages to a kernel, and wait until it has dealt with them."""
    connection = await websocket_connect(HTTPRequest(channels, headers={"Authorization": f"token {token}"}))
    for each in (*messages, message("kernel_info_request", {})):
        await connection.write_message(each)
    while "kernel_info_reply" not in (await connection.read_message() or "kernel_info_reply is missing"):
        pass  # when that is answered, the code before it would have run
    connection.close()


@pytest.mark.slow
def test_whoever_has_the_page_of_the_app_runs_no_code_and_other_sites_do_not_reach_its_kernel(tmp_path: Path) -> None:
    with running(tmp_path, "--app") as (_, address):
        token, port = address.split("token=")[1], int(re.findall(r":(\d+)/", address)[0])
        visited = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies := CookieJar()))
        with visited.open(address, timeout=120) as reply:
            (kernel,) = set(re.findall(r'"kernelId": *"([-0-9a-f]+)"', reply.read().decode()))

        async def try_it() -> None:
            channels = f"ws://127.0.0.1:{port}/api/kernels/{kernel}/channels"
            # The page of another site, in a browser that has been let in.
            let_in = {"Cookie": "; ".join(f"{cookie.name}={cookie.value}" for cookie in cookies)}
            with pytest.raises(HTTPClientError, match="403"):
                await websocket_connect(HTTPRequest(channels, headers=let_in | {"Origin": "http://evil.example"}))
            own = await websocket_connect(
                HTTPRequest(channels, headers=let_in | {"Origin": f"http://127.0.0.1:{port}"})
            )
            own.close()
            code = f"open({str(tmp_path / 'ran')!r}, 'w').close()"
            await talk(channels, token, message("execute_request", {"code": code, "silent": False}))

        asyncio.run(try_it())
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
def test_no_page_ends_its_kernel_by_a_message(tmp_path: Path) -> None:
    """That takes a request of its own, which proves where it comes from."""
    with running(tmp_path, "--app") as (_, address):
        with urllib.request.urlopen(address, timeout=120) as reply:
            (kernel,) = set(re.findall(r'"kernelId": *"([-0-9a-f]+)"', reply.read().decode()))
        server, token = address.split("/?token=")
        channels = f"{server.replace('http', 'ws')}/api/kernels/{kernel}/channels"
        end = json.loads(message("shutdown_request", {"restart": False}))
        ways = [json.dumps(end | {"channel": channel}) for channel in ("shell", "control")]
        asyncio.run(asyncio.wait_for(talk(channels, token, *ways), 60))  # the kernel answers what comes after


def answer(address: str) -> tuple[int, str]:
    """The status and the text that a request is answered with."""
    try:
        with urllib.request.urlopen(address, timeout=120) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def kernels(process: subprocess.Popen[str]) -> list[psutil.Process]:
    return [each for each in family(process) if "ipykernel_launcher" in " ".join(each.cmdline())]


@pytest.mark.slow
def test_kernels_do_not_pile_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More pages than the limit get a page that says so; kernels that no page connects to end."""
    few = {"PageKernels": {"most_pages": 2, "connect_within": 3}}
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "voila.json").write_text(json.dumps(few))
    monkeypatch.setenv("JUPYTER_CONFIG_DIR", str(tmp_path / "config"))
    with running(tmp_path, "--app") as (process, address):
        with ThreadPoolExecutor(6) as at_once:
            answers = list(at_once.map(answer, [address] * 6))
        assert sorted(code for code, _ in answers) == [200, 200, 503, 503, 503, 503]
        refused = {text for code, text in answers if code == 503}
        assert len(refused) == 1
        assert "The limit is 2 open pages of the tool. Close one of them, then reload this page." in refused.pop()
        _, alive = psutil.wait_procs(kernels(process), timeout=60)
        assert not alive
        assert status(address) == 200


@pytest.mark.slow
def test_the_first_page_takes_the_kernel_that_waits_for_it(tmp_path: Path) -> None:
    with running(tmp_path, "--app") as (process, address):
        waiting = kernels(process)
        assert len(waiting) == 1
        assert answer(address)[0] == 200
        assert kernels(process) == waiting


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="on Windows no kernel waits")
def test_a_kernel_that_waited_is_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In its folder, with its environment, with figures that a notebook shows; another Python's is not taken."""
    monkeypatch.delenv("MPLBACKEND")
    file, _ = write_connection_file(str(tmp_path / "kernel.json"))
    command = [sys.executable, "-P", "-m", "ipykernel_launcher", "-f", file]
    warm.start()
    assert warm.take(["/usr/bin/another", *command[1:]], {}, "/") is None
    process = warm.take(command, {**os.environ, "WORD": "given"}, str(tmp_path))
    assert warm.take(command, {}, "/") is None  # there is one
    client = BlockingKernelClient(connection_file=file)
    client.load_connection_file()
    client.start_channels(hb=False)  # a heart that beats late on a busy machine is not a death
    printed: list[str] = []
    try:
        client.wait_for_ready(timeout=60)
        code = "import os, matplotlib, sys\nprint(os.getcwd(), os.environ['WORD'], matplotlib.get_backend(), __name__)"
        client.execute_interactive(
            code, output_hook=lambda said: printed.append(said["content"].get("text", "")), timeout=60
        )
    finally:
        client.stop_channels()
        process.terminate()
        process.wait(timeout=60)
    folder, word, backend, module = "".join(printed).split()
    assert (Path(folder), word, module) == (tmp_path.resolve(), "given", "__main__")
    assert "inline" in backend


@pytest.mark.slow
def test_a_link_without_its_token_and_a_farewell_get_pages_of_ours(tmp_path: Path, options: list[str]) -> None:
    with running(tmp_path, *options) as (_, address):
        page, token = address.split("?token=")
        server = re.findall(r"http://[^/]+", address)[0]
        code, text = answer(f"{page}?data=blobs")
        assert code == 403
        assert "<h1>This link lacks its token</h1>" in text
        assert "Open that link." in text
        # Who enters the token gets the page that was wanted; who enters something else is asked again.
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with pytest.raises(urllib.error.HTTPError, match="403") as asked:
            browser.open(f"{page}?data=blobs", timeout=60)
        form = asked.value.read().decode()
        action = html.unescape(re.findall(r'action="([^"]+)"', form)[0])
        proof = re.findall(r'name="_xsrf" value="([^"]+)"', form)[0]
        for entered, expected in (("wrong", "This is not the token."), (token, "jupyter-config-data")):
            sent = urllib.parse.urlencode({"_xsrf": proof, "password": entered}).encode()
            try:
                with browser.open(server + action, sent, timeout=120) as reply:
                    text = reply.read().decode()
                    assert reply.url.endswith("?data=blobs")
            except urllib.error.HTTPError as error:
                text = error.read().decode()
            assert expected in text
        with browser.open(f"{server}/logout", timeout=60) as reply:
            assert "<h1>This browser is signed out</h1>" in reply.read().decode()
        with pytest.raises(urllib.error.HTTPError, match="403"):
            browser.open(page, timeout=60)


def family(process: subprocess.Popen[str]) -> list[psutil.Process]:
    return [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]


@pytest.mark.slow
def test_a_killed_command_takes_its_server_with_it(tmp_path: Path, options: list[str]) -> None:
    with running(tmp_path, *options) as (process, _):
        servers = family(process)[1:]
        assert servers
        process.kill()
        _, alive = psutil.wait_procs(servers, timeout=60)
        assert not alive


@pytest.mark.slow
def test_the_browser_is_led_by_a_file_that_only_the_user_can_read(tmp_path: Path) -> None:
    """A stand-in for the browser, which waits for the address, writes down its command line and what it was led to."""
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(
        f"#!{sys.executable}\n"
        "import json, os, pathlib, stat, sys, time, urllib.request\n"
        "path = pathlib.Path(urllib.request.url2pathname(sys.argv[1].removeprefix('file://')))\n"
        "first = path.read_text()\n"
        "while 'token=' not in path.read_text(): time.sleep(0.05)\n"
        "modes = [oct(stat.S_IMODE(p.stat().st_mode)) for p in (path, path.parent)]\n"
        "texts = [sys.argv[1], *modes, first, path.read_text()]\n"
        f"pathlib.Path({str(seen)!r} + '~').write_text(json.dumps(texts))\n"
        f"os.replace({str(seen)!r} + '~', {str(seen)!r})\n"
    )
    browser.chmod(0o700)
    with running(tmp_path, "--app", browser=browser) as (_, address):
        while not seen.exists():
            time.sleep(0.05)
        word, *modes, first, page = json.loads(seen.read_text())
        assert word.startswith("file://")
        assert address.split("token=")[1] not in word
        assert modes == ["0o600", "0o700"]
        assert "The DCRC Explorer is starting" in first  # shown at once
        assert f"url={address}" in page
    assert not Path(word.removeprefix("file://")).exists()


def test_a_deleted_folder_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    code = f"import os; os.chdir({str(folder)!r}); os.rmdir({str(folder)!r}); {COMMAND[-1]}"
    command = [sys.executable, "-P", "-c", code, "--no-browser"]  # as its script, it imports nothing from the folder
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "the working folder does not exist any more" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_two_commands_that_start_at_once_serve_each_their_own_page(tmp_path: Path) -> None:
    both = [started(tmp_path, "--app") for _ in range(2)]
    try:
        addresses = [re.findall(r"http://\S+", process.stdout.readline())[0] for process in both]
        assert [status(address) for address in addresses] == [200, 200]
    finally:
        for process in both:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)


def test_port_in_use_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["--port", str(port), "--no-browser"]) == 1
    assert f"port {port}" in capsys.readouterr().err
    assert main(["--port", "70000", "--no-browser"]) == 1


def test_notebooks_are_copied_once_and_never_overwritten(tmp_path: Path) -> None:
    first = copy_notebooks(tmp_path)
    assert first == tmp_path / "dcrc-notebooks" / FIRST_NOTEBOOK
    first.write_text("my own notes")
    assert copy_notebooks(tmp_path).read_text() == "my own notes"


def test_answers_saved_beside_the_notebooks_are_not_copied_with_them(tmp_path: Path) -> None:
    saved = source() / "somebody-answers.json"
    saved.write_text("{}")
    try:
        course = copy_notebooks(tmp_path).parent
    finally:
        saved.unlink()
    assert not list(course.glob("*.json"))
    assert list((course / "results").glob("*.json"))


def test_links_of_the_copied_course_lead_somewhere(tmp_path: Path) -> None:
    course = copy_notebooks(tmp_path).parent
    texts = {path: path.read_text(encoding="utf-8") for path in course.rglob("*.md")}
    for path in course.rglob("*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts[path] = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    links = [(path, link) for path, text in texts.items() for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)]
    assert len(links) > 100
    assert not [f"{path.name}: {link}" for path, link in links if not (path.parent / link).exists()]


def test_a_copy_of_the_sources_is_used_as_it_is(tmp_path):
    first = tmp_path / "notebooks" / FIRST_NOTEBOOK
    first.parent.mkdir()
    first.write_text("the course")
    assert copy_notebooks(tmp_path) == first
    assert not (tmp_path / "dcrc-notebooks").exists()


def test_only_code_as_we_wrote_it_runs_unasked(tmp_path: Path) -> None:
    copy_notebooks(tmp_path)
    settings = page_settings(tmp_path)
    assert (settings["folder"], settings["first"]) == ("dcrc-notebooks", FIRST_NOTEBOOK)
    assert settings["cells"] == [hashlib.sha256(code.encode()).hexdigest() for code in live_code()]
    assert len(settings["cells"]) == len(list((tmp_path / "dcrc-notebooks").glob("*.ipynb")))


@pytest.mark.parametrize(
    "name",
    ["numpy.py", "numpy.pyc", "measure.py", "numpy.abi3.so", "dcrc_explore/__init__.py", "dcrc_explore/__init__.pyc"],
)
def test_beside_foreign_modules_nothing_runs_unasked(tmp_path: Path, name: str) -> None:
    copy_notebooks(tmp_path)
    planted = tmp_path / "dcrc-notebooks" / name
    planted.parent.mkdir(exist_ok=True)
    planted.write_text("print('not numpy')")
    assert page_settings(tmp_path)["cells"] == []


PLANTED = "import pathlib; pathlib.Path({here!r}, 'ran').open('a').write(__file__ + '\\n')\n"
SETTINGS = ["voila.py", "jupyter_config.py", "jupyter_server_config.py", "jupyter_lab_config.py", "ipython_config.py"]
MODULES = ["ipykernel_launcher.py", "ipykernel.py", "sitecustomize.py", "numpy.py", "PIL.py", "dcrc_explore.py"]


@pytest.mark.slow
def test_nothing_that_lies_in_the_folder_is_run_or_decides_about_the_token(tmp_path: Path, options: list[str]) -> None:
    (tmp_path / "dcrc-notebooks").mkdir()
    for folder in (tmp_path, tmp_path / "dcrc-notebooks"):
        for name in [*SETTINGS, *MODULES]:
            (folder / name).write_text(PLANTED.format(here=str(tmp_path)))
        known = {"token": "known", "auto_token": False}
        for name in ("voila.json", "jupyter_config.json", "jupyter_server_config.json"):
            (folder / name).write_text(json.dumps({"Voila": known, "ServerApp": known, "IdentityProvider": known}))
    with running(tmp_path, *options) as (_, address):
        assert status(address) == 200
        assert status(re.sub("token=.*", "token=known", address)) != 200
        if not options:  # a kernel in the folder of the course
            wanted = {"path": "dcrc-notebooks/x.ipynb", "name": "x", "type": "notebook", "kernel": {"name": "python3"}}
            page, token = address.split("/lab/")[0], address.split("token=")[1]
            head = {"Authorization": f"token {token}", "Content-Type": "application/json"}
            request = urllib.request.Request(f"{page}/api/sessions", json.dumps(wanted).encode(), head)
            with urllib.request.urlopen(request, timeout=60) as reply:
                kernel = json.load(reply)["kernel"]["id"]
            asyncio.run(talk(f"{page.replace('http', 'ws')}/api/kernels/{kernel}/channels", token))
    assert not (tmp_path / "ran").exists(), (tmp_path / "ran").read_text()


def test_an_unknown_word_is_told_with_the_commands_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["photos/"])
    assert "there is no 'photos/'; commands are class, experiment, page, scenes and study" in capsys.readouterr().err


def test_a_class_takes_every_name_on_the_screen_and_lists_them_where_there_is_none_such(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for specs in (list_datasets(), {name: spec for name, spec in list_real_datasets().items() if spec.bundled}):
        assert {name: named_data(spec.title) for name, spec in specs.items()} == {name: name for name in specs}
    assert named_data(str(tmp_path)) == str(tmp_path)
    assert main(["class", "Smaller digits"]) == 1
    assert "one of close, far, " in (said := capsys.readouterr().err)
    assert "digits-8x8" in said


def test_experiments_are_run_by_the_same_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["experiment", "list"]) == 0
    assert "comparison" in capsys.readouterr().out
