"""Requests that the server sends to addresses which strangers have named.

An address is resolved once, and the connection goes to what was checked: only to public addresses,
over TLS, at the usual port. Nothing is followed, and little of an answer is read.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final
from urllib.parse import SplitResult, urlsplit

import h11

from zashiki.server.errors import ApiError

TIMEOUT_SECONDS: Final = 10.0
MAX_ADDRESS_LENGTH: Final = 1000
MAX_ANSWER_BYTES: Final = 16384
HTTPS_PORT: Final = 443
RESOLVERS: Final = ThreadPoolExecutor(32, "resolver")
"""Threads of their own for names: strangers may name one whose DNS server never answers, and in
asyncio's few threads pages and passwords would wait behind it."""
UNICAST: Final = IPv6Network("2000::/3")
"""The IPv6 addresses of hosts of the internet."""
NAT64: Final = IPv6Network("64:ff9b::/96")
"""The IPv6 addresses by which networks without IPv4 reach IPv4 addresses (RFC 6052)."""


class Unreachable(Exception):
    """The address cannot be reached, or must not be."""


PUSH_ENDPOINT: Final = "endpoint: expected the https address of a browser's push service"


def check_url(address: str, allows_here: bool = False, refusal: str = PUSH_ENDPOINT) -> SplitResult:
    """Return the parts of an address, or refuse one that is not public HTTPS by its looks."""
    try:
        parts = urlsplit(address)
        port = parts.port
        (parts.hostname or "").encode("idna")  # refuses empty and long labels, as a resolver does
    except ValueError:
        raise ApiError(422, "malformed", refusal) from None
    is_text = address.isascii() and address.isprintable() and len(address) <= MAX_ADDRESS_LENGTH
    if not is_text or not parts.hostname or parts.username is not None or parts.fragment:
        raise ApiError(422, "malformed", refusal)
    if allows_here and parts.hostname == "127.0.0.1":
        return parts
    if parts.scheme != "https" or port not in {None, HTTPS_PORT} or "." not in parts.hostname:
        raise ApiError(422, "malformed", refusal)
    if parts.hostname.replace(".", "").isdigit() or ":" in parts.hostname:
        raise ApiError(422, "malformed", refusal)
    return parts


def is_public(address: str) -> bool:
    """Return True for an address of the internet: not of this machine or its networks.

    An IPv6 address may lead to an IPv4 address, which counts then.
    """
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        inner = inner_address(ip)
        if inner is None:
            return ip in UNICAST and ip.is_global
        ip = inner
    return ip.is_global and not ip.is_multicast


def inner_address(ip: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address to which an IPv6 address leads, if there is one."""
    if ip in NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour


async def resolved(parts: SplitResult, allows_here: bool) -> tuple[str, int]:
    """Return an address and a port to connect to. All addresses of the name have to be public."""
    name = parts.hostname or ""
    if allows_here and name == "127.0.0.1":
        return name, parts.port or HTTPS_PORT
    loop = asyncio.get_running_loop()
    try:
        ask = partial(socket.getaddrinfo, name, HTTPS_PORT, type=socket.SOCK_STREAM)
        found = await loop.run_in_executor(RESOLVERS, ask)
    except OSError as fault:
        raise Unreachable(f"no address: {fault.strerror}") from None
    addresses = [str(one[4][0]) for one in found]
    if not addresses or not all(map(is_public, addresses)):
        raise Unreachable("not a public address")
    return addresses[0], HTTPS_PORT


async def send(
    address: str, headers: Mapping[str, str], body: bytes, allows_here: bool = False
) -> int:
    """Post a body to an address, and return the status of the answer."""
    try:
        parts = check_url(address, allows_here)
        async with asyncio.timeout(TIMEOUT_SECONDS):
            host, port = await resolved(parts, allows_here)
            return await post(parts, host, port, headers, body)
    except ApiError as fault:
        raise Unreachable(fault.text) from None
    except (OSError, TimeoutError, h11.ProtocolError) as fault:
        raise Unreachable(type(fault).__name__) from None


async def post(
    parts: SplitResult, host: str, port: int, headers: Mapping[str, str], body: bytes
) -> int:
    tls = ssl.create_default_context() if parts.scheme == "https" else None
    reader, writer = await asyncio.open_connection(
        host, port, ssl=tls, server_hostname=parts.hostname if tls else None
    )
    try:
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        fixed = {"Host": parts.netloc, "Connection": "close", "Content-Length": str(len(body))}
        connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_ANSWER_BYTES)
        request = h11.Request(
            method="POST", target=target or "/", headers=list((fixed | dict(headers)).items())
        )
        for part in (request, h11.Data(data=body), h11.EndOfMessage()):
            writer.write(connection.send(part) or b"")
        await writer.drain()
        while not isinstance(event := connection.next_event(), h11.Response):
            if isinstance(event, h11.ConnectionClosed):
                raise Unreachable("no answer")
            if event is h11.NEED_DATA:
                connection.receive_data(await reader.read(MAX_ANSWER_BYTES))
        return event.status_code
    finally:
        writer.close()
