"""Previews of the links of tables in messengers: a text and a picture, made by the server.

Layer: above `tables`, beside `bots`.
"""
