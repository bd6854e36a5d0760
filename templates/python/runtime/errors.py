# The errors of calls, their issues, and the options of clients.

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import (
    Any,
    Callable,
    Dict,
    Final,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
    cast,
)


class Unset(enum.Enum):
    """The type of UNSET, for parameters that may be left out and may be None."""

    UNSET = "UNSET"


#: The argument for a parameter that is left out, where None is a value of its own.
UNSET: Final = Unset.UNSET

#: Sends a request: (url, headers, body, timeout in seconds) to (status, headers, body).
Transport = Callable[
    [str, Mapping[str, str], bytes, Optional[float]],
    Tuple[int, Mapping[str, str], bytes],
]
Headers = Union[Mapping[str, str], Callable[[], Mapping[str, str]]]

_T = TypeVar("_T")
_MISSING: Final = object()


class RpcError(Exception):
    """The error in a response. 'status' is that of HTTP."""

    code: int
    message: str
    data: Any
    status: int

    def __init__(self, code: int, message: str, data: Any = None, status: int = 0):
        super().__init__(f"{message} ({code})")
        self.code = code
        self.message = message
        self.data = data
        self.status = status

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.code, self.message, self.data, self.status)


@dataclass(frozen=True)
class Issue:
    """One reason for which parameters are invalid."""

    #: Where the value is: the name of the parameter, names of members, indexes.
    path: Tuple[Union[str, int], ...]
    #: The rule that the value does not meet, such as "minimum".
    code: str
    #: The limit of the rule; None if it has none.
    limit: Any
    #: The issue in words.
    message: str


class InvalidParams(RpcError):
    """-32602: the arguments do not meet the declared types; 'issues' has the reasons."""

    @property
    def issues(self) -> List[Issue]:
        data: Any = self.data
        is_list = isinstance(data, list)
        return [_issue(each) for each in cast("List[Any]", data)] if is_list else []


class MethodNotFound(RpcError):
    """-32601: the server has no procedure of this name."""


class InternalError(RpcError):
    """-32603: the procedure failed."""


class AuthenticationError(RpcError):
    """-32098: the caller is not known."""


class ForbiddenError(RpcError):
    """-32099: the caller is not allowed to make the call."""


class TransportError(Exception):
    """There is no response, or none of JSON-RPC. 'status' is 0 without a response."""

    def __init__(self, message: str, status: int = 0, body: bytes = b""):
        super().__init__(message)
        self.status = status
        self.body = body


class RpcTimeout(TransportError, TimeoutError):
    """There was no complete response in time."""


class RpcValueError(ValueError):
    """A value is not of its type: an argument, or a result. 'path' has the place."""

    def __init__(self, method: str, path: Sequence[Union[str, int]], reason: str):
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in path)
        super().__init__(f"{method}: {where.lstrip('.')}: {reason}")
        self.method = method
        self.path = tuple(path)
        self.reason = reason

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.method, self.path, self.reason)


@dataclass(frozen=True)
class Retry:
    """How often calls of idempotent procedures are sent again, and after how long.

    The delay doubles from 'base' to 'longest' seconds; half of it is random. A server
    that requires a longer one (Retry-After) ends the attempts.
    """

    attempts: int = 2
    base: float = 0.2
    longest: float = 5.0


def _issue(data: Any) -> Issue:
    each = cast("Dict[str, Any]", data if isinstance(data, dict) else {})
    path: Any = each.get("path", [])
    is_list = isinstance(path, list)
    words = f"expected {each.get('expected')}, received {each.get('received')}"
    return Issue(
        path=tuple(cast("List[Any]", path)) if is_list else (str(path),),
        code=str(each.get("code", "")),
        limit=each.get("limit"),
        message=str(each.get("message", words)),
    )
