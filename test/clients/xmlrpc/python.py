"""Calls the test server with Python's own XML-RPC client.

Usage: python3 python.py URL OPTIONS, where OPTIONS names the options of ServerProxy to set, joined by commas. Reads a list of
{method, params} from stdin, the params tagged by type, and prints what came, tagged likewise, as JSON.
"""

import datetime
import json
import sys
import xmlrpc.client

options = {name: True for name in sys.argv[2].split(",") if name}
builtin = "use_builtin_types" in options
proxy = xmlrpc.client.ServerProxy(sys.argv[1], **options)


def untag(tagged):
    [(type_, value)] = tagged.items()
    if type_ == "double":
        return float(value)
    if type_ == "date":
        moment = datetime.datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ")
        return moment if builtin else xmlrpc.client.DateTime(moment)
    if type_ == "bytes":
        return bytes.fromhex(value) if builtin else xmlrpc.client.Binary(bytes.fromhex(value))
    if type_ == "array":
        return [untag(each) for each in value]
    if type_ == "struct":
        return {name: untag(each) for name, each in value.items()}
    return value


def tag(value):
    """Says a value together with its exact type."""
    if value is None:
        return {"nil": None}
    if type(value) is bool:
        return {"boolean": value}
    if type(value) is int:
        return {"int": value} if abs(value) < 2**32 else {"i8": str(value)}
    if type(value) is float:
        return {"double": value}
    if type(value) is str:
        return {"string": value}
    if type(value) is (bytes if builtin else xmlrpc.client.Binary):
        return {"bytes": (value if builtin else value.data).hex()}
    if builtin and type(value) is datetime.datetime:
        return {"date": value.isoformat() + "Z"}
    if not builtin and type(value) is xmlrpc.client.DateTime:
        return {"date": datetime.datetime.strptime(value.value, "%Y%m%dT%H:%M:%S").isoformat() + "Z"}
    if type(value) is list:
        return {"array": [tag(each) for each in value]}
    if type(value) is dict:
        return {"struct": {name: tag(each) for name, each in value.items()}}
    raise TypeError(f"unexpected {type(value)}")


def outcome(function):
    try:
        return tag(function())
    except xmlrpc.client.Fault as fault:
        return {"fault": [fault.faultCode, fault.faultString]}
    except (TypeError, OverflowError) as error:
        return {"unsupported": str(error)}


def call(method, params):
    return outcome(lambda: getattr(proxy, method)(*map(untag, params)))


def multicall():
    """The same procedures through MultiCall, which raises a fault when its result is looked at."""
    calls = xmlrpc.client.MultiCall(proxy)
    calls.subtract(42, 23)
    calls.fail(7, "é")
    calls.later("ü")
    results = calls()
    return [outcome(lambda i=i: results[i]) for i in range(3)]


entries = json.load(sys.stdin)
json.dump({"responses": [call(**each) for each in entries], "multicall": multicall()}, sys.stdout)
