# What each client has in place of this module: its types, errors and procedures.

from __future__ import annotations

from typing import Dict, Optional, Tuple, Type

from .calls import _Procedure
from .errors import RpcError
from .scalars import _Type

_TYPES: Dict[str, _Type] = {}

_ERRORS: Dict[int, Tuple[Type[RpcError], Optional[_Type]]] = {}

_PROCEDURES: Dict[str, _Procedure] = {}
