/** The part of a Python client that every one has: errors, conversions, the transport, batches. Formatted as black does. */
export const pythonRuntime = String.raw`class Unset(enum.Enum):
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
    """-32098: the caller is not authorised."""


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


class _Mismatch(Exception):
    def __init__(self, expected: str, value: Any):
        self.expected = expected
        self.received = "nothing" if value is _MISSING else type(value).__name__
        self.path: List[Union[str, int]] = []


class _Way:
    """A conversion: to JSON ('out') or from it, and what unions found out so far."""

    def __init__(self, out: bool):
        self.out = out
        self.seen: Dict[Tuple[int, int], Any] = {}


class _Type:
    """How values of a type are checked and converted. This one accepts any JSON."""

    name = "a value of JSON"
    accepts_none = True

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

    def target(self) -> _Type:
        return self


class _Scalar(_Type):
    accepts_none = False

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


def _int(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return _MISSING
    return int(value) if -(2**31) <= value < 2**31 else _MISSING


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return _MISSING
    if isinstance(value, int):
        return int(value) if abs(value) < 2**53 else _MISSING
    return value if math.isfinite(value) else _MISSING


def _read_number(value: Any) -> Any:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number else _MISSING


def _read_double(value: Any) -> Any:
    number = _read_number(value)
    return number if number is _MISSING else float(number)


def _str(value: Any) -> Any:
    return str(value) if isinstance(value, str) else _MISSING


def _bool(value: Any) -> Any:
    return value if isinstance(value, bool) else _MISSING


def _null(value: Any) -> Any:
    return None if value is None else _MISSING


def _bigint(value: Any) -> Any:
    is_int = isinstance(value, int) and not isinstance(value, bool)
    return str(int(value)) if is_int else _MISSING


def _read_bigint(value: Any) -> Any:
    if isinstance(value, str):
        return int(value) if re.fullmatch(r"-?[0-9]+", value) else _MISSING
    is_int = isinstance(value, int) and not isinstance(value, bool)
    return value if is_int else _MISSING


def _bytes(value: Any) -> Any:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        return _MISSING
    return base64.b64encode(cast("bytes", value)).decode("ascii")


def _read_bytes(value: Any) -> Any:
    return base64.b64decode(value, validate=True) if _is_str(value) else _MISSING


def _is_str(value: Any) -> bool:
    return isinstance(value, str)


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


class _Is(_Type):
    """One of some values, which are the same in JSON."""

    def __init__(self, *values: Union[str, float, bool]):
        self.values = values
        self.name = " or ".join(repr(each) for each in values)
        self.accepts_none = False

    def convert(self, value: Any, way: _Way) -> Any:
        for each in self.values:
            is_bool = isinstance(value, bool) == isinstance(each, bool)
            if is_bool and isinstance(value, (str, int, float)) and value == each:
                return each
        raise _Mismatch(self.name, value)


class _Integer(_Type):
    """One integer, which is a text in JSON."""

    def __init__(self, value: int):
        self.value = value
        self.name = str(value)
        self.accepts_none = False

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
        self.accepts_none = False

    def convert(self, value: Any, way: _Way) -> Any:
        if not isinstance(value, str) or not self._pattern.search(value):
            raise _Mismatch(self.name, value)
        return value


class _List(_Type):
    accepts_none = False

    def __init__(self, element: _Type):
        self.name = "a list"
        self._element = element

    def convert(self, value: Any, way: _Way) -> Any:
        if not isinstance(value, (list, tuple) if way.out else list):
            raise _Mismatch(self.name, value)
        items = cast("Sequence[Any]", value)
        return [_part(self._element, each, i, way) for i, each in enumerate(items)]


class _Set(_List):
    def __init__(self, element: _Type):
        super().__init__(element)
        self.name = "a set"

    def convert(self, value: Any, way: _Way) -> Any:
        if not way.out:
            return set(super().convert(value, way))
        is_set = isinstance(value, (set, frozenset))
        items = list(cast("Set[Any]", value)) if is_set else value
        return super().convert(items, way)


class _Tuple(_Type):
    """Elements, the type of further ones, and how many are required."""

    accepts_none = False

    def __init__(
        self,
        elements: Sequence[_Type],
        rest: Optional[_Type] = None,
        required: int = -1,
    ):
        self._elements, self._rest = elements, rest
        self._required = len(elements) if required < 0 else required
        self.name = "a tuple"

    def convert(self, value: Any, way: _Way) -> Any:
        if not isinstance(value, (list, tuple) if way.out else list):
            raise _Mismatch(self.name, value)
        items = cast("Sequence[Any]", value)
        too_many = self._rest is None and len(items) > len(self._elements)
        if len(items) < self._required or too_many:
            raise _Mismatch(self.name, value)
        converted = [self._element(i, each, way) for i, each in enumerate(items)]
        return converted if way.out else tuple(converted)

    def _element(self, i: int, value: Any, way: _Way) -> Any:
        of = self._elements[i] if i < len(self._elements) else self._rest or _ANY
        is_hole = value is None and self._required <= i < len(self._elements)
        return None if is_hole else _part(of, value, i, way)


class _Map(_Type):
    """An object in JSON, by keys of one type."""

    accepts_none = False

    def __init__(self, value: _Type, key: Callable[[Any], Any] = str):
        self.name = "a dict"
        self._value, self._key = value, key

    def convert(self, value: Any, way: _Way) -> Any:
        if not _is_object(value, way):
            raise _Mismatch(self.name, value)
        mapping = _mapping(value)
        items = mapping.items()
        pairs = [(self._key_of(key, way), key, each) for key, each in items]
        return {to: _part(self._value, each, str(key), way) for to, key, each in pairs}

    def _key_of(self, key: Any, way: _Way) -> Any:
        try:
            if not way.out:
                return self._key(key)
            if self._key is str:
                return _str_key(key)
            number = _number(key)
            if number is not _MISSING and (self._key is float or isinstance(key, int)):
                return _number_text(number)
        except ValueError:
            pass
        raise _Mismatch(f"a key of type {self._key.__name__}", key)


def _str_key(key: Any) -> str:
    if isinstance(key, str):
        return str(key)
    raise ValueError


def _number_text(number: float) -> str:
    """The text of a number as JavaScript writes it in keys."""
    if number == int(number) and abs(number) < 10**21:
        return str(int(number))
    if 1e-6 <= abs(number) < 1e21:
        return format(decimal.Decimal(repr(number)), "f")
    return re.sub(r"e([+-])0*", r"e\1", repr(number)).replace(".0e", "e")


class _Struct(_Type):
    """Required and optional members; the types of others by patterns of their names."""

    accepts_none = False

    def __init__(
        self,
        required: Mapping[str, _Type],
        optional: Optional[Mapping[str, _Type]] = None,
        others: Optional[Mapping[str, _Type]] = None,
    ):
        self.name = "a dict"
        self.required = required
        self.members = {**required, **(optional or {})}
        patterns = (others or {}).items()
        self._others = [(re.compile(at, re.ASCII), of) for at, of in patterns]

    def convert(self, value: Any, way: _Way) -> Any:
        if not _is_object(value, way):
            raise _Mismatch(self.name, value)
        items = _mapping(value)
        for name, of in self.required.items():
            if name not in items and (way.out or not of.target().accepts_none):
                raise _at(name, _Mismatch(of.name, _MISSING))
        pairs = [(key, self._type_of(key, way), each) for key, each in items.items()]
        converted = {
            key: _part(of, each, key, way)
            for key, of, each in pairs
            if of and not (each is None and self._is_absent(key, of, way))
        }
        if not way.out:
            for name in self.required:
                converted.setdefault(name, None)
        return converted

    def _type_of(self, key: Any, way: _Way) -> Optional[_Type]:
        if not isinstance(key, str):
            raise _Mismatch("a key of type str", key)
        if key in self.members:
            return self.members[key]
        found = [of for pattern, of in self._others if pattern.search(key)]
        if not found and way.out:
            raise _at(key, _Mismatch("no member of this name", _MISSING))
        return found[-1] if found else None

    def _is_absent(self, key: str, of: _Type, way: _Way) -> bool:
        is_optional = key in self.members and key not in self.required
        return is_optional and not way.out and not of.target().accepts_none


class _Union(_Type):
    """The branch that the member 'tag' decides, or the first one that fits."""

    def __init__(self, *branches: _Type, tag: Optional[str] = None):
        self._branches, self._tag = branches, tag

    @property
    def name(self) -> str:  # type: ignore[override]
        return " or ".join(dict.fromkeys(each.name for each in self._branches))

    @property
    def accepts_none(self) -> bool:  # type: ignore[override]
        return any(each.target().accepts_none for each in self._branches)

    def convert(self, value: Any, way: _Way) -> Any:
        if self._tag is not None and _is_object(value, way):
            mapping = _mapping(value)
            found = self._tagged(mapping, self._tag, way)
            if found is not None:
                return found.convert(value, way)
        if not isinstance(value, (Mapping, list, tuple)):
            return self._first(value, way)
        # Each pair of a union and a value is tried once, however deep they are.
        at = (id(self), id(cast(object, value)))
        if at not in way.seen:
            try:
                way.seen[at] = self._first(value, way)
            except _Mismatch as error:
                way.seen[at] = error
        found = way.seen[at]
        if isinstance(found, _Mismatch):
            again = _Mismatch(found.expected, None)
            again.received, again.path = found.received, list(found.path)
            raise again
        return found

    def _tagged(self, value: Mapping[Any, Any], tag: str, way: _Way) -> Optional[_Type]:
        for each in self._branches:
            struct = each.target()
            if isinstance(struct, _Struct) and tag in struct.members:
                try:
                    struct.members[tag].convert(value.get(tag, _MISSING), way)
                    return each
                except _Mismatch:
                    pass
        return None

    def _first(self, value: Any, way: _Way) -> Any:
        inner: List[_Mismatch] = []
        for each in self._branches:
            try:
                return each.convert(value, way)
            except _Mismatch as error:
                if error.path:
                    inner.append(error)
        raise inner[0] if len(inner) == 1 else _Mismatch(self.name, value)


class _Ref(_Type):
    """A named type."""

    accepts_none = False

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
        self.accepts_none = False
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


# Clients have some of them, according to their types.
_KINDS = (_Is, _Integer, _Text, _Set, _Tuple, _Union, _Ref, _Codec)

_ANY = _Type()
_INT = _Scalar("an int of 32 bits", _int, _int)
_NUMBER = _Scalar("a finite number", _number, _read_number)
_DOUBLE = _Scalar("a finite float", _number, _read_double)
_STR = _Scalar("a str", _str, _str)
_BOOL = _Scalar("a bool", _bool, _bool)
_NULL = _Scalar("None", _null, _null)
_NULL.accepts_none = True
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
        if all(each is None for each in ids) and not text.strip():
            if 200 <= status < 300:
                return [None for _ in ids]
            raise TransportError(f"{self.url}: HTTP status {status}", status, text)
        replies = _replies(self.url, status, text)
        return [
            None if id_ is None else _outcome(request, id_, replies, status, text)
            for request, id_ in zip(requests, ids)
        ]

    def _post(self, body: bytes, is_idempotent: bool) -> Tuple[int, bytes]:
        attempts = self.retry.attempts if is_idempotent else 0
        for attempt in range(attempts + 1):
            after = 0.0
            try:
                status, headers, text = self._send(body)
                if attempt == attempts or status not in (429, 502, 503, 504):
                    return status, text
                after = _retry_after(headers)
                if after > self.retry.longest:
                    return status, text
            except TransportError:
                if attempt == attempts:
                    raise
            delay = min(self.retry.longest, self.retry.base * 2**attempt)
            time.sleep(max(after, delay * (1 - random.random() / 2)))
        raise AssertionError("unreachable")

    def _send(self, body: bytes) -> Tuple[int, Mapping[str, str], bytes]:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        for more in self.headers:
            for name, value in (more() if callable(more) else more).items():
                same = [each for each in headers if each.lower() == name.lower()]
                for each in same:
                    del headers[each]
                headers[name] = value
        try:
            return self.transport(self.url, headers, body, self.timeout)
        except TransportError:
            raise
        except (TimeoutError, socket.timeout) as error:
            text = f"{self.url}: no response within {self.timeout} s"
            raise RpcTimeout(text) from error
        except Exception as error:
            text = f"{self.url}: no response: {str(error) or type(error).__name__}"
            raise TransportError(text) from error


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


def _retry_after(headers: Mapping[str, str]) -> float:
    for name, value in headers.items():
        if name.lower() == "retry-after":
            try:
                if value.strip().isdigit():
                    return float(value)
                date = parsedate_to_datetime(value)
                return max(0.0, date.timestamp() - time.time())
            except (TypeError, ValueError):
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


def _outcome(
    request: _Request, id_: int, replies: Any, status: int, text: bytes
) -> Any:
    """The result of a call, or its error."""
    is_list = isinstance(replies, list)
    all_ = cast("List[Any]", replies) if is_list else [replies]
    mine: Dict[str, Any] = {}
    for each in all_:
        if isinstance(each, dict):
            reply = cast("Dict[str, Any]", each)
            is_mine = type(reply.get("id")) is int and reply["id"] == id_
            # An error without an id is that of the request as a whole.
            if is_mine or ("error" in reply and reply.get("id") is None and not mine):
                mine = reply
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
        return TransportError("the code of an error is not an integer", status)
    message, data = str(error.get("message", "")), error.get("data")
    kind, of = _ERRORS.get(code, (RpcError, None))
    if of is not None:
        try:
            data = of.convert(data, _Way(False))
        except (_Mismatch, RecursionError):
            # The data is not the declared one.
            kind = RpcError
    return kind(code, message, data, status)


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
        try:
            connection.timeout = timeout
            if connection.sock is None:
                connection.connect()
            sock = cast("socket.socket", connection.sock)
            _limit(sock, end)
            connection.request("POST", target, body, dict(headers))
            _limit(sock, end)
            response = connection.getresponse()
            data = self._read(response, sock, end)
            if response.will_close:
                connection.close()
            else:
                self._keep((scheme, host), connection)
            return response.status, dict(response.getheaders()), data
        except BaseException:
            connection.close()
            raise

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

    def _read(
        self, response: HTTPResponse, sock: socket.socket, end: Optional[float]
    ) -> bytes:
        chunks: List[bytes] = []
        size = 0
        while True:
            _limit(sock, end)
            chunk = response.read1(65536)
            size += len(chunk)
            if size > self._max_bytes:
                raise TransportError(f"the response exceeds {self._max_bytes} bytes")
            if not chunk:
                # Before Python 3.11, read1 does not end the response.
                response.read()
                return b"".join(chunks)
            chunks.append(chunk)


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


class _Namespace:
    """Procedures whose names begin with the same words."""

    def __init__(self, core: _Core):
        self._core = core

    def _call(self, method: str, *args: Any, **kwargs: Any) -> Any:
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
        self, method: Callable[_P, _T], *args: _P.args, **kwargs: _P.kwargs
    ) -> Pending[_T]:
        """Adds a call: 'batch.add(client.add, 1, 2)' for 'client.add(1, 2)'."""
        pending: Pending[_T] = Pending()
        self._calls.append((_recorded(self._core, method, args, kwargs), pending))
        return pending

    def notify(
        self, method: Callable[_P, object], *args: _P.args, **kwargs: _P.kwargs
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
        copy._core = _Core(core.url, more, limit, retry or core.retry, core.transport)
        return copy

    def batch(self) -> Batch:
        """Returns an empty batch: 'with client.batch() as batch: …'."""
        return Batch(self._core)

    def notify(
        self, method: Callable[_P, object], *args: _P.args, **kwargs: _P.kwargs
    ) -> None:
        """Makes a call that has no response: 'client.notify(client.log, "text")'."""
        request = _recorded(self._core, method, args, kwargs)
        self._core.exchange([request], [None], False)

    def call(self, method: str, *args: Any) -> Any:
        """Calls a procedure whose name is known only at run time."""
        return self._core.call(method, args, {})

    def close(self) -> None:
        """Closes the connections of the client that are not in use."""
        close = getattr(self._core.transport, "close", None)
        if callable(close):
            close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
`
