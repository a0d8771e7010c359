"""The structs of the wire, and the schemas that are generated from them.

`rest` has HTTP requests and answers, `frames` the frames of a table's socket, and `workers` those
of a bot worker's. Layer: above `store`, below `ops`. It imports nothing else of the server.
"""
