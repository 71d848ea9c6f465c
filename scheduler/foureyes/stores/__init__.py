"""Where sessions are kept between boundaries and between processes."""

from foureyes.stores.base import Store
from foureyes.stores.memory import MemoryStore
from foureyes.stores.sqlite import SQLiteStore

__all__ = ["MemoryStore", "SQLiteStore", "Store"]
