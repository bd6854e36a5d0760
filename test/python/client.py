"""Tests the client of fixtures/generate/python-client. The environment has the address of its server."""

import asyncio
import enum
import json
import os
import pickle
import sys
import threading
import time
import unittest
import unittest.mock
import urllib.request
import warnings
from datetime import datetime, timedelta, timezone
from decimal import Decimal

import expected_client as made
from shop import Money

origin = os.environ["ORIGIN"]


def ask(path):
    with urllib.request.urlopen(f"{origin}{path}") as response:
        return json.load(response)


class Values(unittest.TestCase):
    def setUp(self):
        self.client = made.Client(f"{origin}/rpc")
        self.addCleanup(self.client.close)

    def test_results_are_values_of_python(self):
        at = datetime(2026, 1, 2, 3, 4, 5, 678000, timezone(timedelta(hours=1)))
        moved = self.client.stock.move("a", 2, at, "b")
        self.assertEqual(moved["id"], 2**70)
        self.assertEqual((moved["at"], moved["at"].utcoffset()), (at, timedelta(0)))
        self.assertEqual((moved["count"], moved["note"]), (2, "b"))
        self.assertEqual((moved["tags"], moved["byShelf"]), ({"a"}, {7: 1.5}))
        self.assertNotIn("label", moved)

    def test_none_is_not_missing(self):
        self.assertEqual(self.client.stock.move("a")["note"], "absent")
        self.assertIsNone(self.client.stock.move("a", note=None)["note"])
        self.assertEqual(self.client.stock.move("a", note=made.UNSET)["note"], "absent")
        self.assertEqual(self.client.stock.move("a", None, note="x")["count"], 1)
        self.assertEqual(self.client.notify_(None, "x"), "undefined x")

    def test_names_that_python_reserves(self):
        odd = {"from": "a", "content-type": "b", "str": "c", "say \"'\"\\ \"\"\"": True}
        self.assertEqual(self.client.odd(odd), odd)
        self.assertEqual(self.client.stock.import_("x", 1, odd), "x 1 a")
        self.assertEqual(self.client.stock.import_(from_="x", self_=1), "x 1 ")

    def test_branches_that_lack_a_member_raise_nothing(self):
        raised = []

        class Counted(made._Mismatch):
            def __init__(self, *args):
                raised.append(args)
                super().__init__(*args)

        def union(*members):
            return made._List(made._Union(*(made._Struct(each) for each in members)))

        def convert(of, values):
            with unittest.mock.patch.object(made, "_Mismatch", Counted):
                return made._convert(of, values, False, "m", ["result"])

        tags = [{"kind": made._Is(str(i)), "n": made._INT} for i in range(20)]
        values = [{"kind": str(i % 20), "n": i} for i in range(100)]
        self.assertEqual(convert(union(*tags), values), values)
        names = [{f"n{i}": made._INT} for i in range(20)]
        values = [{f"n{i % 20}": i} for i in range(100)]
        self.assertEqual(convert(union(*names), values), values)
        self.assertEqual(raised, [])
        with self.assertRaisesRegex(made.RpcValueError, r"result\[0\]\.n1: expected an int of 32 bits, got str"):
            convert(union(names[1]), [{"n1": "x"}])
        with self.assertRaisesRegex(made.RpcValueError, r"result\[0\]: expected a dict"):
            convert(union(*names), [{"n1": "x"}])

    def test_a_procedure_may_be_a_namespace_too(self):
        self.assertEqual(self.client.stock(), 3)

    def test_custom_scalars(self):
        total = self.client.price.sum([Decimal("1.5"), Decimal("2")], Money(Decimal("1"), "EUR"))
        self.assertEqual((total, type(total)), (Decimal("4.5"), Decimal))
        money = Money(Decimal("0.10"), "CHF")
        self.assertEqual(self.client.price.money(money), money)
        for wrong in ("1.5", 1.5, None):
            with self.assertRaisesRegex(made.RpcValueError, r"^price\.sum: prices\[1\]: expected Decimal"):
                self.client.price.sum([Decimal(1), wrong])

    def test_bytes_tuples_and_unions(self):
        self.assertEqual(self.client.photo(b"abc", (2,)), b"ab")
        self.assertEqual(self.client.photo(bytearray(b"abc"), (1, 7)), b"a")
        self.assertEqual(self.client.photo(memoryview(b"a-b-c")[::2], (2,)), b"ab")
        released = memoryview(b"abc")
        released.release()
        self.assertRaises(made.RpcValueError, self.client.photo, released, (2,))
        self.assertEqual(self.client.shape({"kind": "circle", "radius": 1}), {"kind": "circle", "radius": 1.0})
        deep = {"a": [1, None, {"b": [True, "x", 1.5]}]}
        self.assertEqual(self.client.json(deep), deep)

    def test_overloads(self):
        self.assertEqual(self.client.find(7), "7")
        self.assertEqual(self.client.find("a", limit=1), ["a"])
        self.assertEqual(self.client.find(method="a", limit=1), ["a"])
        for wrong in (lambda: self.client.find("a"), lambda: self.client.find(limit=1), lambda: self.client.find(x=1)):
            self.assertRaises((made.RpcValueError, TypeError), wrong)

    def test_wrong_arguments_are_not_sent(self):
        naive = datetime(2026, 1, 2)
        before = ask("/requests")
        for args, message in [
            (("a", 1.5), "stock.move: count: expected an int of 32 bits, got float"),
            (("a", True), "stock.move: count: expected an int of 32 bits, got bool"),
            (("a", 2**31), "stock.move: count: expected an int of 32 bits, got int"),
            ((1,), "stock.move: sku: expected a str, got int"),
            (("a", 1, naive), "stock.move: at: expected a datetime with a time zone, got datetime"),
        ]:
            with self.assertRaises(made.RpcValueError) as raised:
                self.client.stock.move(*args)
            self.assertEqual(str(raised.exception), message)
        with self.assertRaises(made.RpcValueError) as raised:
            self.client.shape({"kind": "square", "radius": 1})
        self.assertEqual(raised.exception.path, ("value", "side"))
        for call, message in [
            (lambda: self.client.shape({"kind": "circle", "radius": 1, "x": "y"}), "x: expected no member of this name, got str"),
            (lambda: self.client.photo(b"abc", (1, 2, 3)), "a tuple of another length, got tuple"),
        ]:
            with self.assertRaisesRegex(made.RpcValueError, message):
                call()
        loop = []
        loop.append(loop)
        with self.assertRaisesRegex(made.RpcValueError, "less nesting"):
            self.client.json(loop)
        self.assertEqual(ask("/requests"), before)


    def test_a_member_of_a_class_of_str_and_enum(self):
        class Shelf(str, enum.Enum):
            HIGH = "high"

        self.assertEqual(self.client.stock.move(Shelf.HIGH)["sku"], "high")

    def test_more_digits_than_python_reads(self):
        digits = "1" * 5000
        either = made._Union(made._Integer(1), made._STR)
        self.assertEqual(made._convert(either, digits, False, "either", []), digits)
        self.assertEqual(made._convert(either, "1", False, "either", []), 1)
        with self.assertRaisesRegex(made.RpcValueError, "expected an int, got str"):
            made._convert(made._BIGINT, digits, False, "large", [])


class Errors(unittest.TestCase):
    def setUp(self):
        self.client = made.Client(f"{origin}/rpc")
        self.addCleanup(self.client.close)

    def test_declared_errors_have_data(self):
        with self.assertRaises(made.NoSuchItem) as raised:
            self.client.stock.move("none")
        error = raised.exception
        self.assertEqual((error.code, error.message, str(error)), (4040, "No such item", "No such item (4040)"))
        self.assertEqual(error.data, {"sku": "none", "since": datetime(1970, 1, 1, tzinfo=timezone.utc)})
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), again.data), (made.NoSuchItem, error.data))
        with self.assertRaises(made.Error4090) as raised:
            self.client.stock.move("closed")
        self.assertEqual(raised.exception.data, {"until": datetime(1970, 1, 1, tzinfo=timezone.utc)})

    def test_other_data_is_another_error(self):
        with self.assertRaises(made.RpcError) as raised:
            self.client.stock.move("odd")
        self.assertEqual((type(raised.exception), raised.exception.data), (made.RpcError, [1]))

    def test_issues(self):
        with self.assertRaises(made.InvalidParams) as raised:
            self.client.stock.move("a", 0)
        [issue] = raised.exception.issues
        self.assertEqual((issue.path, issue.code, issue.limit), (("count",), "minimum", 1))
        self.assertEqual(issue.message, "expected int >= 1, received int below 1")

    def test_errors_of_the_server(self):
        with self.assertRaises(made.InternalError) as raised:
            self.client.fail()
        self.assertNotIn("secret", str(raised.exception))
        self.assertRaises(made.MethodNotFound, self.client.call, "nowhere", 1)
        self.assertEqual(self.client.call("stock"), 3)

    def test_responses_that_are_none(self):
        for path, reason in [
            ("/html", "the response is not JSON: HTTP status 502"),
            ("/nan", "the response is not JSON"),
            ("/other-id", "the response has no result"),
            ("/code", "the code of an error is not an integer: .*E7.*sold out"),
            ("/large", "the response exceeds"),
            ("/cut", "the response ends after 1 of 100 bytes"),
        ]:
            client = made.Client(origin + path, transport=made.HttpTransport(max_response_bytes=10_000))
            with self.assertRaisesRegex(made.TransportError, reason):
                client.stock()
            client.close()
        with self.assertRaises(made.RpcValueError) as raised:
            made.Client(f"{origin}/wrong").stock()
        self.assertEqual(str(raised.exception), "stock: result: expected an int of 32 bits, got str")

    def test_urls(self):
        for url in ("/rpc", "ftp://a/", "http://", "http://user:secret@127.0.0.1/"):
            with self.assertRaises(ValueError) as raised:
                made.Client(url)
            self.assertNotIn("secret", str(raised.exception))

    def test_deprecated_procedures_warn_the_caller(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            self.assertEqual(self.client.stock.list("a", "b"), ["a", "b"])
        found = [(each.category, str(each.message), each.filename) for each in caught]
        self.assertEqual(found, [(DeprecationWarning, "stock.list is deprecated: use stock.move", __file__)])


class Requests(unittest.TestCase):
    def test_batches(self):
        with made.Client(f"{origin}/rpc") as client:
            before = ask("/requests")
            with client.batch() as batch:
                moved = batch.add(client.stock.move, "a", count=3)
                none = batch.add(client.stock.move, "none")
                found = batch.add(client.find, method="a", limit=1)
                count = batch.add(client.stock)
                batch.notify(client.stock.move, "b")
            self.assertEqual(ask("/requests"), before + 1)
            self.assertEqual((moved.value["count"], moved.error, count.value), (3, None, 3))
            self.assertIsInstance(none.error, made.NoSuchItem)
            self.assertRaises(made.NoSuchItem, lambda: none.value)
            with self.assertRaises(KeyError), client.batch() as batch:
                unsent = batch.add(client.stock)
                raise KeyError
            self.assertRaises(made.TransportError, lambda: unsent.value)
            self.assertRaises(made.RpcValueError, client.batch().add, client.stock.move, 1)
            self.assertRaises(TypeError, client.batch().add, len, [])
            client.batch().send()

    def test_notifications(self):
        with made.Client(f"{origin}/rpc") as client:
            self.assertIsNone(client.notify(client.stock.move, "none"))

    def test_notifications_that_are_rejected(self):
        error = b'{"jsonrpc":"2.0","error":{"code":-32098,"message":"who?"},"id":null}'
        for status, body, kind in [
            (200, error, made.AuthenticationError),
            (401, error, made.AuthenticationError),
            (401, b'{"error":"unauthorized"}', made.TransportError),
            (500, b"{}", made.TransportError),
        ]:
            transport = unittest.mock.Mock(return_value=(status, {}, body))
            client = made.Client("http://127.0.0.1/", transport=transport)
            with self.subTest(body), self.assertRaises(kind) as raised:
                client.notify(client.stock)
            self.assertEqual(raised.exception.status, status)
        for body in (b"{}", b"[]", b"5", b'{"error":null}', b'{"jsonrpc":"2.0","result":1,"id":1}'):
            transport = unittest.mock.Mock(return_value=(200, {}, body))
            client = made.Client("http://127.0.0.1/", transport=transport)
            self.assertIsNone(client.notify(client.stock))

    def test_responses_before_the_response(self):
        with made.Client(f"{origin}/early") as client:
            self.assertEqual([client.stock.move(sku)["sku"] for sku in "abc"], ["a", "b", "c"])
            self.assertEqual(list(client.later(1)), [1])

    def test_headers(self):
        tokens = iter("abc")
        with made.Client(f"{origin}/rpc", headers=lambda: {"Authorization": next(tokens)}) as client:
            client.stock()
            client.stock()
            client.with_options(headers={"authorization": "mine", "X-Trace": "1"}).stock()
            sent = [(each.get("authorization"), each.get("x-trace")) for each in ask("/headers")[-3:]]
        self.assertEqual(sent, [("a", None), ("b", None), ("mine", "1")])

    def test_connections_are_kept(self):
        before = ask("/connections")
        with made.Client(f"{origin}/rpc") as client:
            for _ in range(5):
                client.stock()
                self.assertRaises(made.NoSuchItem, client.stock.move, "none")
        # One of the client, and one for the question.
        self.assertEqual(ask("/connections"), before + 2)

    def test_timeout(self):
        with made.Client(f"{origin}/slow", timeout=0.05, retry=made.Retry(attempts=0)) as client:
            with self.assertRaises(made.RpcTimeout) as raised:
                client.stock()
            self.assertIsInstance(raised.exception, TimeoutError)
            self.assertEqual(client.with_options(timeout=None).stock(), 3)

    def test_times_that_no_timeout_has(self):
        for timeout in (0, -1, float("nan"), float("inf"), 1e10):
            with self.assertRaisesRegex(ValueError, "the timeout has to be above 0"):
                made.Client(f"{origin}/rpc", timeout=timeout)
            with made.Client(f"{origin}/rpc") as client:
                self.assertRaises(ValueError, client.with_options, timeout=timeout)

    def test_timeout_is_that_of_the_whole_attempt(self):
        for path in ("/drip-head", "/drip-continue", "/drip-size", "/drip-body"):
            with self.subTest(path), made.Client(f"{origin}{path}", timeout=0.3) as client:
                start = time.monotonic()
                self.assertRaises(made.RpcTimeout, client.stock)
                self.assertLess(time.monotonic() - start, 5)

    def test_idempotent_calls_are_sent_again(self):
        retry = made.Retry(attempts=2, base=0.001)
        with made.Client(f"{origin}/busy", retry=retry) as client:
            self.assertEqual(client.stock.move("a")["sku"], "a")
            with self.assertRaisesRegex(made.TransportError, "HTTP status 503"):
                client.stock()
        with made.Client(f"{origin}/full", retry=retry) as client:
            before = ask("/requests")
            self.assertRaises(made.TransportError, client.stock.move, "a")
            # Retry-After exceeds the longest delay.
            self.assertEqual(ask("/requests"), before + 1)
        # The same would come again.
        large = made.HttpTransport(max_response_bytes=10_000)
        with made.Client(f"{origin}/large", retry=retry, transport=large) as client:
            before = ask("/requests")
            self.assertRaises(made.TransportError, client.stock.move, "a")
            self.assertEqual(ask("/requests"), before + 1)
        # Nobody listens there.
        with made.Client("http://127.0.0.1:1/", retry=retry) as client:
            self.assertRaises(made.TransportError, client.stock.move, "a")

    def test_any_number_of_attempts(self):
        sent = []

        def transport(*_):
            sent.append(1)
            raise ConnectionError("down")

        retry = made.Retry(attempts=1100, base=0.0, longest=0.0)
        client = made.Client("http://127.0.0.1/", retry=retry, transport=transport)
        with self.assertRaisesRegex(made.TransportError, "down"):
            client.stock.move("a")
        self.assertEqual(len(sent), 1101)

    def test_attempts_below_0_are_none(self):
        with made.Client(f"{origin}/rpc", retry=made.Retry(attempts=-1)) as client:
            self.assertEqual(client.stock.move("a")["sku"], "a")

    def test_a_retry_after_that_is_no_time(self):
        for day in ("Mon, 01 Jan 2026 00:00:00 +" + "9" * 20, "Mon, 01 Jan " + "9" * 25 + " 00:00:00 GMT"):
            busy = (503, {"Retry-After": day}, b"")
            retry = made.Retry(attempts=1, base=0.0)
            client = made.Client("http://127.0.0.1/", retry=retry, transport=lambda *_, busy=busy: busy)
            with self.assertRaisesRegex(made.TransportError, "HTTP status 503"):
                client.stock.move("a")

    def test_a_transport_of_the_caller(self):
        sent = []

        def transport(url, headers, body, timeout):
            sent.append((url, headers["Content-Type"], json.loads(body), timeout))
            return 200, {}, b'{"jsonrpc":"2.0","result":4,"id":1}'

        client = made.Client("https://example.org/rpc", transport=transport, timeout=5)
        self.assertEqual(client.stock(), 4)
        message = {"jsonrpc": "2.0", "method": "stock", "params": [], "id": 1}
        self.assertEqual(sent, [("https://example.org/rpc", "application/json", message, 5)])

    def test_threads_and_asyncio(self):
        with made.Client(f"{origin}/rpc") as client:
            results = []
            threads = [threading.Thread(target=lambda: results.append(client.stock())) for _ in range(8)]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
            self.assertEqual(results, [3] * 8)

            async def several():
                calls = (asyncio.to_thread(client.stock.move, f"{i}", count=i) for i in range(1, 6))
                return await asyncio.gather(*calls)

            self.assertEqual([each["count"] for each in asyncio.run(several())], [1, 2, 3, 4, 5])


class Streams(unittest.TestCase):
    def setUp(self):
        retry = made.Retry(attempts=2, base=0.001, longest=0.002)
        self.client = made.Client(f"{origin}/rpc", retry=retry)
        self.addCleanup(self.client.close)
        self.retry = retry

    def at(self, path, **options):
        return made.Client(f"{origin}{path}", **{"retry": self.retry, **options})

    def test_items_until_the_end(self):
        self.assertEqual(list(self.client.later(2)), [1, 2])
        self.assertEqual(list(self.client.later(0)), [])
        self.assertEqual(list(self.client.later(to=1)), [1])

    def test_items_are_values_of_python(self):
        with self.client.stock.watch({"a"}) as movements:
            first = next(movements)
            self.assertEqual((first["id"], first["sku"], first["tags"]), (2**70, "a", {"a"}))
            # The procedure waits: this does not.
        self.assertRaises(StopIteration, next, movements)

    def test_break_ends_it(self):
        before = ask("/streams")
        for movement in self.client.stock.watch({"a"}):
            self.assertEqual(movement["sku"], "a")
            break
        for _ in range(1000):
            if ask("/streams") == before:
                return
        self.fail("the stream has not ended")

    def test_errors(self):
        items = self.client.later(3)
        self.assertEqual([next(items), next(items), next(items)], [1, 2, 3])
        with self.assertRaises(made.RpcError) as raised:
            next(items)
        self.assertEqual((raised.exception.code, raised.exception.message), (7, "three"))
        self.assertRaises(StopIteration, next, items)
        # Arguments are checked at once, and the request is sent later.
        self.assertRaises(made.RpcValueError, self.client.later, "x")
        with self.assertRaises(made.NoSuchItem):
            next(self.client.stock.watch({"none"}))
        with self.assertRaises(made.MethodNotFound):
            next(self.at("/none").later(1))

    def test_a_lost_connection_is_resumed(self):
        before = ask("/requests")
        self.assertEqual(list(self.at("/broken").later(2)), [1, 2])
        ids = [each.get("last-event-id") for each in ask("/headers")[before:]]
        self.assertEqual(ids, [None, "1", "2"])
        with self.assertRaisesRegex(made.TransportError, "ended before its last event"):
            list(self.at("/without-ids").later(2))
        with self.assertRaises(made.TransportError):
            list(self.at("/html").later(2))
        with self.assertRaisesRegex(made.TransportError, "not a stream of events"):
            list(self.at("/plain").later(2))

    def test_a_server_determines_when_it_is_resumed(self):
        start = time.monotonic()
        retry = made.Retry(attempts=3, base=0.001, longest=0.002)
        self.assertEqual(list(self.at("/streams-busy", retry=retry).later(1)), [1])
        self.assertGreater(time.monotonic() - start, 1.95)

    def test_the_format_of_events(self):
        self.assertEqual(list(self.at("/odd-events").later(2)), [1, 2])
        with self.assertRaisesRegex(made.TransportError, "not JSON"):
            list(self.at("/wrong-events").later(2))
        transport = made.HttpTransport(max_response_bytes=1000)
        with self.assertRaisesRegex(made.TransportError, "exceeds 1000 bytes"):
            list(self.at("/large-event", transport=transport).later(2))
        for path in ("/large-lines", "/large-text"):
            with self.assertRaisesRegex(made.TransportError, "exceeds 1000 bytes"):
                list(self.at(path, transport=transport).later(2))
        self.assertEqual(list(self.at("/many-events", transport=transport).later(2)), [1])
        self.assertEqual(list(self.at("/odd-fields").later(2)), [1])

    def test_events_of_another_status(self):
        transport = made.HttpTransport(max_response_bytes=1000)
        with self.assertRaisesRegex(made.TransportError, "HTTP status 503") as raised:
            list(self.at("/events-503").later(1))
        self.assertEqual(raised.exception.status, 503)
        with self.assertRaisesRegex(made.TransportError, "exceeds 1000 bytes"):
            list(self.at("/many-events-503", transport=transport).later(1))

    def test_timeout(self):
        with self.at("/rpc", timeout=0.1).stock.watch({"a"}) as movements:
            next(movements)
            self.assertRaises(made.RpcTimeout, next, movements)

    def test_transports_of_the_caller(self):
        def transport(url, headers, body, timeout):
            return 200, {}, b""

        with self.assertRaisesRegex(TypeError, "has no method stream"):
            next(self.at("/rpc", transport=transport).later(1))

        class Own:
            def stream(self, url, headers, body, timeout):
                message = {"jsonrpc": "2.0", "method": "later", "params": {"result": 5}}
                last = {"jsonrpc": "2.0", "result": None, "id": 1}
                text = "".join(f"data: {json.dumps(each)}\n\n" for each in (message, last))
                self.sent = headers["Accept"], timeout
                return 200, {"content-type": "text/event-stream"}, (text[i : i + 1].encode() for i in range(len(text)))

        own = Own()
        self.assertEqual(list(self.at("/rpc", transport=own, timeout=9).later(1)), [5])
        self.assertEqual(own.sent, ("text/event-stream, application/json", 9))

    def test_an_iterator_without_close(self):
        sent = []

        class Own:
            def stream(self, url, headers, body, timeout):
                sent.append(headers.get("Last-Event-ID"))
                item = b'id: 1\ndata: {"jsonrpc":"2.0","method":"later","params":{"result":5}}\n\n'
                last = b'data: {"jsonrpc":"2.0","result":null,"id":1}\n\n'
                return 200, {"content-type": "text/event-stream"}, iter([item, last])

        self.assertEqual(list(self.at("/rpc", transport=Own()).later(1)), [5])
        self.assertEqual(sent, [None])

    def test_another_thread_ends_it(self):
        waiting = self.client.stock.watch({"a"})
        next(waiting)
        transport = made.HttpTransport()

        class Wrapped:
            def stream(self, url, headers, body, timeout):
                return transport.stream(url, headers, body, timeout)

        wrapped = self.at("/rpc", transport=Wrapped()).stock.watch({"a"})
        next(wrapped)
        # No response has begun.
        silent = self.at("/silent").later(1)
        # It waits before the call is sent again.
        resumed = self.at("/broken-forever", retry=made.Retry(attempts=9, base=60, longest=60)).later(1)
        next(resumed)
        for stream in (waiting, wrapped, silent, resumed):
            timer = threading.Timer(0.1, stream.close)
            timer.start()
            self.assertEqual(list(stream), [])
            timer.join()
            self.assertEqual(list(stream), [])

    def test_asyncio_ends_it(self):
        done = object()

        async def read():
            with self.client.stock.watch({"a"}) as movements:
                first = await asyncio.to_thread(next, movements, done)
                with self.assertRaises(asyncio.TimeoutError):
                    await asyncio.wait_for(asyncio.to_thread(next, movements, done), 0.05)
            # The end of 'run' waits for the thread.
            return first["sku"], next(movements, done) is done

        self.assertEqual(asyncio.run(read()), ("a", True))

    def test_the_client_ends_its_streams(self):
        before = ask("/streams")
        with self.at("/rpc") as client:
            movements = client.stock.watch({"a"})
            others = client.with_options(timeout=9).stock.watch({"a"})
            next(movements), next(others)
        self.assertEqual((list(movements), list(others)), ([], []))
        for _ in range(1000):
            if ask("/streams") == before:
                return
        self.fail("the streams have not ended")

    def test_a_lost_stream_has_the_number_of_its_items(self):
        with self.assertRaisesRegex(made.TransportError, r"the stream was lost \(items received: 1\)"):
            list(self.at("/lost").later(2))
        with self.assertRaisesRegex(made.TransportError, r"its last event \(items received: 1\)"):
            list(self.at("/without-ids").later(2))

    def test_batches_have_none(self):
        message = "later: a stream cannot be in a batch, nor be a notification"
        with self.assertRaisesRegex(TypeError, message):
            self.client.notify(self.client.later, 1)
        with self.assertRaisesRegex(TypeError, message):
            self.client.batch().add(self.client.later, 1)


if __name__ == "__main__":
    print(sys.version)
    unittest.main()
