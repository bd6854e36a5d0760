"""A program that uses the client of fixtures/generate/python-client: type checkers report the lines that end with "error"."""

import asyncio
import datetime
from decimal import Decimal
from typing import Dict, List, Optional, Set

import expected_client as made
import shop

client = made.Client("http://127.0.0.1:3000/rpc", headers={"Authorization": "Bearer x"}, timeout=5)
now = datetime.datetime.now(datetime.timezone.utc)

moved: made.Movement = client.stock.move("a", 2, now, note=None)
identity: int = moved["id"]
tags: Set[str] = moved["tags"]
by_shelf: Dict[int, float] = moved["byShelf"]
remark: Optional[str] = moved.get("remark")
total: Decimal = client.price.sum([Decimal(1)], shop.Money(Decimal(1), "EUR"))
text: str = client.find(1)
texts: List[str] = client.find("a", limit=1)
number: int = client.stock()
items: List[int] = list(client.later(2))
with client.stock.watch({"a"}) as movements:
    watched: made.Movement = next(movements)
for movement in client.stock.watch({"a"}):
    watched_at: datetime.datetime = movement["at"]
same: made.Client = client.with_options(timeout=None)

shape = client.shape({"kind": "circle", "radius": 1.5})
if shape["kind"] == "circle":
    radius: float = shape["radius"]

try:
    client.stock.move("none")
except made.NoSuchItem as problem:
    since: datetime.datetime = problem.data["since"]
except made.InvalidParams as problem:
    codes: List[str] = [issue.code for issue in problem.issues]

with client.batch() as batch:
    first = batch.add(client.stock.move, "a", count=3)
    second = batch.add(client.price.sum, [Decimal(1)])
count: int = first.value["count"]
price: Decimal = second.value


async def main() -> made.Movement:
    """A call that does not block the loop."""
    return await asyncio.to_thread(client.stock.move, "a", count=1)


client.later("a")  # error
strings: List[str] = list(client.later(2))  # error
client.stock.move(1)  # error
client.stock.move("a", cuont=1)  # error
client.stock.move("a", at="2026-01-02")  # error
client.stock.remove("a")  # error
wrong: str = moved["count"]  # error
client.shape({"kind": "circle", "side": 1.5})  # error
client.price.sum(["1.5"])  # error
batch.add(client.stock.move, 1)  # error
