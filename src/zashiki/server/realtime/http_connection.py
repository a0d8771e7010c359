"""HTTP connections: limited in number and in patience, and handed over to WebSockets on request."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from zashiki.server.ops.addresses import rate_key
from zashiki.server.ops.rate_limits import ConcurrencyLimit
from zashiki.server.realtime import handshake
from zashiki.server.realtime.routes import serve_socket
from zashiki.server.realtime.transport import SlowReaderGuard, WebSocketConnection
from zashiki.server.services import services_of


class HttpConnection(SlowReaderGuard, H11Protocol):
    """Ends a connection whose request does not arrive in time: half a request, however slowly it
    grows, would hold the connection for ever."""

    request_timeout = 20.0
    """Seconds for a request to arrive."""
    first_byte_timeout = 5.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
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

    def connection_lost(self, exc: Exception | None) -> None:
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._has_sent = True
        super().data_received(data)

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
            self.transport.close()
            self.end_soon()
            return
        keepalive = self.config.app.state["keepalive"]  # type: ignore[union-attr]
        self.connections.discard(self)
        socket = WebSocketConnection(self.transport, response, keepalive, self.connections)
        self.transport.set_protocol(socket)
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
        if self._limit is not None:
            self._limit.release(self._address)
            self._limit = None

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
            self.transport.close()
        self._last_cycle = self.cycle
        self._request_timer = self.loop.call_later(self.request_timeout, self._check_request)
