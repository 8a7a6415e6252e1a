"""What the fake takes from the service as data: operations, bodies, errors, test addresses and the catalog."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

RULES: dict[str, Any] = json.loads(Path(__file__).with_name("rules.json").read_text(encoding="utf-8"))
