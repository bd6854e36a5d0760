"""Calls with the package websockets: python3 python.py URL reads { calls, batch, word } and prints how everything ended."""

import asyncio
import json
import sys

import websockets


def request(method, params, call_id):
    return {"jsonrpc": "2.0", "method": method, "params": params, "id": call_id}


def outcome(response):
    return {"error": response["error"]} if "error" in response else {"result": response["result"]}


async def main(url):
    work = json.load(sys.stdin)
    async with websockets.connect(url) as socket:
        # All at once: the responses come as the calls end.
        for call_id, call in enumerate(work["calls"]):
            text = json.dumps(request(call["method"], call["params"], call_id))
            await socket.send(text if call_id % 2 else text.encode())
        responses = [json.loads(await socket.recv()) for _ in work["calls"]]
        by_id = {response["id"]: outcome(response) for response in responses}
        entries = [request(call["method"], call["params"], call_id) for call_id, call in enumerate(work["batch"])]
        await socket.send(json.dumps(entries))
        batch = {response["id"]: outcome(response) for response in json.loads(await socket.recv())}
        await socket.send(json.dumps({"jsonrpc": "2.0", "method": "note", "params": [work["word"]]}))
        await socket.send(json.dumps(request("announce", ["announcement", "heard"], "last")))
        announced = json.loads(await socket.recv())
        if announced != {"jsonrpc": "2.0", "method": "announcement", "params": ["heard"]}:
            raise AssertionError(announced)
        await socket.recv()
    print(json.dumps({"responses": [by_id[i] for i in sorted(by_id)], "batch": [batch[i] for i in sorted(batch)]}))


asyncio.run(main(sys.argv[1]))
