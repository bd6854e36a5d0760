# python3 server.py serves a few procedures on a free port, and says which.
import datetime
import xmlrpc.client
from xmlrpc.server import SimpleXMLRPCServer

server = SimpleXMLRPCServer(("127.0.0.1", 0), allow_none=True, logRequests=False, use_builtin_types=True)
server.register_multicall_functions()
server.register_introspection_functions()


def fail(code, message):
    raise xmlrpc.client.Fault(code, message)


functions = {
    "echo": lambda value: value,
    "kind": lambda value: type(value).__name__,
    "add": lambda a, b: a + b,
    "nothing": lambda: None,
    "fail": fail,
    "divide": lambda a, b: a / b,
    "when": lambda: datetime.datetime(2024, 7, 10, 12, 34, 56),
    "blob": lambda: b"\x00\xff",
}
for name, function in functions.items():
    server.register_function(function, name)
    server.register_function(function, "py." + name)
print("http://127.0.0.1:%d/RPC2 answers" % server.server_address[1], flush=True)
server.serve_forever()
