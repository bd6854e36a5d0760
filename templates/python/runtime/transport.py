# Requests over connections that are kept open.
#
#   HttpTransport()("https://example.com/rpc", {}, b"...", 5.0)  ->  (200, {...}, b"...")

from __future__ import annotations

import io
import os
import selectors
import socket
import ssl
import threading
import time
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from typing import Any, Callable, List, Mapping, Optional, Tuple, cast
from urllib.parse import urlsplit

from .errors import TransportError
from .streams import _Pieces


class HttpTransport:
    """Sends requests by http.client, over connections that are kept open.

    Redirects are not followed, and proxies of the environment are not used.
    """

    def __init__(
        self,
        ssl_context: Optional[ssl.SSLContext] = None,
        max_response_bytes: int = 64 * 1024 * 1024,
        idle: float = 4.0,
    ):
        self._ssl_context = ssl_context
        self._max_bytes = max_response_bytes
        self._idle = idle
        self._free: List[Tuple[Tuple[str, str], float, HTTPConnection]] = []
        self._lock = threading.Lock()
        self._process = os.getpid()

    def __call__(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        timeout: Optional[float],
    ) -> Tuple[int, Mapping[str, str], bytes]:
        end = None if timeout is None else time.monotonic() + timeout
        scheme, host, path, query, _ = urlsplit(url)
        target = (path or "/") + (f"?{query}" if query else "")
        connection = self._take((scheme, host))

        def respond(*args: Any, **kwargs: Any) -> HTTPResponse:
            return _TimedResponse(end, *args, **kwargs)

        try:
            connection.timeout = timeout
            connection.response_class = cast("Any", respond)
            if connection.sock is None:
                connection.connect()
            _limit(cast("socket.socket", connection.sock), end)
            connection.request("POST", target, body, dict(headers))
            response = connection.getresponse()
            data = self._read(response)
            if response.will_close:
                connection.close()
            else:
                self._keep((scheme, host), connection)
            return response.status, dict(response.getheaders()), data
        except BaseException:
            connection.close()
            raise

    # Of clients that have subscriptions:

    def stream(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        timeout: Optional[float],
        opened: Optional[Callable[[_Pieces], None]] = None,
    ) -> Tuple[int, Mapping[str, str], _Pieces]:
        """Sends a request, and returns the body in pieces, as they come.

        'timeout' is how long nothing may come. 'opened' gets the pieces before the
        request is sent; to close them ends it.
        """
        scheme, host, path, query, _ = urlsplit(url)
        target = (path or "/") + (f"?{query}" if query else "")
        pieces = _Pieces(self._take((scheme, host)), self._max_bytes)
        if opened is not None:
            opened(pieces)
        response = pieces.open(target, headers, body, timeout)
        return response.status, dict(response.getheaders()), pieces

    # Of all clients:

    def close(self) -> None:
        """Closes the connections that are not in use."""
        with self._lock:
            free, self._free = self._free, []
        for _, _, connection in free:
            connection.close()

    def _take(self, to: Tuple[str, str]) -> HTTPConnection:
        now = time.monotonic()
        with self._lock:
            if self._process != os.getpid():
                # The connections are those of the process that was forked.
                self._free, self._process = [], os.getpid()
            old = [each for each in self._free if now - each[1] > self._idle]
            self._free = [each for each in self._free if each not in old]
            mine = [each for each in self._free if each[0] == to]
            if mine:
                self._free.remove(mine[-1])
        for _, _, connection in old:
            connection.close()
        if mine:
            connection = mine[-1][2]
            if not _is_readable(connection.sock):
                return connection
            # The server has closed it.
            connection.close()
        if to[0] == "https":
            context = self._ssl_context or ssl.create_default_context()
            return HTTPSConnection(to[1], context=context)
        return HTTPConnection(to[1])

    def _keep(self, to: Tuple[str, str], connection: HTTPConnection) -> None:
        with self._lock:
            self._free.append((to, time.monotonic(), connection))

    def _read(self, response: HTTPResponse) -> bytes:
        # None if the response is sent in chunks, or ends with its connection.
        expected = response.length
        chunks: List[bytes] = []
        size = 0
        while expected is None or size < expected:
            chunk = response.read1(65536)
            size += len(chunk)
            if size > self._max_bytes:
                reason = f"the response exceeds {self._max_bytes} bytes"
                raise TransportError(reason, response.status)
            if not chunk:
                break
            chunks.append(chunk)
        if expected is not None and size < expected:
            raise TransportError(f"the response ends after {size} of {expected} bytes")
        response.close()
        return b"".join(chunks)


class _FinalResponse(HTTPResponse):
    """A response without those before it: http.client skips 100 alone, and not 103.

    Its connection is kept, where the next call would get the response to this one.
    """

    def begin(self) -> None:
        super().begin()
        while self.status < 200:
            self.headers = self.msg = cast("Any", None)
            super().begin()


class _TimedResponse(_FinalResponse):
    """A response that is read until a time, its head and the sizes of chunks too."""

    def __init__(
        self, end: Optional[float], sock: socket.socket, *args: Any, **kwargs: Any
    ):
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Limited(self.fp.detach(), sock, end))


class _Limited(io.RawIOBase):
    """What a socket receives until a time. Its own timeout is that of one piece."""

    def __init__(self, raw: io.RawIOBase, sock: socket.socket, end: Optional[float]):
        self._raw, self._sock, self._end = raw, sock, end

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> Optional[int]:
        _limit(self._sock, self._end)
        return self._raw.readinto(into)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _limit(sock: socket.socket, end: Optional[float]) -> None:
    if end is not None:
        left = end - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        sock.settimeout(left)
    else:
        sock.settimeout(None)


def _is_readable(sock: Optional[socket.socket]) -> bool:
    if sock is None:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(0))
