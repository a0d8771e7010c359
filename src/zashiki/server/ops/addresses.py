"""Addresses of clients: reverse proxies, keys for rate limits, this machine's own names."""

import ipaddress
import re
from collections.abc import Iterable
from typing import Final


class TrustedProxies:
    """Reverse proxies whose X-Forwarded-For header is trusted."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self._networks = [ipaddress.ip_network(one, strict=False) for one in addresses]

    def __contains__(self, address: str) -> bool:
        try:
            ip = ipaddress.ip_address(address.strip().partition("%")[0])
        except ValueError:
            return False
        mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
        return any((mapped or ip) in network for network in self._networks)

    def client_address(self, peer: str, forwarded: str | None) -> str:
        """Return the address of the client: the last forwarded one that is not a proxy."""
        if forwarded is None or peer not in self:
            return peer
        for address in reversed(forwarded.split(",")):
            plain = without_port(address.strip())
            if plain not in self:
                return plain
        return peer


def rate_key(address: str) -> str:
    """Return the key by which an address is counted: for IPv6 its /64, which is one customer."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address  # a Unix socket, or a test client
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))


HOST_AND_PORT: Final = re.compile(r"(?:\[(?P<inside>[^]]+)]|(?P<name>[^]:[]+))(?::[0-9]*)?")
"""A host as in a URL, with IPv6 addresses in brackets."""


def is_loopback(host: str) -> bool:
    """Return True if a `Host` header names this machine itself. Only there cookies need no TLS."""
    name = without_port(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    return is_address(host) and ipaddress.ip_address(name).is_loopback


def is_address(host: str) -> bool:
    """Return True if a host is an IP address. Anyone could point a name here by DNS."""
    try:
        ipaddress.ip_address(without_port(host))
    except ValueError:
        return False
    return True


def without_port(host: str) -> str:
    """Return the name or address of a host without its port. Leave anything else unchanged."""
    name = host.lower()
    found = HOST_AND_PORT.fullmatch(name)
    return name if found is None else found["inside"] or found["name"]
