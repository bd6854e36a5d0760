"""python.py FILE ROUNDS SECONDS: the result, then microseconds of CPU that loads, a call and dumps take, one a line."""

import json
import sys
import time
import xmlrpc.client

with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()


def respond():
    params, _ = xmlrpc.client.loads(text)
    result = sum(params) if len(params) == 2 else params[0]
    return xmlrpc.client.dumps((result,), methodresponse=True)


print(json.dumps(respond()))
for _ in range(int(sys.argv[2])):
    start = time.process_time()
    calls = 0
    while time.process_time() - start < float(sys.argv[3]):
        respond()
        calls += 1
    print((time.process_time() - start) / calls * 1e6)
