"""The REST endpoints, the pages and the operator's numbers.

A handler reads the request, calls one function of a lower package and shapes the answer. `deps` says
who asks. Layer: below `app`, beside `realtime`. It may import `services` and everything below.
"""
