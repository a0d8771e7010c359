"""How much one address, one player or one table may ask for, and hold at once."""

import ipaddress
import re
from collections.abc import Iterable
from typing import Final


class Proxies:
    """Who brings people here that come from elsewhere, and is believed about where."""

    def __init__(self, addresses: Iterable[str] = ()) -> None:
        self._networks = [ipaddress.ip_network(one, strict=False) for one in addresses]

    def __contains__(self, address: str) -> bool:
        try:
            ip = ipaddress.ip_address(address.strip().partition("%")[0])
        except ValueError:
            return False
        mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
        return any((mapped or ip) in network for network in self._networks)

    def origin(self, peer: str, forwarded: str | None) -> str:
        """Where a request comes from: the last address that is none of ours."""
        if forwarded is None or peer not in self:
            return peer
        for address in reversed(forwarded.split(",")):
            plain = without_port(address.strip())
            if plain not in self:
                return plain
        return peer


def network(address: str) -> str:
    """What to count an address by: IPv6 hands out whole networks, so one of them is one asker."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address  # a socket file, or a client of a test
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))


WITH_PORT: Final = re.compile(r"(?:\[(?P<inside>[^]]+)]|(?P<name>[^]:[]+))(?::[0-9]*)?")
"""A host as in a URL: an address of IPv6 is in brackets."""


def is_loopback(host: str) -> bool:
    """Is this host, as in a URL or in `Host`, this machine itself? Only there a cookie may do
    without TLS."""
    name = without_port(host)
    if name == "localhost" or name.endswith(".localhost"):
        return True
    return is_address(host) and ipaddress.ip_address(name).is_loopback


def is_address(host: str) -> bool:
    """Is this host a number, and no name that somebody could point anywhere?"""
    try:
        ipaddress.ip_address(without_port(host))
    except ValueError:
        return False
    return True


def without_port(host: str) -> str:
    """The name or the number; what is neither stays as it is."""
    name = host.lower()
    found = WITH_PORT.fullmatch(name)
    return name if found is None else found["inside"] or found["name"]
