"""Sets and dicts of numbers that Python gives one hash, from a hostile server. Usage: python3 hashes.py, in the folder of client.py."""

import json
import os
import sys

sys.path.insert(0, os.getcwd())
from client import Client, RpcValueError

# Python hashes an integer by the remainder of this number.
MODULUS = 2**61 - 1


def receive(result, method):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()
    client = Client("http://127.0.0.1/", transport=lambda *request: (200, {}, body))
    return getattr(client, method)()


def is_rejected(result, method):
    try:
        receive(result, method)
    except RpcValueError as error:
        assert "different hashes" in str(error), error
        return True
    return False


same = [i * MODULUS for i in range(1, 2000)]
other = list(range(2000))
assert is_rejected([str(i) for i in same], "numbers")
assert is_rejected([str(i) for i in other + same[:200]], "numbers")
# Doubles: of the powers of two, sixteen have one hash.
powers = [2.0**i for i in range(61, 1000)]
texts = {str(int(each)) if each < 1e21 else repr(each).replace(".0e", "e") for each in powers}
assert len(receive({each: "" for each in texts}, "byNumber")) == len(powers)
# Few of one hash, and equal values, are fine.
assert receive([str(i) for i in other + same[:50]], "numbers") == set(other + same[:50])
assert receive(["1", "2"] * 5000, "numbers") == {1, 2}
