from __future__ import annotations

from typing import Literal

from .._frames import hides_variables
from .._options import CallOptions
from .._types import DeletedContact
from .._typing import Unpack
from .contacts_methods import AsyncContactsMethods


@hides_variables
class AsyncContactsResource(AsyncContactsMethods):
    """People to whom the organization sends gifts."""

    async def delete(
        self, contact_id: str, unsent_gifts: Literal["cancel", "keep"] = "cancel", **options: Unpack[CallOptions]
    ) -> DeletedContact:
        """Delete a contact. Gifts that are ordered for it and not sent are canceled, unless `unsent_gifts` is `keep`.

        It is sent once, because a second request answers `resource_missing`.
        """
        params = {"unsent_gifts": None if unsent_gifts == "cancel" else unsent_gifts}
        return await self._sender.send(DeletedContact, "deleteContact", options, contact_id, params=params)
