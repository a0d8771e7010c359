"""The HTTP endpoints: REST interface, web client, health, metrics and status.

A handler reads the request, calls a lower package and shapes the answer. Layer:
below `app`, beside `realtime`. It may import `deps`, `services` and everything below.
"""
