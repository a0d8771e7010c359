"""The structs that go over the wire, and the schemas that are made of them.

`rest` has requests and answers over HTTP, `frames` the frames of a table's socket, and `workers`
those of a bot worker's. Layer: above `store`, below `ops`. It imports nothing else of the server.
"""
