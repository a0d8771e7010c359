"""HTTP connections: limited in number and in time, and handed over to WebSockets on request."""

import asyncio
import logging
from collections.abc import Callable

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from zashiki.server.ops.addresses import rate_key
from zashiki.server.ops.logs import CLIENTS
from zashiki.server.ops.rate_limits import ConcurrencyLimit
from zashiki.server.realtime import handshake
from zashiki.server.realtime.routes import serve_socket
from zashiki.server.realtime.transport import SlowReaderGuard, WebSocketConnection
from zashiki.server.services import services_of


class HeadLimit(h11.Connection):
    """Refuses long heads, of which h11 accepts those that arrive in one piece, and requests with
    two lengths, of which a proxy may believe the other one (RFC 9112, 6.1)."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(h11.SERVER, max_bytes)
        self._max_bytes = max_bytes

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        event = super().next_event()
        if isinstance(event, h11.Request):
            if head_bytes(event) > self._max_bytes:
                raise h11.RemoteProtocolError("head too long")
            if {name for name, _ in event.headers} >= {b"content-length", b"transfer-encoding"}:
                raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
        return event


def head_bytes(request: h11.Request) -> int:
    """Return the least number of bytes that the head of a request has."""
    first = len(request.method) + len(request.target) + len(b"  HTTP/1.1\r\n\r\n")
    return first + sum(len(name) + len(value) + len(b":\r\n") for name, value in request.headers)


class EndingTransport(asyncio.Transport):
    """The transport as uvicorn sees it: the protocol decides how `close` ends the connection."""

    def __init__(self, inner: asyncio.Transport, close: Callable[[], None]) -> None:
        super().__init__()
        self._close = close
        self.abort = inner.abort  # type: ignore[method-assign]
        self.get_extra_info = inner.get_extra_info  # type: ignore[method-assign]
        self.get_write_buffer_size = inner.get_write_buffer_size  # type: ignore[method-assign]
        self.is_closing = inner.is_closing  # type: ignore[method-assign]
        self.pause_reading = inner.pause_reading  # type: ignore[method-assign]
        self.resume_reading = inner.resume_reading  # type: ignore[method-assign]
        self.write = inner.write  # type: ignore[method-assign]

    def close(self) -> None:
        self._close()


class HttpConnection(SlowReaderGuard, H11Protocol):
    """Ends a connection whose request does not arrive in time: half a request, however slowly it
    grows, would hold the connection for ever. Each address may have few such connections.

    If a request is answered before it has arrived in full, the rest is read and dropped, within
    bounds. To close with unread data would reset the connection: the client might lose the answer,
    and a proxy would take the server for broken and send nobody there for a while.
    """

    request_timeout = 20.0
    """Seconds for a request to arrive."""
    first_byte_timeout = 5.0
    drop_timeout = 2.0
    """Seconds for which the rest of an answered request is read."""
    max_dropped_bytes = 1024 * 1024
    """The most that is read of it: no endpoint takes more."""
    _dropped_bytes: int | None = None
    """None until the answer has been sent and the rest is dropped."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._tcp = transport
        super().connection_made(EndingTransport(transport, self._end))
        self.logger = logging.getLogger(CLIENTS)
        self.conn = HeadLimit(self.config.h11_max_incomplete_event_size or 0)
        self._last_cycle = self.cycle
        self._has_sent = False
        self._peer = self.client[0] if self.client else ""
        self._address = rate_key(self._peer)
        self._services = services_of(self.config.app.state)  # type: ignore[union-attr]
        self._limit: ConcurrencyLimit | None = None
        timeout = min(self.first_byte_timeout, self.request_timeout)
        self._request_timer = self.loop.call_later(timeout, self._check_first_byte)
        if self._peer in self._services.proxies:
            return  # it has as many as there are people behind it
        self._limit = self._services.connections
        self._limit.acquire(self._address)
        if self._limit.is_exceeded(self._address):
            transport.abort()
        else:
            self._note_arriving(True)

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._dropped_bytes is not None:
            self._drop(len(data))
            return
        self._has_sent = True
        super().data_received(data)
        self._note_arriving(self._is_arriving())

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note_arriving(self._is_arriving())  # the next request may have begun before

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request. If its answer has begun, only the end is left."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            super().send_400_response(msg)
        else:
            self.transport.abort()

    def _should_upgrade(self) -> bool:
        """Ignore `Upgrade` in a request of HTTP/1.0, as RFC 9110 (7.8) demands."""
        return self.scope["http_version"] != "1.0" and super()._should_upgrade()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to a WebSocket, which is counted by whoever serves it."""
        self._release()
        self._stop_watching()
        scope = self.scope
        request = handshake.UpgradeRequest(
            scope["method"], scope["path"], scope["query_string"], self.headers, self._peer
        )
        try:
            response = handshake.accept_response(request)
        except handshake.HandshakeError as refusal:
            self.transport.write(handshake.refusal_response(refusal))
            self._end()
            self.end_soon()
            return
        keepalive = self.config.app.state["keepalive"]  # type: ignore[union-attr]
        self.connections.discard(self)
        socket = WebSocketConnection(self._tcp, response, keepalive, self.connections)
        self._tcp.set_protocol(socket)
        if self.flow.write_paused:
            socket.pause_writing()  # a response before this one is not read yet
        if sent_early := self.conn.trailing_data[0]:
            socket.data_received(sent_early)
        task = self.loop.create_task(serve_socket(self._services, request, socket))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _release(self) -> None:
        """Stop timing requests, and counting the connection for its address."""
        self._request_timer.cancel()
        self._note_arriving(False)
        if self._limit is not None:
            self._limit.release(self._address)
            self._limit = None

    # The end -----------------------------------------------------------------------------------

    def _end(self) -> None:
        """Close the connection after the answer, or say that nothing follows it and read on."""
        has_rest = self.conn.their_state in {h11.SEND_BODY, h11.ERROR}
        if self._dropped_bytes is not None or not has_rest or self._tcp.is_closing():
            self._tcp.close()
            return
        self._dropped_bytes = 0
        self._tcp.write_eof()
        self.flow.resume_reading()
        self.loop.call_later(self.drop_timeout, self._tcp.close)

    def _drop(self, size: int) -> None:
        assert self._dropped_bytes is not None
        self._dropped_bytes += size
        if self._dropped_bytes > self.max_dropped_bytes:
            self._tcp.close()

    # Requests that do not arrive ---------------------------------------------------------------

    def _is_arriving(self) -> bool:
        """Return True while a part of a request is here, and the rest is not."""
        state = self.conn.their_state
        return state is h11.SEND_BODY or (state is h11.IDLE and bool(self.conn.trailing_data[0]))

    def _note_arriving(self, is_arriving: bool) -> None:
        """Count the connection while its request is unfinished. The oldest of too many ends."""
        if self._limit is None:
            return  # a proxy, a WebSocket, or over
        unfinished = self._services.unfinished
        if not is_arriving:
            unfinished.discard(self._address, self)
        elif (oldest := unfinished.add(self._address, self)) is not None:
            oldest.transport.abort()

    def _check_first_byte(self) -> None:
        if self._has_sent:
            self._request_timer = self.loop.call_later(self.request_timeout, self._check_request)
        else:
            self.transport.abort()

    def _check_request(self) -> None:
        """Close the connection if the same request has been arriving for too long."""
        if self.transport.is_closing():
            self.end_soon()
            return
        is_arriving = self.conn.their_state in {h11.IDLE, h11.SEND_BODY}
        if is_arriving and self.cycle is self._last_cycle:
            self._tcp.close()
        self._last_cycle = self.cycle
        self._request_timer = self.loop.call_later(self.request_timeout, self._check_request)
