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


def outcome(call):
    try:
        return tagged(call())
    except xmlrpc.client.Fault as fault:
        return {"fault": [fault.faultCode, fault.faultString]}


def call(method, *params, proxy=builtin):
    called.add(method)
    return outcome(lambda: getattr(proxy, method)(*params))


def multicall():
    calls = xmlrpc.client.MultiCall(builtin)
    calls.price(1, 3)
    calls.getTool(99)
    calls.user.find("Nobody")
    calls.closeBooks(datetime.datetime(2026, 5, 4))
    results = calls()
    return [outcome(lambda: results[i]) for i in range(4)]


photo = b"\x89PNG\r\n\x1a\n\x02"
start = datetime.datetime(2026, 5, 4, 9)
order = {
    "user": "ada",
    "from": start,
    "lines": [{"toolId": 1, "days": 3}, {"toolId": 2}],
    "deliverTo": {"street": "Mill Lane 1", "city": "York"},
}

report = {
    "listTools": call("listTools"),
    "listTools category": call("listTools", "garden"),
    "listTools limit": call("listTools", "wood", 1),
    "listTools other category": call("listTools", "stone"),
    "getTool": call("getTool", 4),
    "getTool plain": call("getTool", 4, proxy=plain),
    "getTool absent": call("getTool", 99),
    "toolPhoto": call("toolPhoto", 2),
    "toolPhoto plain": call("toolPhoto", 2, proxy=plain),
    "checkPhoto": call("checkPhoto", photo),
    "checkPhoto plain": call("checkPhoto", xmlrpc.client.Binary(b""), "empty.png", proxy=plain),
    "checkPhoto long": call("checkPhoto", bytes(range(256)) * 4, "noise"),
    "serialNumber": call("serialNumber", 1),
    "kilograms integral": call("kilograms", 2000),
    "kilograms fraction": call("kilograms", 1500.0),
    "user.create": call("user.create", "Lin & Söhne <x> 🪚", start),
    "user.create all": call("user.create", " Lin ", start, {"street": "A", "city": "B", "zip": ""}, ["new", ""]),
    "user.create undeclared": call("user.create", "Lin", start, {"street": "A", "city": "B", "admin": True}),
    "user.create plain": call("user.create", "Lin", xmlrpc.client.DateTime("20260504T09:00:00"), proxy=plain),
    "user.find": call("user.find", "Ada"),
    "user.find none": call("user.find", "Nobody"),
    "greet": call("greet", "Ada"),
    "greet greeting": call("greet", "Ada", "Good morning"),
    "dueDate": call("dueDate", start),
    "dueDate days": call("dueDate", start, 1),
    "dueDate plain": call("dueDate", xmlrpc.client.DateTime("20260504T09:00:00"), proxy=plain),
    "dueDate none": call("dueDate", start, None),
    "price": call("price", 1),
    "price integral": call("price", 2, 3),
    "price discount": call("price", 1, 10, 0.5),
    "price wrong type": call("price", "one"),
    "price too few": call("price"),
    "price too many": call("price", 1, 2, 0.5, 4),
    "price fraction": call("price", 1.5),
    "borrow": call("borrow", order),
    "borrow nothing": call("borrow", {"user": "ada", "from": start, "lines": []}),
    "borrow wrong member": call("borrow", {"user": "ada", "from": start, "lines": [{"toolId": "1"}]}),
    "sumFees none": call("sumFees", "EUR"),
    "sumFees": call("sumFees", "CHF", 0.5, 1, 1.25),
    "cancelLoan": call("cancelLoan", "L-1"),
    "cancelLoan absent": call("cancelLoan", "1"),
    "countTools": call("countTools"),
    "averageDays": call("averageDays", [2, 4]),
    "averageDays none": call("averageDays", []),
    "openingHours": call("openingHours", "saturday"),
    "openingHours closed": call("openingHours", "sunday"),
    "closeBooks": call("closeBooks", start),
    "unknown method": outcome(lambda: builtin.nothing.of.that.name()),
    "signature": outcome(lambda: builtin.system.methodSignature("price")),
    "signature rest": outcome(lambda: builtin.system.methodSignature("sumFees")),
    "signature context": outcome(lambda: builtin.system.methodSignature("greet")),
    "help": outcome(lambda: builtin.system.methodHelp("price")),
    "help tags": outcome(lambda: builtin.system.methodHelp("user.find")),
}

json.dump(
    {
        "called": sorted(called),
        "methods": builtin.system.listMethods(),
        "responses": report,
        "multicall": multicall(),
    },
    sys.stdout,
)
