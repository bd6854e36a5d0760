"""Calls the application with Python's own client of XML-RPC, and prints what it gets. Usage: stock.py URL KEY"""

import json
import sys
from xmlrpc.client import Fault, MultiCall, ServerProxy

url, key = sys.argv[1:]


def outcome(call, *args):
    try:
        return call(*args)
    except Fault as fault:
        return fault.faultCode


anonymous = ServerProxy(url)
rpc = ServerProxy(url, headers=[("X-Api-Key", key)], allow_none=True)

written = rpc.invoices.write("Stock", 700)
number = written["number"]
several = MultiCall(rpc)
several.version()
several.invoices.remove(number)
results = several()
print(
    json.dumps(
        {
            "anonymous": [outcome(anonymous.version), outcome(anonymous.invoices.list)],
            "own": [each for each in rpc.invoices.list() if each["number"] == number],
            "rolled back": outcome(rpc.invoices.pay, [number, 999999]),
            "paid": [each["paid"] for each in rpc.invoices.list() if each["number"] == number],
            "role": outcome(rpc.invoices.remove, number),
            "multicall": [results[0], outcome(results.__getitem__, 1)],
        }
    )
)
