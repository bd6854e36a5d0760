/** Subscriptions over server-sent events, of clients that have some. */
export const streamsPart = `_EVENTS = "text/event-stream"


class Stream(Generic[_T]):
    """The items of a subscription: 'for item in client.ticks("XAU")'.

    The call is sent when the first item is requested. If the connection is lost, it is
    sent again with the id of the last event, and no item is missed; without an id a
    TransportError is raised. 'close', or the end of 'with', ends the subscription.
    """

    def __init__(self, core: _Core, method: str, *args: Any):
        request = _request(method, args, {})
        self._items: Generator[_T, None, None] = _items(core, request)

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> _T:
        return next(self._items)

    def close(self) -> None:
        """Ends the subscription."""
        self._items.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _items(core: _Core, request: _Request) -> Generator[Any, None, None]:
    last: Optional[bytes] = None
    base, failures, has_begun = core.retry.base, 0, False
    while True:
        try:
            with closing(_events(core, request, last)) as events:
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
                    item = params.get("result") if isinstance(params, dict) else None
                    of, method = request.result, request.method
                    yield _convert(of, item, False, method, ["item"])
            raise TransportError(f"{core.url}: the stream ended before its last event")
        except TransportError as error:
            is_lost = error.status in (0, 429, 502, 503, 504)
            may_resume = has_begun and last is not None and is_lost
            if not may_resume or failures >= core.retry.attempts:
                raise
        delay = min(max(core.retry.longest, base), base * 2**failures)
        failures += 1
        time.sleep(delay * (1 - random.random() / 2))


def _end(request: _Request, reply: Any, status: int, text: bytes) -> None:
    """Raises the error of the response to a call, if it is one."""
    any_ = _Request(request.method, request.params, _ANY, False)
    outcome = _outcome(any_, 1, reply, status, text)
    if isinstance(outcome, Exception):
        raise outcome


@dataclass(frozen=True)
class _Event:
    """An event (WHATWG HTML section 9.2). Without data it is none."""

    id: Optional[bytes] = None
    retry: Optional[float] = None
    data: Optional[bytes] = None


def _events(
    core: _Core, request: _Request, last: Optional[bytes]
) -> Generator[_Event, None, None]:
    """The events of one response; an empty one when it has begun."""
    headers = core.all_headers(f"{_EVENTS}, application/json")
    if last is not None:
        headers["Last-Event-ID"] = last.decode("latin-1")
    body = json.dumps(_message(request, 1), allow_nan=False).encode("ascii")
    stream = getattr(core.transport, "stream", None)
    if not callable(stream):
        raise TypeError("the transport has no method stream: a subscription needs it")
    try:
        status, received, chunks = stream(core.url, headers, body, core.timeout)
        with closing(chunks):
            kind = {name.lower(): value for name, value in received.items()}
            if not kind.get("content-type", "").lower().startswith(_EVENTS):
                text = b"".join(chunks)
                _end(request, _replies(core.url, status, text), status, text)
                reason = f"{core.url}: the response is not a stream of events"
                raise TransportError(reason, status, text)
            yield _Event()
            yield from _parsed(chunks)
    except (TransportError, RpcError, RpcValueError):
        raise
    except Exception as error:
        raise core.failure(error) from error


def _parsed(chunks: Iterator[bytes]) -> Iterator[_Event]:
    id_: Optional[bytes] = None
    retry: Optional[float] = None
    data: List[bytes] = []
    for line in _lines(chunks):
        name, _, value = line.partition(b":")
        value = value[1:] if value.startswith(b" ") else value
        if not line:
            yield _Event(id_, retry, b"\\n".join(data) if data else None)
            id_, retry, data = None, None, []
        elif name == b"data":
            data.append(value)
        elif name == b"id" and b"\\0" not in value:
            id_ = value
        elif name == b"retry" and value.isdigit():
            retry = int(value) / 1000


def _lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Lines end with LF, CR, or both; the last one, if it does not end, is none."""
    pieces: List[bytes] = []
    held = b""
    is_first = True
    for chunk in chunks:
        text = held + chunk
        held = b"\\r" if text.endswith(b"\\r") else b""
        *whole, rest = re.split(b"\\r\\n|\\n|\\r", text[: len(text) - len(held)])
        for line in whole:
            joined = b"".join((*pieces, line))
            yield joined[3:] if is_first and joined[:3] == b"\\xef\\xbb\\xbf" else joined
            pieces, is_first = [], False
        pieces.append(rest)
`

/** A method of the transport, of clients that have subscriptions. */
export const streamMethod = `
    def stream(
        self,
        url: str,
        headers: Mapping[str, str],
        body: bytes,
        timeout: Optional[float],
    ) -> Tuple[int, Mapping[str, str], Generator[bytes, None, None]]:
        """Sends a request, and returns the body in pieces, as they come.

        'timeout' is how long nothing may come.
        """
        scheme, host, path, query, _ = urlsplit(url)
        target = (path or "/") + (f"?{query}" if query else "")
        connection = self._take((scheme, host))
        try:
            connection.timeout = timeout
            if connection.sock is None:
                connection.connect()
            cast("socket.socket", connection.sock).settimeout(timeout)
            connection.request("POST", target, body, dict(headers))
            response = connection.getresponse()
        except BaseException:
            connection.close()
            raise
        pieces = self._pieces(connection, response)
        # A generator that has not begun would not close the connection.
        next(pieces)
        return response.status, dict(response.getheaders()), pieces

    def _pieces(
        self, connection: HTTPConnection, response: HTTPResponse
    ) -> Generator[bytes, None, None]:
        size = 0
        try:
            yield b""
            for piece in iter(lambda: response.read1(65536), b""):
                # Of an event, and of a response that is not a stream.
                size = size + len(piece) if b"\\n" not in piece else len(piece)
                if size > self._max_bytes:
                    text = f"the response exceeds {self._max_bytes} bytes"
                    raise TransportError(text, response.status)
                yield piece
        finally:
            response.close()
            connection.close()
`
