# Made by scripts/make_sync.py from ../_async. Do not change it here.
# Code generated from openapi.json by npm run generate. DO NOT EDIT.
from __future__ import annotations

from .._frames import hides_variables
from .._options import CallOptions, split_options
from .._params import CONTACT_PARAMS, ContactParams, SaveContact
from .._plan import Extra
from .._types import Contact
from .._typing import Unpack
from .lists import Listing
from .send import Sender


@hides_variables
class ContactsMethods:
    """The people to whom you send gifts, with tags, a birthday and a work anniversary."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, **params: Unpack[ContactParams]) -> Listing[Contact]:
        """
        List contacts.

        All contacts of the organization in this environment, most recently added first.

        Codes of its errors: `cursor_invalid`.
        """
        return Listing[Contact](self._sender, "listContacts", params, CONTACT_PARAMS, "contact_id")

    def save(self, **members: Unpack[SaveContact]) -> Contact:
        """
        Create or update a contact.

        Changes the contact that has this `external_id`, or else this address, and creates it otherwise. A field that is
        left out stays as it is; None removes it, and `[]` all tags. Repeating the request changes nothing. Gifts that
        are ordered and not sent go to a new address.
        """
        body, options = split_options(members)
        return self._sender.send(Contact, "saveContact", options, extra=Extra(body))

    def retrieve(self, contact_id: str, **options: Unpack[CallOptions]) -> Contact:
        """
        Retrieve a contact.

        One contact, with its address, tags and days.

        Codes of its errors: `resource_missing`.
        """
        return self._sender.send(Contact, "retrieveContact", options, contact_id)
