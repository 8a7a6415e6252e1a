# Code generated from openapi.json by npm run generate. DO NOT EDIT.
from __future__ import annotations

from .._frames import hides_variables
from .._options import CallOptions
from .._types import Category
from .._typing import Unpack
from .lists import AsyncListing
from .send import AsyncSender


@hides_variables
class AsyncCategoriesResource:
    """The categories of gifts."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    def list(self, **options: Unpack[CallOptions]) -> AsyncListing[Category]:
        """
        List categories.

        Everything that can be given, in one answer.
        """
        return AsyncListing[Category](self._sender, "listCategories", options, frozenset(), "")
