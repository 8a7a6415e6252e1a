"""The fixture was recorded from a running service."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from bestow_sdk import (
    LedgerVerificationError,
    open_checkpoint,
    verify_consistency,
    verify_inclusion,
    verify_statement,
)

FIXTURE: Any = json.loads(Path(__file__).with_name("fixtures").joinpath("ledger.json").read_text())
KEYS: list[str] = FIXTURE["public_keys"]


def variants(value: Any) -> Iterator[Any]:
    """Other values of the same type."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, -value - 1)
    elif isinstance(value, list):
        items: list[Any] = value  # pyright: ignore[reportUnknownVariableType]
        yield [*items, items[0] if items else "AAAA"]
        if items:
            yield items[1:]
    elif isinstance(value, str) and "\n" in value:
        yield value.replace("\n", "x\n", 1)
        yield re.sub(r"(\u2014 \S+ .{20})(.)", lambda at: at[1] + ("B" if at[2] == "A" else "A"), value)
    elif isinstance(value, str):
        yield from (f"{value}x", value[:-1] + ("b" if value[-1:] == "a" else "a"))


def forgeries(signed: Any) -> Iterator[Any]:
    for name, value in signed.items():
        for changed in variants(value) if name not in ("object", "version") else ():
            yield {**signed, name: changed}


def test_checkpoints_are_opened() -> None:
    for checkpoint in FIXTURE["checkpoints"]:
        opened = open_checkpoint(checkpoint["note"], [base64.b64encode(b"x" * 32).decode(), *KEYS])
        assert (opened.origin, opened.size, opened.root) == (
            checkpoint["origin"],
            checkpoint["size"],
            checkpoint["root"],
        )
    with pytest.raises(LedgerVerificationError, match="None of these keys"):
        open_checkpoint(FIXTURE["checkpoints"][0]["note"], ["A" * 43 + "="])
    with pytest.raises(LedgerVerificationError, match="not Base64"):
        open_checkpoint(FIXTURE["checkpoints"][0]["note"], ["?"])


def signed_note(key: Ed25519PrivateKey, origin: str, size: int, root: str) -> str:
    text = f"{origin}\n{size}\n{root}\n"
    identity = hashlib.sha256(f"{origin}\n\x01".encode() + key.public_key().public_bytes_raw()).digest()[:4]
    return f"{text}\n\u2014 {origin} {base64.b64encode(identity + key.sign(text.encode())).decode()}\n"


def test_a_checkpoint_of_another_ledger_and_another_id_of_the_key_are_refused() -> None:
    key = Ed25519PrivateKey.generate()
    keys = [base64.b64encode(key.public_key().public_bytes_raw()).decode()]
    root = base64.b64encode(b"r" * 32).decode()
    one, other = (signed_note(key, f"bestow/ledger/{name}", 5, root) for name in ("one", "other"))
    proof: Any = {"type": "consistency", "from_size": 5, "size": 5, "hashes": [], "checkpoint": one}
    assert verify_consistency(one, proof, keys).size == 5
    with pytest.raises(LedgerVerificationError, match="different ledgers"):
        verify_consistency(other, proof, keys)
    start = "\u2014 bestow/ledger/one "
    first = one.partition(start)[2][0]
    with pytest.raises(LedgerVerificationError, match="None of these keys"):
        open_checkpoint(one.replace(start + first, start + ("B" if first == "A" else "A")), keys)


def test_every_entry_is_in_the_ledger_and_a_changed_proof_is_refused() -> None:
    for proof in FIXTURE["inclusion"]:
        assert verify_inclusion(proof, KEYS)["entry_id"] == proof["entry_id"]
        for forged in forgeries(proof):
            with pytest.raises(LedgerVerificationError):
                verify_inclusion(forged, KEYS)


def test_the_ledger_continues_every_earlier_checkpoint_and_a_changed_proof_is_refused() -> None:
    for case in FIXTURE["consistency"]:
        later = verify_consistency(case["earlier"], case["proof"], KEYS)
        assert later.size == FIXTURE["checkpoints"][-1]["size"]
        for forged in forgeries(case["proof"]):
            with pytest.raises(LedgerVerificationError):
                verify_consistency(case["earlier"], forged, KEYS)
    with pytest.raises(LedgerVerificationError, match="another tree"):
        verify_consistency(FIXTURE["checkpoints"][1]["note"], FIXTURE["consistency"][2]["proof"], KEYS)


def test_a_statement_is_verified_and_every_changed_field_is_refused() -> None:
    for statement in FIXTURE["statements"]:
        entries = statement["entries"]
        assert verify_statement(statement, KEYS).size == statement["first_index"] + len(entries)
        forged = [*forgeries(statement)]
        for index, entry in enumerate(entries):
            forged += [
                {**statement, "entries": [*entries[:index], changed, *entries[index + 1 :]]}
                for changed in ({**entry, name: other} for name, value in entry.items() for other in variants(value))
            ]
        for one in forged:
            with pytest.raises(LedgerVerificationError):
                verify_statement(one, KEYS)


def test_a_statement_has_texts_beyond_ascii() -> None:
    references = {entry.get("reference") for entry in FIXTURE["statements"][0]["entries"]}
    assert any(reference and "🎁" in reference and "\\" in reference for reference in references)


PROGRAM = """
import sys
sys.modules["cryptography"] = None
from bestow_sdk import open_checkpoint
try:
    open_checkpoint("a\\n1\\nb\\n\\n\\u2014 a AAAA\\n", ["AAAA"])
except ImportError as error:
    print(error)
"""


def test_without_cryptography_the_error_says_what_to_install() -> None:
    environment = {"PYTHONPATH": ":".join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment, check=True)
    assert ran.stdout.strip() == "Proofs of the ledger need cryptography: pip install 'bestow-sdk[ledger]'."
