"""Tests of the server, which run it in one of three ways.

- `asgi_server`: the ASGI application in the process of the test, without a socket. The quickest.
- `in_process_server`: uvicorn in the process of the test, on a real port.
- `server_process`: `zashiki serve` in a process of its own, which a test may kill and start again.

`server_cluster` starts several such processes on one PostgreSQL, `faulty_network` is a proxy
between clients and a server, and `guests` and `simulated_players` are clients of any server.
"""
