"""Types of bodies and answers, for annotations: `from bestow_sdk.types import GiftInput`."""

from ._event_types import Event as Event
from ._event_types import WebhookEvent as WebhookEvent
from ._options import ActOptions as ActOptions
from ._options import CallOptions as CallOptions
from ._options import ExpandActOptions as ExpandActOptions
from ._options import ExpandOptions as ExpandOptions
from ._options import GiftPart as GiftPart
from ._types import *  # noqa: F403
from ._webhook_types import *  # noqa: F403
