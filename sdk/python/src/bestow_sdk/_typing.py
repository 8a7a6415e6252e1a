"""Parts of `typing` that Python 3.10 does not have. Before 3.12 pydantic takes only those of typing_extensions."""

import sys

if sys.version_info >= (3, 12):
    from typing import NotRequired, TypedDict, Unpack
elif sys.version_info >= (3, 11):
    try:
        from typing_extensions import NotRequired, TypedDict, Unpack
    except ImportError:
        from typing import NotRequired, TypedDict, Unpack
else:
    from typing_extensions import NotRequired, TypedDict, Unpack

__all__ = ["NotRequired", "TypedDict", "Unpack"]
