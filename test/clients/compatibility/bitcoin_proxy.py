"""Calls a server with python-bitcoinlib's RawProxy. Usage: python3 bitcoin_proxy.py URL. Prints what came, as JSON."""

import json
import sys

import bitcoin.rpc


def outcome(call):
    try:
        return {"result": call()}
    except bitcoin.rpc.JSONRPCError as error:
        return {"error": [type(error).__name__, error.error["code"], error.error["message"]]}


user = sys.argv[1].replace("//", "//ada:secret@")
proxy = bitcoin.rpc.RawProxy(service_url=user)
stranger = bitcoin.rpc.RawProxy(service_url=sys.argv[1].replace("//", "//ada:wrong@"))
report = [
    outcome(lambda: proxy.add(1, 2)),
    outcome(lambda: proxy.note("bitcoinlib")),
    outcome(lambda: proxy.fail()),
    outcome(lambda: proxy.nothing()),
    outcome(lambda: stranger.add(1, 2)),
]
json.dump(report, sys.stdout)
