# The credentials of callers, of clients whose procedures have schemes:
#
#   Client(url, bearer="...")  ->  Authorization: Bearer ...

from __future__ import annotations

import base64
from typing import Any, Callable, List, Mapping, Optional, Tuple, Union

from .errors import Headers

#: A token or a key, or a function that returns it for each request.
Secret = Union[str, Callable[[], str]]


#: The value of credentials that are not passed; one that is passed and None is an error.
_unset: Any = object()


def _identified(
    headers: Optional[Headers],
    *schemes: Tuple[str, str, Union[Secret, Tuple[str, str]]],
) -> Optional[Headers]:
    """Returns headers with the credentials of one scheme, unless they have its header."""
    given = [each for each in schemes if each[2] is not _unset]
    if len(given) > 1:
        raise ValueError("pass the credentials of one scheme")
    if not given:
        return headers
    [(name, prefix, secret)] = given

    def checked(value: Any) -> str:
        is_text = isinstance(value, str)
        parts: List[Any] = [value] if is_text or value is None else list(value)
        if not any(parts) or not all(isinstance(part, str) for part in parts):
            raise ValueError("the credentials have no secret")
        text = ":".join(parts)
        if is_text:
            if not text.isprintable():
                raise ValueError("the credentials have a character that no header has")
            return text
        return base64.b64encode(text.encode()).decode("ascii")

    def with_credentials() -> Mapping[str, str]:
        value = checked(secret() if callable(secret) else secret)
        more = headers() if callable(headers) else headers or {}
        return {name: f"{prefix}{value}", **more}

    if not callable(secret):
        checked(secret)
    return with_credentials
