"""Calls the application with its generated client, and prints what it gets. Usage: generated.py URL KEY"""

import json
import sys

from tenants_client import AuthenticationError, Client, NoSuchInvoice, RpcError

url, key = sys.argv[1:]


def error(call, *args):
    try:
        return call(*args)
    except RpcError as caught:
        return [type(caught).__name__, caught.code, caught.data]


with Client(url) as anonymous, Client(url, x_api_key=key) as client:
    number = client.invoices.write("Generated", 800)["number"]
    with client.batch() as batch:
        version = batch.add(client.version)
        removed = batch.add(client.invoices.remove, number)
    print(
        json.dumps(
            {
                "anonymous": [anonymous.version(), error(anonymous.invoices.list)],
                "own": [each for each in client.invoices.list() if each["number"] == number],
                "rolled back": error(client.invoices.pay, [number, 999999]),
                "batch": [version.value, type(removed.error).__name__],
            }
        )
    )
