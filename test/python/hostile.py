"""Checks a client that was generated from hostile names and docs: it has no code but that of every client.

Usage: python3 hostile.py MODULE VALUE, in an empty folder, where such code would make something.
"""

import ast
import importlib.util
import json
import os
import sys

path, sent = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()

# What the generated part calls where it is defined.
known = {"TypedDict", "_Struct", "_Procedure", "_Ref", "_Is", "_Union", "_List", "_Text", "_Map", "TypeVar", "ParamSpec"}
tree = ast.parse(text)
named = [node for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign))]
calls = [node.func for each in named for node in ast.walk(each) if isinstance(node, ast.Call)]
names = {each.id for each in calls if isinstance(each, ast.Name)}
assert names <= known | {"object", "_Any", "_Scalar"}, names
assert all(isinstance(each, ast.Name) for each in calls)
client = next(each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "Client")
for method in client.body[1:]:
    kinds = [type(each) for each in method.body]
    assert set(kinds) <= {ast.Expr, ast.Return}, kinds

spec = importlib.util.spec_from_file_location("made", path)
made = importlib.util.module_from_spec(spec)
sys.modules["made"] = made
spec.loader.exec_module(made)
assert not os.listdir("."), os.listdir(".")

values = []


def transport(url, headers, body, timeout):
    values.append(json.loads(body)["params"][0])
    return 200, {}, json.dumps({"jsonrpc": "2.0", "id": 1, "result": values[-1]}).encode()


value = json.loads(sent)
assert made.Client("http://127.0.0.1/", transport=transport).echo(value) == value
assert values == [value]
assert not [each for each in text if each in "\u2028\u2029\u202e\ufeff\x0c"]
