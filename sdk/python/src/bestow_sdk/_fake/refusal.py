from __future__ import annotations


class Refusal(Exception):
    """An error of the interface."""

    def __init__(self, code: str, **details: str) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


def invalid(param: str, rule: str) -> Refusal:
    return Refusal("parameter_invalid", param=param, message=f"{param} {rule}.")
