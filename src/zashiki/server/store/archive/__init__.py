"""Backups: all rows of a store in one file, from any store and into any store.

Layer: above the stores. Only the commands `backup`, `restore` and `move-store` import it.
"""
