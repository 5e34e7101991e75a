"""From the command to the picture: how long it takes, and which part takes how much.

    python tests/benchmarks/start.py [--repeat 3]

prints for JupyterLab and for the page of its own, in seconds, when each thing was there: the first word in the browser,
the server, the page, the picture; the medians of some runs. Below stands what the parts cost one processor: the
imports of the command, of the server and of the kernel, and the first fit with its picture. The browser runs already.
"""

from __future__ import annotations

import argparse
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "browser"))
from live import CHROMIUM_OPTIONS, Tool, find_chromium, private_environment

COMMAND = "import sys; from dcrc_explore.cli import main; sys.exit(main(sys.argv[1:]))"
PARTS = {
    "command": "import dcrc_explore.cli",
    "server of JupyterLab": "import sys; sys.modules['rfc3987_syntax'] = None; import jupyterlab.labapp",
    "server of the page": "import sys; sys.modules['rfc3987_syntax'] = None; import dcrc_explore.app.page",
    "kernel": "import ipykernel.kernelapp, dcrc_explore.widgets",
    "first fit": "Explorer()",
}
BEFORE = {"first fit": "from dcrc_explore.widgets import Explorer"}


def processor_seconds(name: str) -> float:
    """What a part costs one processor, in a process of its own."""
    clock = f"import time\n{BEFORE.get(name, '')}\nbegan = time.process_time()\n"
    code = f"{clock}{PARTS[name]}\nprint(time.process_time() - began)"
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def moments(browser: Browser, *options: str) -> dict[str, float]:
    """Start the command and return the seconds until each thing was there."""
    with tempfile.TemporaryDirectory() as name:
        folder, seen = Path(name), Path(name) / "seen"
        (folder / "work").mkdir()
        environment = private_environment(folder) | {"BROWSER": f"touch {seen} %s"}
        began, began_at = time.monotonic(), time.time()
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", COMMAND, *options],
            cwd=folder / "work",
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            address = re.findall(r"http://\S+", process.stdout.readline())[0]
            server = time.monotonic() - began
            while not seen.exists():
                time.sleep(0.01)
            took = {"first word": seen.stat().st_mtime - began_at, "server": server}
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            tool = Tool(page, "start")
            page.goto(address, wait_until="commit")
            took["page"] = time.monotonic() - began
            tool.ready()
            took["picture"] = time.monotonic() - began
            page.close()
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
    return took


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3, help="runs of each")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_OPTIONS)
        for name, words in (("JupyterLab", []), ("page", ["--app"])):
            runs = [moments(browser, *words) for _ in range(options.repeat)]
            medians = {part: statistics.median(run[part] for run in runs) for part in runs[0]}
            print(
                f"{name:12}" + "".join(f"{part} {seconds:5.1f} s   " for part, seconds in medians.items()), flush=True
            )
        browser.close()
    for name in PARTS:
        seconds = statistics.median(processor_seconds(name) for _ in range(options.repeat))
        print(f"{name:22}{seconds:5.2f} s of one processor", flush=True)


if __name__ == "__main__":
    main()
