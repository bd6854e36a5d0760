"""Checks a generated client with the values of a fixture.

Usage: python3 check.py MODULE URL < cases.json. Calls the server with the arguments of each case, and prints as JSON what
became of the results, and which wrong values the client has accepted.
"""

import datetime
import importlib.util
import inspect
import json
import sys
import warnings

warnings.simplefilter("ignore", DeprecationWarning)


def load(path):
    spec = importlib.util.spec_from_file_location("generated", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["generated"] = module
    spec.loader.exec_module(module)
    return module


made = load(sys.argv[1])
url = sys.argv[2]
cases = json.load(sys.stdin)
transport = made.HttpTransport()


def method_of(name):
    """The class and the method that call a procedure."""
    for each in vars(made).values():
        if inspect.isclass(each) and issubclass(each, made._Namespace):
            for key, function in vars(each).items():
                if inspect.isfunction(function) and name in function.__code__.co_consts:
                    return each, key
    raise LookupError(name)


def native(procedure, args):
    """Values of Python for values of JSON, by the types of the parameters."""
    values = []
    for i, value in enumerate(args):
        param = procedure._params[i] if i < len(procedure._params) else procedure._rest
        is_absent = value is None and len(param) > 2
        values.append(None if is_absent else param[1].convert(value, made._Way(False)))
    return values


def call(case):
    procedure = made._PROCEDURES[case["method"]]
    client = made.Client(f"{url}/{case['id']}", transport=transport)
    owner, name = method_of(case["method"])
    namespace = object.__new__(owner)
    namespace._core = client._core
    result = getattr(namespace, name)(*native(procedure, case["args"]))
    return procedure.result.convert(result, made._Way(True))


JUNK = [
    None,
    True,
    0,
    1.5,
    2**31,
    10**30,
    float("nan"),
    "x",
    "12",
    [],
    [1],
    {},
    {"a": 1},
    {1: 2},
    datetime.datetime(2026, 1, 2),
    datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc),
    b"x",
    {1},
    object(),
]


def spoiled(value):
    """A value with something else at one of its places, and with a member more or less."""
    yield from JUNK
    if isinstance(value, dict):
        yield {**value, "undeclared": 1}
        for key, each in value.items():
            yield {name: other for name, other in value.items() if name != key}
            for other in spoiled(each):
                yield {**value, key: other}
    elif isinstance(value, (list, tuple)):
        for i, each in enumerate(value):
            for other in spoiled(each):
                yield type(value)([*value[:i], other, *value[i + 1 :]])


def accepted(case, most):
    """The params that the client sends for arguments of which one is probably wrong, and how many it rejects."""
    procedure = made._PROCEDURES[case["method"]]
    args = native(procedure, case["args"])
    wrong = [[*args[:i], other, *args[i + 1 :]] for i, each in enumerate(args) for other in spoiled(each)]
    step = max(1, len(wrong) // most)
    sent, rejected = [], 0
    for each in wrong[::step]:
        try:
            sent.append(procedure.encode(case["method"], each, {}))
        except (made.RpcValueError, TypeError):
            rejected += 1
    return {"method": case["method"], "sent": sent, "rejected": rejected}


def wrong_result(each):
    try:
        made._PROCEDURES[each["method"]].result.convert(each["result"], made._Way(False))
    except made._Mismatch:
        return None
    return each


results = [call(case) for case in cases["calls"]]
transport.close()
mutated = [accepted(case, cases["most"]) for case in cases["mutated"]]
unnoticed = [each for each in map(wrong_result, cases["wrong"]) if each]
print(json.dumps({"results": results, "mutated": mutated, "unnoticed": unnoticed}))
