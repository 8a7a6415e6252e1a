# Made by scripts/make_sync.py from ../_async. Do not change it here.
