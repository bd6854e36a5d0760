"""Calls a server with what Python has: xmlrpc.client, and JSON-RPC over http.client.

Usage: python3 python.py URL. Prints what came as JSON.
"""

import http.client
import json
import sys
import urllib.parse
import xmlrpc.client

url = sys.argv[1]
token = ("Authorization", "Bearer sesame")


def fault(call):
    try:
        return call()
    except xmlrpc.client.Fault as error:
        return [error.faultCode, error.faultString]


def xml():
    with xmlrpc.client.ServerProxy(url) as proxy, xmlrpc.client.ServerProxy(url, headers=[token]) as member:
        multicall = xmlrpc.client.MultiCall(proxy)
        multicall.add(3, 4)
        multicall.fail(7, "é")
        results = multicall()
        return {
            "add": proxy.add(1, 2),
            "text": proxy.echo.string("é😀"),
            "fault": fault(lambda: proxy.fail(7, "é")),
            "unknown": fault(lambda: proxy.nothing())[0],
            "multicall": [results[0], fault(lambda: results[1])],
            "help": proxy.system.methodHelp("add"),
            "rejected": fault(proxy.secret)[0],
            "secret": member.secret(),
        }


def jsonrpc():
    place = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(place.netloc)

    def send(message, **headers):
        body = json.dumps(message).encode()
        connection.request("POST", place.path, body, {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        text = response.read()
        return json.loads(text) if text else response.status

    def call(method, params, **more):
        return {"jsonrpc": "2.0", "method": method, "params": params, **more}

    responses = {
        "add": send(call("add", [1, 2], id=1)),
        "named": send(call("add", {"a": 1, "b": 2}, id="é")),
        "batch": send([call("add", [i, i], id=i) for i in range(3)]),
        "notification": send(call("add", [1, 2])),
        "rejected": send(call("secret", [], id=1))["error"]["code"],
        "secret": send(call("secret", [], id=1), **dict([token])),
    }
    connection.close()
    return responses


json.dump({"xml": xml(), "json": jsonrpc()}, sys.stdout)
