"""Verifies what the service signed, without the service: notes of C2SP's tlog-checkpoint, and trees of RFC 9162."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ._types import LedgerProof, LedgerStatement

_REWRITTEN = "The ledger does not continue the one of the earlier checkpoint: its history was changed."
_OTHER_TREE = "This proves another tree."


class LedgerVerificationError(Exception):
    """The ledger, or what came from it, was changed; or another key signed it."""


@dataclass(frozen=True)
class Checkpoint:
    """What a signed checkpoint says."""

    origin: str
    size: int
    root: str
    """Base64."""
    more: tuple[str, ...]
    """Further lines."""


def open_checkpoint(note: str, public_keys: Sequence[str]) -> Checkpoint:
    """
    Check the signature of a checkpoint.

    public_keys: in Base64, which you trust: those of `/.well-known/bestow-ledger-keys` that you have kept.
    """
    text, _, signatures = note.partition("\n\n")
    origin, _, rest = text.partition("\n")
    size, _, rest = rest.partition("\n")
    root, *more = rest.split("\n")
    start = f"\u2014 {origin} "
    for line in signatures.split("\n"):
        if line.startswith(start):
            signature = _bytes_of(line.removeprefix(start))
            if any(_is_signed(text, origin, signature, _bytes_of(key)) for key in public_keys):
                _insist(size.isascii() and size.isdigit(), "The checkpoint has no size.")
                return Checkpoint(origin, int(size), root, tuple(more))
    raise LedgerVerificationError("None of these keys signed the checkpoint.")


def _is_signed(text: str, origin: str, signature: bytes, key: bytes) -> bool:
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise ImportError("Proofs of the ledger need cryptography: pip install 'bestow-sdk[ledger]'.") from error
    identity = hashlib.sha256(f"{origin}\n".encode() + b"\x01" + key).digest()
    if len(key) != 32 or identity[:4] != signature[:4]:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature[4:], f"{text}\n".encode())
    except InvalidSignature:
        return False
    return True


def verify_inclusion(proof: LedgerProof, public_keys: Sequence[str]) -> dict[str, Any]:
    """Verify that an entry is in the ledger (RFC 9162, 2.1.3.2), and return the entry."""
    checkpoint = open_checkpoint(proof["checkpoint"], public_keys)
    entry, index = proof.get("entry", ""), proof.get("index", 0)
    is_right = proof["type"] == "inclusion" and proof["size"] == checkpoint.size and 0 <= index < checkpoint.size
    _insist(is_right, _OTHER_TREE)
    place, last, found = index, checkpoint.size - 1, _leaf_of(entry)
    for hash in map(_bytes_of, proof["hashes"]):
        _insist(last > 0, "The proof is too long.")
        if place % 2 == 1 or place == last:
            found = _node_of(hash, found)
            while place > 0 and place % 2 == 0:
                place, last = place // 2, last // 2
        else:
            found = _node_of(found, hash)
        place, last = place // 2, last // 2
    _insist(last == 0 and _text_of(found) == checkpoint.root, "The entry is not the one that was sealed.")
    parsed: dict[str, Any] = json.loads(entry)
    _insist(parsed.get("entry_id") == proof.get("entry_id"), "The proof is of another entry.")
    return parsed


def verify_consistency(earlier: str, proof: LedgerProof, public_keys: Sequence[str]) -> Checkpoint:
    """
    Verify that the ledger continues the one of an earlier checkpoint (RFC 9162, 2.1.4.2): nothing before it was changed
    or removed. Return the later checkpoint; keep its note.

    earlier: the note of a checkpoint that you kept.
    proof: the answer of `ledger.prove_consistency` to the size of that checkpoint.
    """
    first = open_checkpoint(earlier, public_keys)
    second = open_checkpoint(proof["checkpoint"], public_keys)
    _insist(first.origin == second.origin, "The checkpoints are of different ledgers.")
    _insist(proof["type"] == "consistency" and proof.get("from_size") == first.size, _OTHER_TREE)
    _insist(proof["size"] == second.size and first.size <= second.size, _OTHER_TREE)
    hashes = [_bytes_of(hash) for hash in proof["hashes"]]
    if first.size in (0, second.size):
        _insist(not hashes and (first.size == 0 or first.root == second.root), _REWRITTEN)
        return second
    is_power_of_two = first.size & (first.size - 1) == 0
    path = [_bytes_of(first.root), *hashes] if is_power_of_two else hashes
    _insist(len(path) > 0, _REWRITTEN)
    old, new = _walk_consistency(path, first.size, second.size)
    _insist(_text_of(old) == first.root and _text_of(new) == second.root, _REWRITTEN)
    return second


def _walk_consistency(path: list[bytes], first_size: int, second_size: int) -> tuple[bytes, bytes]:
    """Return the roots of the earlier and the later tree."""
    place, last = first_size - 1, second_size - 1
    while place % 2 == 1:
        place, last = place // 2, last // 2
    old = new = path[0]
    for hash in path[1:]:
        _insist(last > 0, "The proof is too long.")
        if place % 2 == 1 or place == last:
            old, new = _node_of(hash, old), _node_of(hash, new)
            while place > 0 and place % 2 == 0:
                place, last = place // 2, last // 2
        else:
            new = _node_of(new, hash)
        place, last = place // 2, last // 2
    _insist(last == 0, _REWRITTEN)
    return old, new


def verify_statement(statement: LedgerStatement, public_keys: Sequence[str]) -> Checkpoint:
    """Verify a statement without the service, and return its checkpoint."""
    checkpoint = open_checkpoint(statement["checkpoint"], public_keys)
    opening, closing, first_index = (
        statement["opening_balance"],
        statement["closing_balance"],
        statement["first_index"],
    )
    state = "final" if statement["is_final"] else "open"
    month, currency, entries = statement["month"], statement["currency"], statement["entries"]
    signed = f"statement 1 {month} {state} {currency} {first_index} {opening} {closing}"
    owner = f"bestow/ledger/{statement['organization_id']}/{statement['environment']}/"
    is_signed = f"{checkpoint.origin}/".startswith(owner) and checkpoint.more[:1] == (signed,)
    _insist(is_signed, "The statement was changed.")
    _insist(opening + sum(entry["amount"] for entry in entries) == closing, "The entries do not add up.")
    # As JSON.stringify writes an entry: a leaf of the tree is this text.
    leaves = (json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries)
    root = _root_of(map(_bytes_of, statement["before"]), first_index, leaves)
    is_whole = _text_of(root) == checkpoint.root and first_index + len(entries) == checkpoint.size
    _insist(is_whole, "The entries are not those that were sealed.")
    return checkpoint


def _root_of(before: Iterable[bytes], first_index: int, leaves: Iterable[str]) -> bytes:
    """Add leaves to a tree that is given by the roots of its full parts, the largest first."""
    peaks = list(before)
    for index, leaf in enumerate(leaves, first_index):
        root = _leaf_of(leaf)
        while index % 2 == 1 and peaks:
            root, index = _node_of(peaks.pop(), root), index // 2
        peaks.append(root)
    root = peaks.pop() if peaks else hashlib.sha256().digest()
    while peaks:
        root = _node_of(peaks.pop(), root)
    return root


def _insist(holds: bool, message: str) -> None:
    if not holds:
        raise LedgerVerificationError(message)


def _bytes_of(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise LedgerVerificationError("A hash, key or signature is not Base64.") from None


def _text_of(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _leaf_of(text: str) -> bytes:
    return hashlib.sha256(b"\x00" + text.encode()).digest()


def _node_of(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()
