# What clients, namespaces and batches have. The methods for procedures are generated:
#
#   client.stock.move("A-1", 3)

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Generic,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    Union,
    cast,
)
from urllib.parse import urlsplit

from .calls import _Core, _Recorder, _Request
from .errors import _T, UNSET, Headers, Retry, Transport, TransportError, Unset
from .transport import HttpTransport

if TYPE_CHECKING:
    from typing_extensions import ParamSpec, Self

    _P = ParamSpec("_P")


class _Namespace:
    """Procedures whose names begin with the same words."""

    def __init__(self, core: _Core):
        self._core = core

    def _call(self, method: str, *args: Any) -> _T:  # type: ignore[type-var]
        result: _T = self._core.call(method, args, {})
        return result

    def _any(self, method: str, /, *args: Any, **kwargs: Any) -> Any:
        return self._core.call(method, args, kwargs)

    def _deprecated(self, text: str) -> None:
        warnings.warn(text, DeprecationWarning, stacklevel=3)


class Pending(Generic[_T]):
    """A call of a batch. It has a value, or an error, when the batch was sent."""

    def __init__(self) -> None:
        self._outcome: Any = TransportError("the batch was not sent")

    @property
    def error(self) -> Optional[Exception]:
        """The error of the call; None if it has a value."""
        return self._outcome if isinstance(self._outcome, Exception) else None

    @property
    def value(self) -> _T:
        """The result of the call. Raises the error of the call."""
        if isinstance(self._outcome, Exception):
            raise self._outcome
        result: _T = self._outcome
        return result

    def end(self, outcome: Any) -> None:
        """Sets the outcome, when the batch was sent."""
        self._outcome = outcome


class Batch:
    """Calls that are sent in one request: at the end of 'with', or by 'send'."""

    def __init__(self, core: _Core):
        self._core = core
        self._calls: List[Tuple[_Request, Optional[Pending[Any]]]] = []

    def add(
        self, method: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> Pending[_T]:
        """Adds a call: 'batch.add(client.add, 1, 2)' for 'client.add(1, 2)'."""
        pending: Pending[_T] = Pending()
        self._calls.append((_recorded(self._core, method, args, kwargs), pending))
        return pending

    def notify(
        self, method: Callable[_P, object], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> None:
        """Adds a call that has no response."""
        self._calls.append((_recorded(self._core, method, args, kwargs), None))

    def send(self) -> None:
        """Sends the calls that were added since the last time."""
        calls, self._calls = self._calls, []
        if not calls:
            return
        ids = [None if each is None else i for i, (_, each) in enumerate(calls, 1)]
        try:
            outcomes = self._core.exchange([each for each, _ in calls], ids, True)
        except Exception as error:
            for _, pending in calls:
                if pending:
                    pending.end(error)
            raise
        for (_, pending), outcome in zip(calls, outcomes):
            if pending:
                pending.end(outcome)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], *_: object) -> None:
        if kind is None:
            self.send()


def _recorded(
    core: _Core,
    method: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
) -> _Request:
    bound: Any = method
    if isinstance(method, _Namespace):
        bound = getattr(method, "__call__", None)  # noqa: B004
    owner: Any = getattr(bound, "__self__", None)
    if not isinstance(owner, _Namespace):
        raise TypeError("a batch needs methods of a client")
    recorder = _Recorder(core.url, core.headers, None, core.retry, core.transport)
    copy: Any = object.__new__(type(cast("object", owner)))
    copy._core = recorder
    bound.__func__(copy, *args, **kwargs)
    if recorder.request is None:
        raise TypeError("a batch needs procedures of a client")
    return recorder.request


class RpcClient(_Namespace):
    """What clients have besides their procedures.

    A client may be used by several threads. 'headers' are those of each request, or a
    function that returns them. 'timeout' is in seconds, for each attempt; None is no
    limit. 'transport' sends the requests instead of http.client.
    """

    def __init__(
        self,
        url: str,
        *,
        headers: Optional[Headers] = None,
        timeout: Optional[float] = None,
        retry: Optional[Retry] = None,
        transport: Optional[Transport] = None,
    ):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("the URL has to be absolute, with http or https")
        if parts.username is not None:
            raise ValueError("the URL has credentials: use headers")
        send = transport or HttpTransport()
        more = () if headers is None else (headers,)
        super().__init__(_Core(url, more, timeout, retry or Retry(), send))

    def with_options(
        self,
        *,
        headers: Optional[Headers] = None,
        timeout: Union[float, None, Unset] = UNSET,
        retry: Optional[Retry] = None,
    ) -> Self:
        """Returns a client with other options and the same connections."""
        core = self._core
        more = core.headers if headers is None else (*core.headers, headers)
        limit = core.timeout if isinstance(timeout, Unset) else timeout
        copy = object.__new__(type(self))
        policy = retry or core.retry
        copy._core = replace(core, headers=more, timeout=limit, retry=policy)
        return copy

    def batch(self) -> Batch:
        """Returns an empty batch: 'with client.batch() as batch: …'."""
        return Batch(self._core)

    def notify(
        self, method: Callable[_P, object], /, *args: _P.args, **kwargs: _P.kwargs
    ) -> None:
        """Makes a call that has no response: 'client.notify(client.log, "text")'."""
        request = _recorded(self._core, method, args, kwargs)
        self._core.exchange([request], [None], False)

    def call(self, method: str, *args: Any) -> Any:
        """Calls a procedure whose name is known only at run time."""
        return self._core.call(method, args, {})

    def close(self) -> None:
        """Ends the streams, and closes the connections that are not in use."""
        with self._core.streams_lock:
            streams: List[Any] = list(self._core.streams)
        for each in streams:
            each.close()
        close = getattr(self._core.transport, "close", None)
        if callable(close):
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
