"""Calls servers with Python's XML-RPC client.

Usage: python3 integers.py URL METHOD ARGUMENT ..., each ARGUMENT `none`, `integer` or `text`. Prints the type and the text of each
result, or the error, as JSON.
"""

import json
import sys
from xmlrpc.client import Fault, ServerProxy

arguments = {"none": [], "integer": [4006381333931], "text": ["4006381333931"]}


def outcome(url, method, argument):
    try:
        result = getattr(ServerProxy(url), method)(*arguments[argument])
        return [type(result).__name__, str(result)]
    except Fault as fault:
        return ["error", fault.faultString]
    except OverflowError as error:
        return ["error", str(error)]


calls = sys.argv[1:]
print(json.dumps([outcome(*calls[i : i + 3]) for i in range(0, len(calls), 3)]))
