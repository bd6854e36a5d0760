# The types without inner values. A value is checked and converted in both directions:
#
#   _DATE  ->  datetime in Python, a string in JSON

from __future__ import annotations

import base64
import math
import re
from datetime import datetime, timezone
from typing import Any, Callable, Dict, List, Mapping, Tuple, Union, cast

from .errors import _MISSING
from .values import _BYTES, _DATE, _NUMBER, _List, _Map


class _Mismatch(Exception):
    def __init__(self, expected: str, value: Any):
        self.expected = expected
        self.received = "nothing" if value is _MISSING else type(value).__name__
        self.path: List[Union[str, int]] = []


class _Way:
    """A conversion: to JSON ('out') or from it, and what unions found out so far."""

    def __init__(self, out: bool):
        self.out = out
        self.seen: Dict[Tuple[int, int], Tuple[object, Any]] = {}


class _Type:
    """How values of a type are checked and converted."""

    name = ""
    accepts_none = False
    #: True if a result may have no member of the type: it is None then.
    may_be_absent = False

    def convert(self, value: Any, way: _Way) -> Any:
        raise NotImplementedError

    def target(self) -> _Type:
        return self


class _Any(_Type):
    name = "a value of JSON"
    accepts_none = may_be_absent = True

    def convert(self, value: Any, way: _Way) -> Any:
        if not way.out or value is None or isinstance(value, (str, bool)):
            return value
        if isinstance(value, datetime):
            return _DATE.convert(value, way)
        if isinstance(value, (bytes, bytearray)):
            return _BYTES.convert(value, way)
        if isinstance(value, (int, float)):
            return _NUMBER.convert(value, way)
        if isinstance(value, Mapping):
            return _Map(self).convert(value, way)
        if isinstance(value, (list, tuple)):
            return _List(self).convert(value, way)
        raise _Mismatch(self.name, value)


class _Scalar(_Type):
    def __init__(self, name: str, to: Callable[[Any], Any], of: Callable[[Any], Any]):
        self.name = name
        self._to, self._of = to, of

    def convert(self, value: Any, way: _Way) -> Any:
        try:
            converted = (self._to if way.out else self._of)(value)
        except (ValueError, OverflowError):
            raise _Mismatch(self.name, value) from None
        if converted is _MISSING:
            raise _Mismatch(self.name, value)
        return converted


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _int(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return int(value) if _is_int(value) and -(2**31) <= value < 2**31 else _MISSING


def _number(value: Any) -> Any:
    if not _is_int(value):
        return _read_number(value)
    return int(value) if abs(value) < 2**53 else _MISSING


def _read_number(value: Any) -> Any:
    # 1e400 is read as infinity.
    is_finite = isinstance(value, float) and math.isfinite(value)
    return value if is_finite or _is_int(value) else _MISSING


def _read_double(value: Any) -> Any:
    number = _read_number(value)
    return number if number is _MISSING else float(number)


def _str(value: Any) -> Any:
    # Of a member of a class of str and Enum, str() is the name.
    return str.__str__(value) if isinstance(value, str) else _MISSING


def _bool(value: Any) -> Any:
    return value if isinstance(value, bool) else _MISSING


def _null(value: Any) -> Any:
    return None if value is None else _MISSING


def _bigint(value: Any) -> Any:
    return str(int(value)) if _is_int(value) else _MISSING


def _read_bigint(value: Any) -> Any:
    if isinstance(value, str):
        try:
            return int(value) if re.fullmatch(r"-?[0-9]+", value) else _MISSING
        except ValueError:
            # More digits than Python reads.
            return _MISSING
    return value if _is_int(value) else _MISSING


def _bytes(value: Any) -> Any:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        return _MISSING
    try:
        return base64.b64encode(bytes(cast("bytes", value))).decode("ascii")
    except ValueError:
        # A memoryview that was released.
        return _MISSING


def _read_bytes(value: Any) -> Any:
    is_str = isinstance(value, str)
    return base64.b64decode(value, validate=True) if is_str else _MISSING


def _date(value: Any) -> Any:
    if not isinstance(value, datetime) or value.utcoffset() is None:
        return _MISSING
    return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")


def _read_date(value: Any) -> Any:
    pattern = r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6})\d*)?(Z|[+-]\d\d:\d\d)"
    match = re.fullmatch(pattern, value) if isinstance(value, str) else None
    if not match:
        return _MISSING
    fraction = (match[2] or "").ljust(6, "0")
    zone = "+00:00" if match[3] == "Z" else match[3]
    return datetime.fromisoformat(f"{match[1]}.{fraction}{zone}")


def _url(value: Any) -> Any:
    is_url = isinstance(value, str) and re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", value)
    return value if is_url else _MISSING
