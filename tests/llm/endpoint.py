"""A real HTTP server on loopback that speaks the chat completions protocol, well or badly."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Request = dict[str, Any]
Speak = Callable[[BaseHTTPRequestHandler, Request], None]


class ChatServer:
    """Answers each request as the next of its speakers does, the last of them for good."""

    def __init__(self, *speakers: Speak) -> None:
        self.asked: list[Request] = []
        self.released = threading.Event()
        self._speakers = speakers
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        chat = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                request |= {"path": self.path, "authorization": self.headers.get("Authorization")}
                chat.asked.append(request)
                place = min(len(chat.asked), len(chat._speakers)) - 1
                with suppress(BrokenPipeError, ConnectionResetError):
                    chat._speakers[place](self, request)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002
                pass

        return Handler

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def stop(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serving(*speakers: Speak) -> Iterator[ChatServer]:
    server = ChatServer(*speakers)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def saying(content: Any, finish: str = "stop") -> Speak:
    """A server whose model says this; an object is said as JSON."""
    text = content if isinstance(content, str) else json.dumps(content)
    return sending(json.dumps({"choices": [{"message": {"content": text}, "finish_reason": finish}]}))


def sending(body: str, status: int = 200, **headers: str) -> Speak:
    """A server that sends these bytes, whatever they are."""

    def speak(handler: BaseHTTPRequestHandler, _: Request) -> None:
        data = body.encode()
        handler.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return speak


def refusing_form(accepted: str | None, then: Speak) -> Speak:
    """A server that takes one form of answer only."""

    def speak(handler: BaseHTTPRequestHandler, request: Request) -> None:
        form = request.get("response_format", {}).get("type")
        (then if form == accepted else sending("{}", 400))(handler, request)

    return speak
