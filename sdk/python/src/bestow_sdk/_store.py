from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from ._errors import Facts, StoreError
from ._frames import hides_variables
from ._json import parse_json
from ._operation import is_key

_STALE_SECONDS = 3600
_MOST_NAMES = 10


class Store(Protocol):
    """Keeps orders over a crash of the program. The asynchronous client calls it in a thread."""

    def keep(self, key: str, body: bytes) -> None:
        """Store the order durably before it is sent. If this raises an error, nothing is sent."""
        ...

    def forget(self, key: str) -> None:
        """Remove the order: it has a final answer. It may have been removed before."""
        ...

    def kept(self) -> Iterable[tuple[str, bytes]]:
        """Return the key and body of each kept order. A generator may raise an error about others last."""
        ...


def read_kept(store: Store) -> tuple[list[tuple[str, bytes]], StoreError | None]:
    """Return the orders that can be read, and the error about the others."""
    orders: list[tuple[str, bytes]] = []
    failures: list[str] = []
    cause: Exception | None = None
    try:
        for key, body in store.kept():
            if is_key(key):
                orders.append((key, body))
            else:
                failures.append(f"No request can carry the kept key {key!r}. See whether its order was placed, then forget it.")
    except Exception as error:
        cause = error
        failures.append(str(error) or type(error).__name__)
    if not failures:
        return orders, None
    failure = StoreError(" ".join(failures), Facts(outcome_unknown=True))
    failure.__cause__ = cause
    return orders, failure


def keep(store: Store, key: str, body: bytes) -> None:
    """Raise StoreError if the order cannot be kept."""
    try:
        store.keep(key, body)
    except Exception as error:
        message = f"The order was not sent, because it could not be kept. {str(error) or type(error).__name__}"
        raise StoreError(message, Facts(idempotency_key=key)) from error


@hides_variables
class FolderStore:
    """
    Keeps each order in a file of a folder, which several processes may share. Use one folder for each API key: a kept
    order is sent again with the key of the client that resumes it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._folder = Path(path)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise StoreError(f"{error.filename} is a file, or is below one. Pass the path of a folder.") from error

    def keep(self, key: str, body: bytes) -> None:
        target = self._file_of(key)
        with contextlib.suppress(FileNotFoundError):
            if parse_json(self._read(target)[1]) != parse_json(body):
                raise ValueError("Another order is kept with this key. Resume that one first. A new key is a new order.")
        record = json.dumps({"idempotency_key": key, "body": body.decode()}).encode()
        temporary = self._folder / f"{target.stem}.{secrets.token_hex(8)}.tmp"
        try:
            with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(record)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        self._flush_folder()

    def forget(self, key: str) -> None:
        self._file_of(key).unlink(missing_ok=True)

    def kept(self) -> Iterator[tuple[str, bytes]]:
        """Yield the orders that can be read. Then raise ValueError with the names of the other files."""
        self._remove_stale()
        failures: list[str] = []
        for file in sorted(self._folder.glob("*.json")):
            try:
                order = self._read(file)
            except FileNotFoundError:
                continue  # Another process has removed it.
            except (OSError, ValueError) as error:
                failures.append(str(error))
                continue
            yield order
        if failures:
            raise ValueError(f"Kept orders cannot be read: {'; '.join(failures[:_MOST_NAMES])}")

    def _file_of(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()}.json"

    def _read(self, file: Path) -> tuple[str, bytes]:
        record: Any = parse_json(file.read_bytes())
        with contextlib.suppress(AttributeError, KeyError, TypeError, ValueError):
            key, body = record["idempotency_key"], record["body"].encode()
            if file == self._file_of(key) and isinstance(parse_json(body), dict):
                return key, body
        raise ValueError(f"{file} holds no order of this name. Repair the file, or remove it.")

    def _flush_folder(self) -> None:
        """Make the new name durable. Windows cannot flush a folder."""
        if os.name == "nt":
            return
        descriptor = os.open(self._folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def _remove_stale(self) -> None:
        """Remove the temporary files of programs that were killed while they wrote."""
        for file in self._folder.glob("*.tmp"):
            with contextlib.suppress(FileNotFoundError):
                if time.time() - file.stat().st_mtime > _STALE_SECONDS:
                    file.unlink()
