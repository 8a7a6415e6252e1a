"""The service in memory, for `bestow_sdk.fake`."""
