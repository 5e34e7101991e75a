"""A language model over a local server that speaks the protocol: answers, errors, limits, nonsense, slowness."""

import base64
import copy
import json
import pickle
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from dcrc_explore import Answer
from dcrc_explore.annotators import CallFailed, FunctionAnnotator
from dcrc_explore.annotators.language_model import LanguageModel, parsed

KEY = "sk-very-secret-7"
TEXTS = ["a fox", "a wolf", "a hen", "a duck"]
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)


def completion(text):
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()


class Service:
    """A server that gives prepared replies, (status, headers, body), in turn, the last one for ever."""

    def __init__(self):
        self.replies, self.requests = [(200, {}, completion("yes"))], []
        self.released = threading.Event()
        self.reason, self.portion = None, 10**6  # the words of the status, and how much of a reply comes at once
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.requests.append((self.path, dict(self.headers), body))
                reply = service.replies.pop(0) if len(service.replies) > 1 else service.replies[0]
                if reply is None:  # slow
                    service.released.wait(30)
                    reply = (200, {}, completion("yes"))
                status, headers, content = reply
                self.send_response(status, service.reason)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                for begin in range(0, len(content), service.portion):
                    self.wfile.write(content[begin : begin + service.portion])
                    if service.portion < len(content) and service.released.wait(0.05):
                        break

            def log_message(self, *args):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def close(self):
        self.released.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def service():
    service = Service()
    yield service
    service.close()


@pytest.fixture
def model(service):
    return LanguageModel(service.url, "small", key=KEY, timeout=10)


def test_three_texts_are_asked_about_and_the_answer_is_read(service, model):
    service.replies = [(200, {}, completion(text)) for text in ("Yes.", "no", "Don\u2019t know", "dnk")]
    annotator = FunctionAnnotator(model, TEXTS, concurrency=1)
    collected = annotator.ask([(0, 1, 2), (2, 0, 3), (3, 1, 0), (1, 2, 3)])
    assert collected.triplets.answers.tolist() == [1, -1, 0, 0]
    assert annotator.name == "small"
    path, headers, body = service.requests[0]
    assert path == "/v1/chat/completions"
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert body["model"] == "small"
    assert body["temperature"] == 0
    assert body["messages"][1] == {"role": "user", "content": "A: a fox\n\nB: a wolf\n\nC: a hen"}


def test_images_and_rows_are_sent_as_such(service, model):
    assert model.answer(PNG, {"height": 3, "kind": "oak"}, [1.5, 2.0]) is Answer.YES
    content = service.requests[0][2]["messages"][1]["content"]
    assert content[1] == {
        "type": "image_url",
        "image_url": {"url": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"},
    }
    assert [part["text"] for part in content if part["type"] == "text"] == [
        "A:",
        "B: height = 3, kind = oak",
        "C: 1.5, 2.0",
    ]


def test_bytes_that_are_no_image_are_not_sent(service, model):
    with pytest.raises(CallFailed, match="must be a PNG, JPEG, GIF or WebP image, got"):
        model.answer(b"secret", "b", "c")
    assert service.requests == []


@pytest.mark.parametrize("text", ["", "Yes, because", "yes or no", "maybe", "yes no", "I don't know", "nope"])
def test_an_answer_is_read_strictly(text):
    with pytest.raises(CallFailed, match="must be yes, no or don't know, got"):
        parsed(text)


@pytest.mark.parametrize("text", ["yes", " YES\n", "Yes.", '"yes"', "**Yes**", "`yes`"])
def test_marks_around_an_answer_do_not_matter(text):
    assert parsed(text) is Answer.YES


def test_a_rate_limit_is_waited_for_as_long_as_it_says(service, model):
    service.replies = [(429, {"Retry-After": "0"}, b"slow down"), (200, {}, completion("no"))]
    collected = FunctionAnnotator(model, TEXTS, backoff=1000).ask([(0, 1, 2)])
    assert (collected.replies[0].answer, collected.replies[0].tries) == (Answer.NO, 2)
    service.replies = [(429, {"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, b""), (200, {}, completion("no"))]
    assert len(FunctionAnnotator(model, TEXTS, backoff=1000).ask([(0, 1, 2)]).triplets) == 1


@pytest.mark.parametrize(
    "reply",
    [
        (500, {}, b"oops"),
        (200, {}, b"<html>"),
        (200, {}, b"{}"),
        (200, {}, json.dumps({"choices": []}).encode()),
        (200, {}, completion(None)),
        (200, {}, completion("as a language model, I can't")),
        (200, {}, b"x" * 2_000_000),
    ],
    ids=["error", "html", "empty", "no choice", "no text", "nonsense", "endless"],
)
def test_what_is_no_answer_is_tried_again_and_never_counted(service, model, reply):
    service.replies = [reply, (200, {}, completion("yes"))]
    assert FunctionAnnotator(model, TEXTS, backoff=0).ask([(0, 1, 2)]).replies[0].tries == 2
    service.replies = [reply]
    collected = FunctionAnnotator(model, TEXTS, backoff=0, retries=1).ask([(0, 1, 2)])
    assert len(collected.triplets) == 0
    assert len(collected.failures) == 1


def test_a_wrong_key_ends_the_run_and_is_not_repeated(service, model):
    service.replies = [(401, {}, f"Incorrect API key provided: {KEY}".encode())]
    collected = FunctionAnnotator(model, TEXTS, concurrency=1).ask([(0, 1, 2), (1, 2, 3)])
    assert len(service.requests) == 1
    assert collected.failures[0].error == "the service answered 401 Unauthorized: Incorrect API key provided: ***"


def test_a_slow_answer_is_given_up(service):
    service.replies = [None]
    model = LanguageModel(service.url, "small", timeout=0.1)
    collected = FunctionAnnotator(model, TEXTS, retries=0).ask([(0, 1, 2)])
    service.released.set()
    assert collected.failures[0].error == "no answer within 0.1 seconds"


def test_a_reply_that_drips_is_given_up_after_the_same_time(service):
    service.portion = 1
    begin = time.monotonic()
    with pytest.raises(CallFailed, match=r"no answer within 0.2 seconds"):
        LanguageModel(service.url, "small", timeout=0.2).answer("a", "b", "c")
    assert time.monotonic() - begin < 2  # all of it would take 3 seconds


def test_a_service_that_is_not_there_ends_the_run(service):
    service.server.server_close()
    model = LanguageModel(service.url, "small", timeout=5)
    with pytest.raises(CallFailed, match=r"127.0.0.1:\d+ cannot be reached"):
        model.answer("a", "b", "c")
    collected = FunctionAnnotator(model, TEXTS, concurrency=1, backoff=30).ask([(0, 1, 2), (1, 2, 3), (0, 2, 3)])
    assert [reply.tries for reply in collected.replies] == [1]


def test_a_key_is_never_shown_whatever_a_service_repeats(service, model):
    service.reason = f"Bad {KEY}"
    bodies = (KEY, json.dumps({"choices": [{"message": {"content": [KEY]}}]}), completion(KEY).decode())
    for status in (200, 400, 401, 500):
        for body in bodies:
            service.replies = [(status, {"Retry-After": KEY}, body.encode())]
            collected = FunctionAnnotator(model, TEXTS, retries=0).ask([(0, 1, 2)])
            assert collected.failures
            assert KEY not in repr(collected) + collected.failures[0].error


@pytest.mark.parametrize("before", range(2000 - len(KEY), 2001))
def test_no_part_of_a_key_is_shown_where_a_long_reply_is_cut(service, model, before):
    service.replies = [(400, {}, (" " * before + KEY * 2).encode())]
    with pytest.raises(CallFailed) as refused:
        model.answer("a", "b", "c")
    assert KEY[:3] not in str(refused.value)


def test_a_key_with_a_line_end_is_sent_without_it_and_an_odd_one_is_refused_unseen(service):
    LanguageModel(service.url, "small", key=f"{KEY}\n").answer("a", "b", "c")
    assert service.requests[-1][1]["Authorization"] == f"Bearer {KEY}"
    for odd in (f"{KEY}\nX-Other: 1", f"{KEY}\x00", f"{KEY}é", f"{KEY} {KEY}"):
        with pytest.raises(ValueError, match="a key must be one word of ASCII characters") as refused:
            LanguageModel(service.url, "small", key=odd)
        assert KEY not in str(refused.value)


def test_a_key_that_is_set_later_goes_to_no_other_machine_without_encryption(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = LanguageModel("http://192.0.2.1/v1", "small", timeout=5)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with pytest.raises(CallFailed, match="only over https") as refused:
        model.answer("a", "b", "c")
    assert not refused.value.retry


def test_a_proxy_never_sees_a_key_that_is_not_encrypted(service, monkeypatch):
    proxy = Service()
    monkeypatch.setenv("http_proxy", proxy.url)
    monkeypatch.delenv("no_proxy", raising=False)
    LanguageModel(service.url, "small", key=KEY, timeout=5).answer("a", "b", "c")
    assert (len(service.requests), proxy.requests) == (1, [])
    proxy.close()


def test_the_key_goes_nowhere_else(service, model, monkeypatch):
    other = Service()
    service.replies = [(307, {"Location": f"{other.url}/chat/completions"}, b"")]
    with pytest.raises(CallFailed, match="answered 307"):
        model.answer("a", "b", "c")
    assert other.requests == []
    other.close()
    annotator = FunctionAnnotator(model, TEXTS)
    shown = [repr(model), str(vars(model)), repr(annotator), model.sends, str(annotator.cache)]
    assert not [text for text in shown if KEY in text]
    for store in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="cannot be stored"):
            store(model)


def test_the_key_is_read_from_the_environment_for_each_call(service, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = LanguageModel(service.url, "small", key_variable="MY_KEY")
    model.answer("a", "b", "c")
    assert "Authorization" not in service.requests[-1][1]
    monkeypatch.setenv("MY_KEY", KEY)
    model.answer("a", "b", "c")
    assert service.requests[-1][1]["Authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("file:///etc/passwd", "url must be an address that begins with http"),
        ("localhost:1234", "url must be an address that begins with http"),
        ("https://me:word@example.org/v1", "url must hold no user, password or query"),
        ("http://example.org/v1", "only over https"),
    ],
)
def test_addresses_that_would_leak_are_refused(url, message):
    with pytest.raises(ValueError, match=message):
        LanguageModel(url, "small", key=KEY)
