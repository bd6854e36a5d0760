# How calls become requests, and responses results, alone or in a batch:
#
#   _Procedure(...)  ->  {"method": "stock.move", "params": ...}

from __future__ import annotations

import json
import random
import socket
import threading
import time
import weakref
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union, cast

from .errors import (
    UNSET,
    Headers,
    Retry,
    RpcError,
    RpcTimeout,
    RpcValueError,
    Transport,
    TransportError,
)
from .scalars import _Mismatch, _Type, _Way
from .tables import _ERRORS, _PROCEDURES
from .values import _ANY, _NULL, _convert

_Param = Union[Tuple[str, _Type], Tuple[str, _Type, bool]]


class _Procedure:
    """Parameters by name (optional with True), and the result."""

    def __init__(
        self,
        params: Sequence[_Param],
        result: _Type = _NULL,
        rest: Optional[Tuple[str, _Type]] = None,
        idempotent: bool = False,
        is_object: bool = False,
        overloads: Sequence[_Procedure] = (),
        names: Sequence[str] = (),
    ):
        self._params, self.result, self._rest = params, result, rest
        self.idempotent, self._is_object = idempotent, is_object
        self._overloads, self._names = overloads, names

    def encode(
        self, method: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Union[List[Any], Dict[str, Any]]:
        """Returns the 'params' of a request: a list, or an object if one is left out."""
        errors: List[Exception] = []
        for each in self._overloads:
            try:
                return each.encode(method, each._positional(method, args, kwargs), {})
            except (RpcValueError, TypeError) as error:
                errors.append(error)
        if errors:
            raise next((e for e in errors if isinstance(e, RpcValueError)), errors[0])
        sent: List[Tuple[str, Any]] = []
        for i, value in enumerate(args):
            if i < len(self._params):
                sent.append(self._param(method, i, value))
            elif self._rest:
                name, of = self._rest
                path: List[Union[str, int]] = [name, i - len(self._params)]
                sent.append((name, _convert(of, value, True, method, path)))
            else:
                raise TypeError(f"{method}: at most {len(self._params)} arguments")
        if len(args) < self._least():
            raise TypeError(f"{method}: at least {self._least()} arguments")
        while sent and sent[-1][1] is UNSET:
            sent.pop()
        if self._is_object and sent:
            params: Dict[str, Any] = sent[0][1]
            return params
        if not any(value is UNSET for _, value in sent):
            return [value for _, value in sent]
        count = len(self._params)
        named = {name: value for name, value in sent[:count] if value is not UNSET}
        if self._rest and len(sent) > count:
            named[self._rest[0]] = [value for _, value in sent[count:]]
        return named

    def _least(self) -> int:
        at = [i for i, each in enumerate(self._params, 1) if len(each) < 3]
        return at[-1] if at else 0

    def _param(self, method: str, i: int, value: Any) -> Tuple[str, Any]:
        param = self._params[i]
        name, of = param[0], param[1]
        is_none = value is None and not of.target().accepts_none
        if len(param) > 2 and (value is UNSET or is_none):
            return name, UNSET
        return name, _convert(of, value, True, method, [name])

    def _positional(
        self, method: str, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> List[Any]:
        values = dict(zip(self._names, args))
        for name, value in kwargs.items():
            if name in values or name not in self._names:
                raise TypeError(f"{method}: unexpected argument {name}")
            values[name] = value
        known = [values.get(name, UNSET) for name in self._names]
        while known and known[-1] is UNSET:
            known.pop()
        return known + list(args[len(self._names) :])


_UNKNOWN = _Procedure((), _ANY, ("params", _ANY))

#: The statuses of failures worth a retry; that of a response that did not come is 0.
_RETRYABLE = (0, 429, 502, 503, 504)


@dataclass(frozen=True)
class _Request:
    method: str
    params: Any
    result: _Type
    idempotent: bool


@dataclass(frozen=True)
class _Core:
    """What the namespaces of a client share."""

    url: str
    headers: Tuple[Headers, ...]
    timeout: Optional[float]
    retry: Retry
    transport: Transport
    #: Those that may be open.
    streams: Any = field(default_factory=lambda: weakref.WeakSet[Any]())
    streams_lock: Any = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        if self.timeout is not None and not 0 < self.timeout <= 2_000_000:
            reason = "above 0, and at most 2000000 seconds"
            raise ValueError(f"the timeout has to be {reason}, or None for no limit")

    def call(self, method: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        request = _request(method, args, kwargs)
        [outcome] = self.exchange([request], [1], False)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def exchange(
        self, requests: Sequence[_Request], ids: Sequence[Optional[int]], batch: bool
    ) -> List[Any]:
        """Sends calls; an id of None is a notification. Errors are returned."""
        messages = [_message(each, id_) for each, id_ in zip(requests, ids)]
        body = json.dumps(messages if batch else messages[0], allow_nan=False)
        is_idempotent = all(each.idempotent for each in requests)
        status, text = self._post(body.encode("ascii"), is_idempotent)
        are_notifications = all(each is None for each in ids)
        is_empty = are_notifications and not text.strip()
        replies = {} if is_empty else _by_id(_replies(self.url, status, text))
        if are_notifications:
            error: Any = replies.get(None, {}).get("error")
            if isinstance(error, dict):
                raise _error(cast("Dict[str, Any]", error), status)
            if not 200 <= status < 300:
                raise TransportError(f"{self.url}: HTTP status {status}", status, text)
        return [
            None if id_ is None else _outcome(request, id_, replies, status, text)
            for request, id_ in zip(requests, ids)
        ]

    def _post(self, body: bytes, is_idempotent: bool) -> Tuple[int, bytes]:
        attempts = max(0, self.retry.attempts) if is_idempotent else 0
        for attempt in range(attempts + 1):
            after = 0.0
            try:
                status, headers, text = self._send(body)
                if attempt == attempts or status not in _RETRYABLE:
                    return status, text
                after = _retry_after(headers)
                if after > self.retry.longest:
                    return status, text
            except TransportError as error:
                if attempt == attempts or error.status not in _RETRYABLE:
                    raise
            delay = _delay(self.retry.base, self.retry.longest, attempt)
            time.sleep(max(after, delay))
        raise AssertionError("unreachable")

    def all_headers(self, accept: str) -> Dict[str, str]:
        headers = {"Content-Type": "application/json", "Accept": accept}
        for more in self.headers:
            for name, value in (more() if callable(more) else more).items():
                same = [each for each in headers if each.lower() == name.lower()]
                for each in same:
                    del headers[each]
                headers[name] = value
        return headers

    def failure(self, error: Exception) -> TransportError:
        """The error for what a transport has raised."""
        if isinstance(error, (TimeoutError, socket.timeout)):
            return RpcTimeout(f"{self.url}: no response within {self.timeout} s")
        reason = str(error) or type(error).__name__
        return TransportError(f"{self.url}: no response: {reason}")

    def _send(self, body: bytes) -> Tuple[int, Mapping[str, str], bytes]:
        headers = self.all_headers("application/json")
        try:
            return self.transport(self.url, headers, body, self.timeout)
        except TransportError:
            raise
        except Exception as error:
            raise self.failure(error) from error


class _Recorder(_Core):
    """Keeps the call of a method instead of sending it."""

    request: Optional[_Request] = None

    def call(self, method: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        object.__setattr__(self, "request", _request(method, args, kwargs))


def _request(method: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> _Request:
    procedure = _PROCEDURES.get(method, _UNKNOWN)
    params = procedure.encode(method, args, kwargs)
    return _Request(method, params, procedure.result, procedure.idempotent)


def _message(request: _Request, id_: Optional[int]) -> Dict[str, Any]:
    message = {"jsonrpc": "2.0", "method": request.method, "params": request.params}
    return message if id_ is None else {**message, "id": id_}


def _delay(base: float, longest: float, failures: int) -> float:
    """The seconds before the next attempt, half of which is random."""
    # A float has no 2**1024.
    delay = min(longest, base * 2.0 ** min(failures, 99))
    return delay * (1 - random.random() / 2)


def _retry_after(headers: Mapping[str, str]) -> float:
    for name, value in headers.items():
        if name.lower() == "retry-after":
            try:
                if value.strip().isdigit():
                    return float(value)
                date = parsedate_to_datetime(value)
                return max(0.0, date.timestamp() - time.time())
            except (TypeError, ValueError, OverflowError):
                return 0.0
    return 0.0


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _replies(url: str, status: int, text: bytes) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        start = text[:200].decode("utf-8", "replace")
        reason = f"{url}: the response is not JSON: HTTP status {status}, {start!r}"
        raise TransportError(reason, status, text) from error


_ById = Dict[Optional[int], Dict[str, Any]]


def _by_id(replies: Any) -> _ById:
    """The responses; an error without an id is that of the request as a whole."""
    found: _ById = {}
    is_list = isinstance(replies, list)
    for each in cast("List[Any]", replies) if is_list else [replies]:
        if isinstance(each, dict):
            reply = cast("Dict[str, Any]", each)
            id_: Any = reply.get("id")
            if type(id_) is int or (id_ is None and "error" in reply):
                found.setdefault(id_, reply)
    return found


def _outcome(
    request: _Request, id_: int, replies: _ById, status: int, text: bytes
) -> Any:
    """The result of a call, or its error."""
    mine = replies.get(id_) or replies.get(None) or {}
    error = mine.get("error")
    try:
        if isinstance(error, dict):
            return _error(cast("Dict[str, Any]", error), status)
        if mine.get("jsonrpc") == "2.0" and "result" in mine and error is None:
            return _convert(
                request.result, mine["result"], False, request.method, ["result"]
            )
    except RpcValueError as wrong:
        return wrong
    reason = f"{request.method}: the response has no result: HTTP status {status}"
    return TransportError(reason, status, text)


def _error(error: Dict[str, Any], status: int) -> Exception:
    code: Any = error.get("code")
    if isinstance(code, bool) or not isinstance(code, int):
        reason = f"the code of an error is not an integer: {str(error)[:200]}"
        return TransportError(reason, status)
    message, data = str(error.get("message", "")), error.get("data")
    kind, of = _ERRORS.get(code, (RpcError, None))
    if of is not None:
        try:
            data = of.convert(data, _Way(False))
        except (_Mismatch, RecursionError):
            # The data is not the declared one.
            kind = RpcError
    return kind(code, message, data, status)
