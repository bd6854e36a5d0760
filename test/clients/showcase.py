"""Calls every procedure of fixtures/showcase with Python's own client and prints what came, tagged by type, as JSON.

Usage: python3 showcase.py URL. The test that starts this script judges the values.
"""

import datetime
import json
import sys
import xmlrpc.client

url = sys.argv[1]
plain = xmlrpc.client.ServerProxy(url, allow_none=True)
builtin = xmlrpc.client.ServerProxy(url, allow_none=True, use_builtin_types=True)
called = set()


def tagged(value):
    """Says a value together with its exact type; bool before int, whose subclass it is."""
    if value is None:
        return {"none": None}
    if type(value) is bool:
        return {"bool": value}
    if type(value) is int:
        return {"int": str(value)}
    if type(value) is float:
        return {"float": repr(value)}
    if type(value) is str:
        return {"str": value}
    if type(value) is bytes:
        return {"bytes": value.hex()}
    if type(value) is xmlrpc.client.Binary:
        return {"Binary": value.data.hex()}
    if type(value) is datetime.datetime:
        return {"datetime": value.isoformat()}
    if type(value) is xmlrpc.client.DateTime:
        return {"DateTime": value.value}
    if type(value) is list:
        return {"list": [tagged(each) for each in value]}
    if type(value) is dict:
        return {"dict": {name: tagged(each) for name, each in value.items()}}
    raise TypeError(f"unexpected {type(value)}")


def answer(call):
    try:
        return tagged(call())
    except xmlrpc.client.Fault as fault:
        return {"fault": [fault.faultCode, fault.faultString]}


def ask(method, *params, proxy=builtin):
    called.add(method)
    return answer(lambda: getattr(proxy, method)(*params))


def multicall():
    calls = xmlrpc.client.MultiCall(builtin)
    calls.quote(1, 3)
    calls.getTool(99)
    calls.user.find("Nobody")
    calls.closeBooks(datetime.datetime(2026, 5, 4))
    results = calls()
    return [answer(lambda: results[i]) for i in range(4)]


photo = b"\x89PNG\r\n\x1a\n\x02"
start = datetime.datetime(2026, 5, 4, 9)
order = {
    "user": "ada",
    "from": start,
    "lines": [{"toolId": 1, "days": 3}, {"toolId": 2}],
    "deliverTo": {"street": "Mill Lane 1", "city": "York"},
}

report = {
    "listTools": ask("listTools"),
    "listTools category": ask("listTools", "garden"),
    "listTools limit": ask("listTools", "wood", 1),
    "listTools other category": ask("listTools", "stone"),
    "getTool": ask("getTool", 4),
    "getTool plain": ask("getTool", 4, proxy=plain),
    "getTool absent": ask("getTool", 99),
    "toolPhoto": ask("toolPhoto", 2),
    "toolPhoto plain": ask("toolPhoto", 2, proxy=plain),
    "checkPhoto": ask("checkPhoto", photo),
    "checkPhoto plain": ask("checkPhoto", xmlrpc.client.Binary(b""), "empty.png", proxy=plain),
    "checkPhoto long": ask("checkPhoto", bytes(range(256)) * 4, "noise"),
    "serialNumber": ask("serialNumber", 1),
    "kilograms integral": ask("kilograms", 2000),
    "kilograms fraction": ask("kilograms", 1500.0),
    "user.create": ask("user.create", "Lin & Söhne <x> 🪚", start),
    "user.create all": ask("user.create", " Lin ", start, {"street": "A", "city": "B", "zip": ""}, ["new", ""]),
    "user.create undeclared": ask("user.create", "Lin", start, {"street": "A", "city": "B", "admin": True}),
    "user.create plain": ask("user.create", "Lin", xmlrpc.client.DateTime("20260504T09:00:00"), proxy=plain),
    "user.find": ask("user.find", "Ada"),
    "user.find none": ask("user.find", "Nobody"),
    "greet": ask("greet", "Ada"),
    "greet greeting": ask("greet", "Ada", "Good morning"),
    "dueDate": ask("dueDate", start),
    "dueDate days": ask("dueDate", start, 1),
    "dueDate plain": ask("dueDate", xmlrpc.client.DateTime("20260504T09:00:00"), proxy=plain),
    "dueDate none": ask("dueDate", start, None),
    "quote": ask("quote", 1),
    "quote integral": ask("quote", 2, 3),
    "quote discount": ask("quote", 1, 10, 0.5),
    "quote wrong type": ask("quote", "one"),
    "quote too few": ask("quote"),
    "quote too many": ask("quote", 1, 2, 0.5, 4),
    "quote fraction": ask("quote", 1.5),
    "borrow": ask("borrow", order),
    "borrow nothing": ask("borrow", {"user": "ada", "from": start, "lines": []}),
    "borrow wrong member": ask("borrow", {"user": "ada", "from": start, "lines": [{"toolId": "1"}]}),
    "sumFees none": ask("sumFees", "EUR"),
    "sumFees": ask("sumFees", "CHF", 0.5, 1, 1.25),
    "cancelLoan": ask("cancelLoan", "L-1"),
    "cancelLoan absent": ask("cancelLoan", "1"),
    "countTools": ask("countTools"),
    "averageDays": ask("averageDays", [2, 4]),
    "averageDays none": ask("averageDays", []),
    "openingHours": ask("openingHours", "saturday"),
    "openingHours closed": ask("openingHours", "sunday"),
    "closeBooks": ask("closeBooks", start),
    "unknown method": answer(lambda: builtin.nothing.of.that.name()),
    "signature": answer(lambda: builtin.system.methodSignature("quote")),
    "signature rest": answer(lambda: builtin.system.methodSignature("sumFees")),
    "signature context": answer(lambda: builtin.system.methodSignature("greet")),
    "help": answer(lambda: builtin.system.methodHelp("quote")),
    "help tags": answer(lambda: builtin.system.methodHelp("user.find")),
}

json.dump(
    {
        "called": sorted(called),
        "methods": builtin.system.listMethods(),
        "answers": report,
        "multicall": multicall(),
    },
    sys.stdout,
)
