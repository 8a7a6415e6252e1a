# Made by scripts/make_sync.py from ../_async. Do not change it here.
# Code generated from openapi.json by npm run generate. DO NOT EDIT.
from __future__ import annotations

from .._frames import hides_variables
from .._options import CallOptions
from .._types import Category
from .._typing import Unpack
from .lists import Listing
from .send import Sender


@hides_variables
class CategoriesResource:
    """The categories of gifts."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, **options: Unpack[CallOptions]) -> Listing[Category]:
        """
        List categories.

        Everything that can be given, in one answer.
        """
        return Listing[Category](self._sender, "listCategories", options, frozenset(), "")
