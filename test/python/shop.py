"""The classes of custom scalars of fixtures/generate/python-client."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Dict


@dataclass(frozen=True)
class Money:
    """An amount in a currency."""

    amount: Decimal
    currency: str


def read_money(value: Dict[str, Any]) -> Money:
    """Makes an amount of what was received."""
    return Money(value["amount"], value["currency"])


def write_money(value: Money) -> Dict[str, Any]:
    """Returns what is sent for an amount."""
    return {"amount": value.amount, "currency": value.currency}
