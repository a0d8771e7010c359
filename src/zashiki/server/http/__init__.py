"""The REST endpoints, the pages and the operator's numbers.

A handler reads the request, calls one function of a lower package and shapes the answer. Layer:
below `app`, beside `realtime`. It may import `deps`, `services` and everything below.
"""
