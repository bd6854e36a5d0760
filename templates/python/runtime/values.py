# The types with inner values, and the instances of all types without parameters:
#
#   _List(_DATE)  ->  a list of datetime in Python, an array of strings in JSON

from __future__ import annotations

import decimal
import re
from typing import (
    Any,
    Callable,
    Dict,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
    Union,
    cast,
)

from .errors import _MISSING, RpcValueError
from .scalars import (
    _Any,
    _bigint,
    _bool,
    _bytes,
    _date,
    _int,
    _Mismatch,
    _null,
    _number,
    _read_bigint,
    _read_bytes,
    _read_date,
    _read_double,
    _read_number,
    _Scalar,
    _str,
    _Type,
    _url,
    _Way,
)
from .tables import _TYPES


class _Is(_Type):
    """One of some values, which are the same in JSON."""

    def __init__(self, *values: Union[str, float, bool]):
        self.values = values
        self.name = " or ".join(repr(each) for each in values)

    def convert(self, value: Any, way: _Way) -> Any:
        found = self.find(value)
        if found is _MISSING:
            raise _Mismatch(self.name, value)
        return found

    def find(self, value: Any) -> Any:
        for each in self.values:
            is_bool = isinstance(value, bool) == isinstance(each, bool)
            if is_bool and isinstance(value, (str, int, float)) and value == each:
                return each
        return _MISSING


class _Integer(_Type):
    """One integer, which is a text in JSON."""

    def __init__(self, value: int):
        self.value = value
        self.name = str(value)

    def convert(self, value: Any, way: _Way) -> Any:
        other = value if way.out else _read_bigint(value)
        if isinstance(other, bool) or other != self.value:
            raise _Mismatch(self.name, value)
        return str(self.value) if way.out else self.value


class _Text(_Type):
    """A text that a regular expression matches."""

    def __init__(self, pattern: str, name: str):
        self._pattern = re.compile(pattern, re.ASCII)
        self.name = f"a str like {name}"

    def convert(self, value: Any, way: _Way) -> Any:
        if not isinstance(value, str) or not self._pattern.search(value):
            raise _Mismatch(self.name, value)
        return value


class _List(_Type):
    name = "a list"

    def __init__(self, element: _Type):
        self._element = element

    def convert(self, value: Any, way: _Way) -> Any:
        if not isinstance(value, (list, tuple) if way.out else list):
            raise _Mismatch(self.name, value)
        items = cast("Sequence[Any]", value)
        return [_part(self._element, each, i, way) for i, each in enumerate(items)]


class _Set(_List):
    name = "a set"

    def convert(self, value: Any, way: _Way) -> Any:
        if not way.out:
            return set(_distinct(self.name, super().convert(value, way)))
        is_set = isinstance(value, (set, frozenset))
        items = list(cast("Set[Any]", value)) if is_set else value
        return super().convert(items, way)


def _distinct(name: str, values: List[Any]) -> List[Any]:
    """Values for a set, or keys of a dict, of which few have the hash of others.

    Python hashes numbers without a seed: to compare many of one hash takes quadratic time.
    """
    if len(values) - len(set(map(hash, values))) > 100:
        by_hash: Dict[int, List[Any]] = {}
        for each in values:
            same = by_hash.setdefault(hash(each), [])
            if each not in same:
                same.append(each)
            if len(same) > 100:
                raise _Mismatch(f"{name} whose values have different hashes", values)
    return values


class _Tuple(_Type):
    """Elements, the type of further ones, and how many are required."""

    name = "a tuple"

    def __init__(
        self,
        elements: Sequence[_Type],
        rest: Optional[_Type] = None,
        required: int = -1,
    ):
        self._elements, self._rest = elements, rest
        self._required = len(elements) if required < 0 else required

    def convert(self, value: Any, way: _Way) -> Any:
        if not isinstance(value, (list, tuple) if way.out else list):
            raise _Mismatch(self.name, value)
        items = cast("Sequence[Any]", value)
        too_many = self._rest is None and len(items) > len(self._elements)
        if len(items) < self._required or too_many:
            raise _Mismatch(f"{self.name} of another length", value)
        converted = [self._element(i, each, way) for i, each in enumerate(items)]
        return converted if way.out else tuple(converted)

    def _element(self, i: int, value: Any, way: _Way) -> Any:
        of = self._elements[i] if i < len(self._elements) else self._rest or _ANY
        is_hole = value is None and self._required <= i < len(self._elements)
        return None if is_hole else _part(of, value, i, way)


class _Map(_Type):
    """An object in JSON, by keys of one type, which a regular expression may limit."""

    name = "a dict"

    def __init__(
        self,
        value: _Type,
        key: Callable[[Any], Any] = str,
        pattern: str = "",
    ):
        self._value, self._key = value, key
        self._pattern = re.compile(pattern, re.ASCII)

    def convert(self, value: Any, way: _Way) -> Any:
        if not _is_object(value, way):
            raise _Mismatch(self.name, value)
        mapping = _mapping(value)
        items = mapping.items()
        pairs = [(self._key_of(key, way), key, each) for key, each in items]
        _distinct(self.name, [to for to, _, _ in pairs])
        return {to: _part(self._value, each, str(key), way) for to, key, each in pairs}

    def _key_of(self, key: Any, way: _Way) -> Any:
        text = self._text(key) if way.out else key
        if isinstance(text, str) and self._pattern.search(text):
            try:
                return text if way.out else self._key(text)
            except ValueError:
                pass
        raise _at(str(key), _Mismatch(f"a key of type {self._key.__name__}", key))

    def _text(self, key: Any) -> Any:
        if self._key is str:
            return key
        if self._key is int and isinstance(key, float):
            return None
        number = _number(key)
        return None if number is _MISSING else _number_text(number)


def _number_text(number: float) -> str:
    """The text of a number as JavaScript writes it in keys."""
    if number == int(number) and abs(number) < 10**21:
        return str(int(number))
    if 1e-6 <= abs(number) < 1e21:
        return format(decimal.Decimal(repr(number)), "f")
    return re.sub(r"e([+-])0*", r"e\1", repr(number)).replace(".0e", "e")


class _Struct(_Type):
    """Required and optional members; the types of others by patterns of their names."""

    name = "a dict"

    def __init__(
        self,
        required: Mapping[str, _Type],
        optional: Optional[Mapping[str, _Type]] = None,
        others: Optional[Mapping[str, _Type]] = None,
    ):
        self.required = required
        self.members = {**required, **(optional or {})}
        patterns = (others or {}).items()
        self._others = [(re.compile(at, re.ASCII), of) for at, of in patterns]
        self._checks: Optional[List[Tuple[str, bool, Optional[_Is]]]] = None

    def excludes(self, value: Mapping[Any, Any], way: _Way) -> bool:
        """True if a required member is missing, or is not its literal.

        To raise and catch an error for each branch of a union takes ten times as long.
        """
        if self._checks is None:
            targets = [(name, of.target()) for name, of in self.required.items()]
            checks = [
                (name, of.may_be_absent, of if isinstance(of, _Is) else None)
                for name, of in targets
            ]
            self._checks = sorted(checks, key=lambda each: each[2] is None)
        for name, may_be_absent, literal in self._checks:
            if name not in value:
                if way.out or not may_be_absent:
                    return True
            elif literal is not None and literal.find(value[name]) is _MISSING:
                return True
        return False

    def convert(self, value: Any, way: _Way) -> Any:
        converted, unknown = self.known(value, way)
        if way.out and unknown:
            raise _unexpected(unknown[0], value)
        return converted

    def known(self, value: Any, way: _Way) -> Tuple[Dict[str, Any], List[str]]:
        """The members that are declared, and the names of those that are not."""
        if not _is_object(value, way):
            raise _Mismatch(self.name, value)
        items = _mapping(value)
        for name, of in self.required.items():
            if name not in items and (way.out or not of.target().may_be_absent):
                raise _at(name, _Mismatch(of.name, _MISSING))
        converted: Dict[str, Any] = {}
        unknown: List[str] = []
        for key, each in items.items():
            found = self._type_of(key)
            if found is None:
                unknown.append(key)
            elif each is not None or way.out or not self._is_absent(key, found):
                converted[key] = _part(found, each, key, way)
        if not way.out:
            for name in self.required:
                converted.setdefault(name, None)
        return converted, unknown

    def _type_of(self, key: Any) -> Optional[_Type]:
        if not isinstance(key, str):
            raise _Mismatch("a key of type str", key)
        if key in self.members:
            return self.members[key]
        found = [of for pattern, of in self._others if pattern.search(key)]
        return found[-1] if found else None

    def _is_absent(self, key: str, of: _Type) -> bool:
        is_optional = key in self.members and key not in self.required
        return is_optional and not of.target().accepts_none


class _Union(_Type):
    """The branch that 'tag' decides, the first one that fits, or all dicts that do."""

    def __init__(self, *branches: _Type, tag: Optional[str] = None):
        self._branches, self._tag = branches, tag
        self._leaves: Optional[List[_Type]] = None

    @property
    def name(self) -> str:  # type: ignore[override]
        return " or ".join(dict.fromkeys(each.name for each in self._branches))

    @property
    def accepts_none(self) -> bool:  # type: ignore[override]
        return any(each.target().accepts_none for each in self._branches)

    @property
    def may_be_absent(self) -> bool:  # type: ignore[override]
        return any(each.target().may_be_absent for each in self._branches)

    def convert(self, value: Any, way: _Way) -> Any:
        if value is None or isinstance(value, (str, int, float)):
            return self._first(value, way)
        # Each pair of a union and a value is tried once, however deep they are.
        at = (id(self), id(cast(object, value)))
        if at not in way.seen:
            try:
                found = self._converted(value, way)
            except _Mismatch as error:
                found = error
            way.seen[at] = (cast(object, value), found)
        found = way.seen[at][1]
        if isinstance(found, _Mismatch):
            again = _Mismatch(found.expected, None)
            again.received, again.path = found.received, list(found.path)
            raise again
        return found

    def _converted(self, value: Any, way: _Way) -> Any:
        if not _is_object(value, way):
            return self._first(value, way)
        mapping = _mapping(value)
        tagged = None if self._tag is None else self._tagged(mapping, self._tag, way)
        if tagged is not None:
            return tagged.convert(value, way)
        return self._merged(mapping, way)

    def _tagged(self, value: Mapping[Any, Any], tag: str, way: _Way) -> Optional[_Type]:
        for each in self.leaves():
            if isinstance(each, _Struct) and tag in each.members:
                try:
                    each.members[tag].convert(value.get(tag, _MISSING), way)
                    return each
                except _Mismatch:
                    pass
        return None

    def leaves(self) -> List[_Type]:
        """The branches, those of inner unions instead of these."""
        if self._leaves is None:
            found: List[_Type] = []
            for each in self._branches:
                inner = each.target()
                found += inner.leaves() if isinstance(inner, _Union) else [inner]
            self._leaves = found
        return self._leaves

    def _merged(self, value: Mapping[Any, Any], way: _Way) -> Any:
        merged: Dict[str, Any] = {}
        unknown: Optional[List[str]] = None
        errors: List[_Mismatch] = []
        excluded: List[_Type] = []
        for each in self.leaves():
            if isinstance(each, _Struct) and each.excludes(value, way):
                excluded.append(each)
                continue
            try:
                converted, others = _known(each, value, way)
                if not isinstance(converted, dict):
                    if unknown is None:
                        return converted
                    continue
                merged = {**converted, **merged}
                all_ = others if unknown is None else unknown
                unknown = [key for key in all_ if key in others]
            except _Mismatch as error:
                errors.append(error)
        if unknown is None:
            raise self._error(value, errors + _errors(excluded, value, way))
        if way.out and unknown:
            raise _unexpected(unknown[0], value)
        return merged

    def _first(self, value: Any, way: _Way) -> Any:
        errors: List[_Mismatch] = []
        for each in self._branches:
            try:
                return each.convert(value, way)
            except _Mismatch as error:
                errors.append(error)
        raise self._error(value, errors)

    def _error(self, value: Any, errors: List[_Mismatch]) -> _Mismatch:
        inner = [each for each in errors if each.path]
        return inner[0] if len(inner) == 1 else _Mismatch(self.name, value)


def _errors(excluded: List[_Type], value: Any, way: _Way) -> List[_Mismatch]:
    errors: List[_Mismatch] = []
    for each in excluded:
        try:
            each.convert(value, way)
        except _Mismatch as error:
            errors.append(error)
    return errors


def _known(of: _Type, value: Mapping[Any, Any], way: _Way) -> Tuple[Any, List[str]]:
    if isinstance(of, _Struct):
        return of.known(value, way)
    return of.convert(value, way), []


class _Ref(_Type):
    """A named type."""

    def __init__(self, name: str):
        self.name = name

    def convert(self, value: Any, way: _Way) -> Any:
        return _TYPES[self.name].convert(value, way)

    def target(self) -> _Type:
        return _TYPES[self.name].target()


class _Codec(_Type):
    """A custom scalar: 'decode' makes it of what is sent, 'encode' the other way."""

    def __init__(
        self,
        to: Callable[..., Any],
        wire: _Type,
        decode: Callable[[Any], Any],
        encode: Callable[[Any], Any],
    ):
        self.name = getattr(to, "__name__", str(to))
        self._class: Any = to
        self._wire, self._decode, self._encode = wire, decode, encode

    def convert(self, value: Any, way: _Way) -> Any:
        is_wrong = isinstance(self._class, type) and not isinstance(value, self._class)
        if way.out and is_wrong:
            raise _Mismatch(self.name, value)
        try:
            if way.out:
                return self._wire.convert(self._encode(value), way)
            return self._decode(self._wire.convert(value, way))
        except (ArithmeticError, TypeError, ValueError):
            raise _Mismatch(self.name, value) from None


def _is_object(value: object, way: _Way) -> bool:
    return isinstance(value, Mapping if way.out else dict)


def _mapping(value: object) -> Mapping[Any, Any]:
    return cast("Mapping[Any, Any]", value)


def _part(of: _Type, value: Any, at: Union[str, int], way: _Way) -> Any:
    try:
        return of.convert(value, way)
    except _Mismatch as error:
        raise _at(at, error) from None


def _at(at: Union[str, int], error: _Mismatch) -> _Mismatch:
    error.path.insert(0, at)
    return error


def _unexpected(name: str, value: object) -> _Mismatch:
    """The error for a member that is not declared."""
    return _at(name, _Mismatch("no member of this name", _mapping(value)[name]))


# Clients have some of them, according to their types.
_KINDS = (_Is, _Integer, _Text, _Set, _Tuple, _Union, _Ref, _Codec)

_ANY = _Any()
_INT = _Scalar("an int of 32 bits", _int, _int)
_NUMBER = _Scalar("a finite number", _number, _read_number)
_DOUBLE = _Scalar("a finite float", _number, _read_double)
_STR = _Scalar("a str", _str, _str)
_BOOL = _Scalar("a bool", _bool, _bool)
_NULL = _Scalar("None", _null, _null)
_NULL.accepts_none = True
_NOTHING = _Scalar("None", _null, _null)
_NOTHING.accepts_none = _NOTHING.may_be_absent = True
_BIGINT = _Scalar("an int", _bigint, _read_bigint)
_BYTES = _Scalar("bytes", _bytes, _read_bytes)
_DATE = _Scalar("a datetime with a time zone", _date, _read_date)
_URL = _Scalar("an absolute URL", _url, _url)


def _convert(
    of: _Type, value: Any, out: bool, method: str, path: List[Union[str, int]]
) -> Any:
    try:
        return of.convert(value, _Way(out))
    except _Mismatch as error:
        reason = f"expected {error.expected}, got {error.received}"
        raise RpcValueError(method, path + error.path, reason) from None
    except RecursionError:
        raise RpcValueError(method, path, "expected less nesting") from None
