# Subscriptions over server-sent events, of clients that have some:
#
#   for item in client.ticks("XAU"): ...

from __future__ import annotations

import json
import os
import re
import socket
import threading
from contextlib import closing, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Generator,
    Generic,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Tuple,
    cast,
)

from .calls import (
    _RETRYABLE,
    _by_id,
    _Core,
    _delay,
    _message,
    _outcome,
    _Recorder,
    _replies,
    _Request,
    _request,
    _retry_after,
)
from .errors import _T, RpcError, RpcTimeout, TransportError
from .transport import HttpTransport, _FinalResponse
from .values import _ANY, _convert

if TYPE_CHECKING:
    from typing_extensions import Self

_EVENTS = "text/event-stream"


class Stream(Generic[_T]):
    """The items of a subscription: 'for item in client.ticks("XAU")'.

    The call is sent when the first item is requested. If the connection is lost, it is
    sent again with the id of the last event, and no item is missed; without an id a
    TransportError is raised. 'close', or the end of 'with', ends the subscription.
    """

    def __init__(self, core: _Core, method: str, *args: Any):
        if isinstance(core, _Recorder):
            reason = "a stream cannot be in a batch, nor be a notification"
            raise TypeError(f"{method}: {reason}")
        request = _request(method, args, {})
        self._reading = _Reading()
        self._items: Generator[_T, None, None] = _items(core, request, self._reading)
        with core.streams_lock:
            core.streams.add(self)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> _T:
        try:
            if not self._reading.is_ended.is_set():
                return next(self._items)
            self._items.close()
        except Exception:
            if not self._reading.is_ended.is_set():
                raise
        raise StopIteration

    def close(self) -> None:
        """Ends the subscription, and a 'next' of another thread that waits."""
        self._reading.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Reading:
    """What a stream and its generator share: a generator that runs cannot be closed."""

    def __init__(self) -> None:
        self.is_ended = threading.Event()
        self.count = 0
        #: The seconds that the last response requires before the next request.
        self.after = 0.0
        self._chunks: object = None

    def open(self, chunks: object) -> None:
        """Keeps what 'end' closes: the response that is read next."""
        self._chunks = chunks
        if self.is_ended.is_set():
            _close(chunks)

    def end(self) -> None:
        self.is_ended.set()
        _close(self._chunks)

    def lost(self, core: _Core, error: Exception) -> TransportError:
        """The error for what reading the response has raised."""
        received = f"(items received: {self.count})"
        if isinstance(error, (TimeoutError, socket.timeout)):
            reason = f"nothing came within {core.timeout} s {received}"
            return RpcTimeout(f"{core.url}: {reason}")
        reason = str(error) or type(error).__name__
        return TransportError(f"{core.url}: the stream was lost {received}: {reason}")


def _close(chunks: object) -> None:
    """Closes an iterator of a transport, if it can be; a generator that runs cannot."""
    close = getattr(chunks, "close", None)
    if callable(close):
        with suppress(Exception):
            close()


def _items(
    core: _Core, request: _Request, reading: _Reading
) -> Generator[Any, None, None]:
    last: Optional[bytes] = None
    base, failures, has_begun = core.retry.base, 0, False
    while True:
        try:
            with closing(_events(core, request, last, reading)) as events:
                for event in events:
                    has_begun = True
                    last = last if event.id is None else event.id or None
                    base = base if event.retry is None else event.retry
                    if event.data is None:
                        continue
                    failures = 0
                    reply = _replies(core.url, 200, event.data)
                    if not (isinstance(reply, dict) and "method" in reply):
                        _end(request, reply, 200, event.data)
                        return
                    params: Any = cast("Dict[str, Any]", reply).get("params")
                    is_dict = isinstance(params, dict)
                    known = cast("Dict[str, Any]", params if is_dict else {})
                    item: Any = known.get("result")
                    of, method = request.result, request.method
                    value = _convert(of, item, False, method, ["item"])
                    reading.count += 1
                    yield value
            reason = "the stream ended before its last event"
            received = f"(items received: {reading.count})"
            raise TransportError(f"{core.url}: {reason} {received}")
        except (TransportError, RpcError) as error:
            is_lost = error.status in _RETRYABLE
            may_resume = has_begun and last is not None and is_lost
            if not may_resume or failures >= core.retry.attempts:
                raise
        delay = _delay(base, max(core.retry.longest, base), failures)
        failures += 1
        if reading.is_ended.wait(max(delay, reading.after)):
            return


def _end(request: _Request, reply: Any, status: int, text: bytes) -> None:
    """Raises the error of the response to a call, if it is one."""
    any_ = _Request(request.method, request.params, _ANY, False)
    outcome = _outcome(any_, 1, _by_id(reply), status, text)
    if isinstance(outcome, Exception):
        raise outcome


@dataclass(frozen=True)
class _Event:
    """An event (WHATWG HTML section 9.2). Without data it is none."""

    id: Optional[bytes] = None
    retry: Optional[float] = None
    data: Optional[bytes] = None


def _events(
    core: _Core, request: _Request, last: Optional[bytes], reading: _Reading
) -> Generator[_Event, None, None]:
    """The events of one response; an empty one when it has begun."""
    headers = core.all_headers(f"{_EVENTS}, application/json")
    reading.after = 0.0
    if last is not None:
        headers["Last-Event-ID"] = last.decode("latin-1")
    body = json.dumps(_message(request, 1), allow_nan=False).encode("ascii")
    found: Any = getattr(core.transport, "stream", None)
    if not callable(found):
        raise TypeError("the transport has no method stream: a subscription needs it")
    is_ours = getattr(type(core.transport), "stream", None) is HttpTransport.stream
    more = (reading.open,) if is_ours else ()
    stream = cast("Callable[..., _Response]", found)
    try:
        status, received, chunks = stream(core.url, headers, body, core.timeout, *more)
    except TransportError:
        raise
    except Exception as error:
        raise core.failure(error) from error
    try:
        reading.open(chunks)
        reading.after = min(_retry_after(received), threading.TIMEOUT_MAX)
        kind = {name.lower(): value for name, value in received.items()}
        pieces = _received(core, chunks, reading)
        if not _is_stream(status, kind.get("content-type")):
            text = b"".join(pieces)
            _end(request, _replies(core.url, status, text), status, text)
            reason = f"{core.url}: the response is not a stream of events"
            raise TransportError(reason, status, text)
        yield _Event()
        yield from _parsed(pieces)
    finally:
        _close(chunks)


def _is_stream(status: int, kind: Optional[str]) -> bool:
    """True for a response with events. One of another status is an error."""
    name = (kind or "").partition(";")[0].strip().lower()
    return 200 <= status < 300 and name == _EVENTS


def _received(
    core: _Core, chunks: Iterable[bytes], reading: _Reading
) -> Iterator[bytes]:
    """What a transport receives. What it raises is a TransportError."""
    rest = iter(chunks)
    while not reading.is_ended.is_set():
        try:
            chunk = next(rest, None)
        except TransportError:
            raise
        except Exception as error:
            raise reading.lost(core, error) from error
        if chunk is None:
            return
        yield chunk


#: What 'stream' of a transport returns: the status, the headers, and the body.
_Response = Tuple[int, Mapping[str, str], Iterable[bytes]]


class _Pieces:
    """A response in pieces, as they come. Any thread may close it."""

    def __init__(self, connection: HTTPConnection, max_bytes: int):
        self._connection, self._max_bytes = connection, max_bytes
        self._sock: Optional[socket.socket] = None
        self._response: Optional[HTTPResponse] = None
        self._size, self._end = 0, b""
        self._is_closed = False
        self._process = os.getpid()
        # Who has it uses the connection.
        self._lock = threading.Lock()

    def open(
        self,
        target: str,
        headers: Mapping[str, str],
        body: bytes,
        timeout: Optional[float],
    ) -> HTTPResponse:
        """Sends the request, and waits for the head of the response."""
        connection = self._connection
        try:
            with self._lock:
                connection.timeout = timeout
                connection.response_class = _FinalResponse
                if connection.sock is None:
                    connection.connect()
                self._sock = sock = cast("socket.socket", connection.sock)
                if self._is_closed:
                    raise TransportError("the stream was closed")
                sock.settimeout(timeout)
                connection.request("POST", target, body, dict(headers))
                self._response = response = connection.getresponse()
                return response
        except BaseException:
            self.close()
            raise

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        try:
            with self._lock:
                piece = b"" if self._is_closed else self._read()
        except BaseException:
            self.close()
            raise
        if self._is_closed or not piece:
            self.close()
            raise StopIteration
        return piece

    def _read(self) -> bytes:
        response = cast("HTTPResponse", self._response)
        piece = response.read1(65536)
        self._size += len(piece)
        if _is_stream(response.status, response.getheader("content-type")):
            # A blank line ends an event.
            read = self._end + piece
            at = max(read.rfind(end) for end in (b"\n\n", b"\r\r", b"\n\r"))
            self._size = self._size if at < 0 else len(read) - at
            self._end = read[-1:]
        if self._size > self._max_bytes:
            text = f"the response exceeds {self._max_bytes} bytes"
            raise TransportError(text, response.status)
        return piece

    def close(self) -> None:
        """Closes the connection, or makes the thread that waits for it do so."""
        self._is_closed = True
        sock = self._sock or cast("Optional[socket.socket]", self._connection.sock)
        # One of the process that was forked is still used there.
        if sock is not None and self._process == os.getpid():
            with suppress(OSError):
                # That of TLS would change what the other thread reads.
                socket.socket.shutdown(sock, socket.SHUT_RDWR)
        if self._lock.acquire(blocking=False):
            try:
                if self._response is not None:
                    self._response.close()
                self._connection.close()
            finally:
                self._lock.release()


def _parsed(chunks: Iterator[bytes]) -> Iterator[_Event]:
    id_: Optional[bytes] = None
    retry: Optional[float] = None
    data: List[bytes] = []
    for line in _lines(chunks):
        if not line:
            # Further blank lines end no event.
            if data or id_ is not None or retry is not None:
                yield _Event(id_, retry, b"\n".join(data) if data else None)
                id_, retry, data = None, None, []
            continue
        name, _, value = line.partition(b":")
        value = value[1:] if value.startswith(b" ") else value
        if name == b"data":
            data.append(value)
        elif name == b"id" and b"\0" not in value and len(value) <= 1024:
            id_ = value
        elif name == b"retry" and value.isdigit() and len(value) < 10:
            retry = int(value) / 1000


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Lines end with LF, CR, or both; the last one, if it does not end, is none."""
    pieces: List[bytes] = []
    is_first, is_after_cr = True, False
    for chunk in chunks:
        text = chunk[1:] if is_after_cr and chunk.startswith(b"\n") else chunk
        is_after_cr = chunk.endswith(b"\r") if chunk else is_after_cr
        *whole, rest = re.split(b"\r\n|\n|\r", text)
        for line in whole:
            joined = b"".join((*pieces, line))
            yield joined[3:] if is_first and joined[:3] == b"\xef\xbb\xbf" else joined
            pieces, is_first = [], False
        pieces.append(rest)
