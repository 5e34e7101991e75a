"""The page on functions, language models and files: every example runs, against a server that speaks the protocol."""

import re
from pathlib import Path

from test_language_model import KEY, Service

PAGE = (Path(__file__).parents[1] / "notebooks" / "site" / "howto" / "answering.md").read_text(encoding="utf-8")


def test_every_example_runs_and_the_key_is_printed_nowhere(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.chdir(tmp_path)
    service = Service()
    try:
        names: dict[str, object] = {}
        for code in re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL):
            exec(compile(code.replace("http://localhost:11434/v1", service.url), "answering.md", "exec"), names)
    finally:
        service.close()
    said = capsys.readouterr()
    assert "Collected(20 replies: 20 answers, 0 skipped, 0 failed)" in said.out
    assert "Collected(10 replies: 10 answers, 0 skipped, 0 failed)" in said.out
    assert {headers["Authorization"] for _, headers, _ in service.requests} == {f"Bearer {KEY}"}
    assert KEY not in said.out + said.err
    kept = names["texts"].save(tmp_path / "texts.json").read_text()
    assert "llama3" in kept
    assert KEY not in kept
    assert KEY not in names["texts"].export.to_csv() + names["texts"].export.to_code()
