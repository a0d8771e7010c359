"""Connections as they come in: none is held by a client that neither writes nor reads, and no
address has all of them."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import h11
from uvicorn._types import ASGISendEvent
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import State

from zashiki.server.ops.addresses import rate_key
from zashiki.server.ops.rate_limits import ConcurrencyLimit
from zashiki.server.realtime.table_socket import PLUG
from zashiki.server.services import services_of

TEXT = 0x81
"""A whole text in one frame."""
TEXT_16, TEXT_64 = bytes((TEXT, 126)), bytes((TEXT, 127))
"""The same, with its length in 16 and in 64 bits."""


class Attentive(asyncio.Protocol):
    """Cuts off a client that does not read: what waits for it would wait for ever, and an orderly
    end waits too."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    unread_for = 10.0
    """Seconds in which more than nothing has to be read."""
    least = 4096
    """So many bytes are more than nothing."""
    _unread = 0
    _reminder: asyncio.TimerHandle | None = None
    _is_ending = False
    """Then nothing that is read puts off the end."""

    def pause_writing(self) -> None:
        """Too much waits. It costs nothing where nothing waits, unlike a limit for each frame."""
        super().pause_writing()
        if not self._is_ending:
            self._look_again()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self._is_ending:
            self._forget()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def end_soon(self) -> None:
        """Whatever still waits then is dropped."""
        self._forget()
        self._is_ending = True
        self._reminder = self.loop.call_later(self.unread_for, self.transport.abort)

    def _look_again(self) -> None:
        self._forget()
        self._unread = self.transport.get_write_buffer_size()
        self._reminder = self.loop.call_later(self.unread_for, self._look_back)

    def _look_back(self) -> None:
        if self.transport.get_write_buffer_size() > self._unread - self.least:
            self.transport.abort()
        else:
            self._look_again()

    def _forget(self) -> None:
        if self._reminder is not None:
            self._reminder.cancel()
            self._reminder = None


class Impatient(Attentive, H11Protocol):
    """Ends a connection whose request does not come to its end in time: half requests, however
    slowly they grow, would hold it for ever."""

    patience = 20.0
    """Seconds for a request to arrive."""
    silence = 5.0
    """Seconds for its first byte."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._request = self.cycle
        self._has_spoken = False
        self._address = rate_key(self.client[0] if self.client else "")
        server = services_of(self.config.app.state)  # type: ignore[union-attr]
        self._held: ConcurrencyLimit | None = None
        self._watch = self.loop.call_later(min(self.silence, self.patience), self._listen)
        if self.client and self.client[0] in server.proxies:
            return  # it has as many as there are people behind it
        self._held = server.connections
        self._held.acquire(self._address)
        if self._held.is_exceeded(self._address):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._let_go()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._has_spoken = True
        super().data_received(data)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """From here on the connection is a socket, and counted as such by who talks there."""
        super().handle_websocket_upgrade(event)
        self._forget()
        self._let_go()

    def _let_go(self) -> None:
        self._watch.cancel()
        if self._held is not None:
            self._held.release(self._address)
            self._held = None

    def _listen(self) -> None:
        if self._has_spoken:
            self._watch = self.loop.call_later(self.patience, self._look)
        else:
            self.transport.abort()

    def _look(self) -> None:
        if self.transport.is_closing():
            self.end_soon()
            return
        unread = self.conn.their_state in {h11.IDLE, h11.SEND_BODY}
        if unread and self.cycle is self._request:
            self.transport.close()
        self._request = self.cycle
        self._watch = self.loop.call_later(self.patience, self._look)


class Ear(asyncio.Queue[Any]):
    """Where a socket puts that its client is gone: it is heard at once."""

    def __init__(self, hear: Callable[[Any], None]) -> None:
        super().__init__()
        self._hear = hear

    def put_nowait(self, item: Any) -> None:
        self._hear(item)


def ignore(_: str) -> None:
    """What somebody says who has gone."""


def framed(text: bytes) -> tuple[bytes, bytes]:
    """The head of an unmasked text frame, and the text: nothing in it has to be looked at."""
    size = len(text)
    if size < 126:
        return bytes((TEXT, size)), text
    if size < 1 << 16:
        return TEXT_16 + size.to_bytes(2, "big"), text
    return TEXT_64 + size.to_bytes(8, "big"), text


class Socket(Attentive, WebSocketsSansIOProtocol):
    """A WebSocket that ends when it should, whether its client agrees or not.

    It is accepted by way of ASGI, like any other. Then it is a `Plug`: what waits for messages of
    ASGI, and wakes for each, takes several times as long as what is done with a frame.

    Nobody is read before they are let in, nor faster than answered, nor faster than they read, nor
    so fast that others have to wait: a frame may be so short that thousands come at once.
    """

    at_once = 1024
    """So many bytes are looked at in one turn."""
    breath = 0.01
    """Seconds from then to the next."""
    most_turns = 200
    """So often that is not all; who then still sends more is cut off."""
    forgiven = 10.0
    """So many such turns are forgotten a second."""
    most_pieces = 64
    """Of one message."""

    over: "asyncio.Future[None]"
    _hear: Callable[[str], None]
    _flush: Callable[[], None] | None = None
    _is_answered = False
    """Has whoever talked here ended?"""
    _is_held_back = False
    _unread_data = b""
    _turns = 0.0
    _counted = 0.0
    """When they were."""
    _next_turn: asyncio.TimerHandle | None = None

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.handshake_complete:
            self.scope["extensions"][PLUG] = {"plug": self}

    def listen(self, hear: Callable[[str], None], flush: Callable[[], None]) -> None:
        """Let texts be heard as they come; `flush` is called when more can be written again."""
        self._hear, self._flush, self.over = hear, flush, self.loop.create_future()
        came, self.queue = self.queue, Ear(lambda _: self._end())
        if self.read_paused:
            self.read_paused = False
            self._read_soon()
        while not came.empty():
            message = came.get_nowait()
            if message["type"] == "websocket.receive":
                self._hear(message.get("text") or "")
            else:
                self._end()

    def hang_up(self) -> None:
        """The last frame was the last word; what the protocol wants to hear comes after it."""
        if not (self.close_sent or self.transport.is_closing()) and self.conn.state is State.OPEN:
            self.close_sent = True
            self.conn.send_close(CloseCode.NORMAL_CLOSURE)
            self.transport.write(b"".join(self.conn.data_to_send()))
        self._end()

    def _end(self) -> None:
        if not self.over.done():
            self.over.set_result(None)

    # Reading -----------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        if not self.handshake_initiated:
            super().data_received(data)
            return
        self._unread_data += data
        if self._next_turn is None:
            self._read_on()

    def _read_on(self) -> None:
        """A part of what came, and the rest a little later."""
        self._next_turn = None
        if self.transport.is_closing():
            return
        if not self._is_to_be_read():
            self.transport.pause_reading()
            return
        part, self._unread_data = (
            self._unread_data[: self.at_once],
            self._unread_data[self.at_once :],
        )
        if part:
            super().data_received(part)
        if self._unread_data:
            self.transport.pause_reading()
            self._count_turn()
        elif self._is_to_be_read() and not (self.read_paused or self.transport.is_closing()):
            self.transport.resume_reading()

    def _is_to_be_read(self) -> bool:
        return self.handshake_complete and self.is_writable() and not self._is_held_back

    def _count_turn(self) -> None:
        """One was not enough: there is another soon, but not for ever."""
        now = self.loop.time()
        self._turns = max(0.0, self._turns - (now - self._counted) * self.forgiven) + 1
        self._counted = now
        if self._turns > self.most_turns:
            self.transport.abort()
        else:
            self._next_turn = self.loop.call_later(self.breath, self._read_on)

    def hold_back(self) -> None:
        """Read nothing more for now: the client sends faster than it is answered."""
        if not self._is_held_back:
            self._is_held_back = True
            self.transport.pause_reading()

    def go_on(self) -> None:
        if self._is_held_back:
            self._is_held_back = False
            self._read_soon()

    async def send(self, event: ASGISendEvent) -> None:
        """By way of ASGI; who is let in by this may have sent something before."""
        await super().send(event)
        if self._unread_data:
            self._read_soon()

    def _read_soon(self) -> None:
        if self._next_turn is None:
            self._next_turn = self.loop.call_later(0, self._read_on)

    def handle_cont(self, event: Frame) -> None:
        super().handle_cont(event)
        if len(self.frames) > self.most_pieces:
            self._fail(CloseCode.MESSAGE_TOO_BIG, "too many pieces")

    def send_receive_event_to_app(self) -> None:
        if self._flush is None:
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        if self.close_sent:
            return
        try:
            self._hear(data.decode() if self.curr_msg_data_type == "text" else "")
        except UnicodeDecodeError:
            self._fail(CloseCode.INVALID_DATA, "text is expected to be UTF-8")

    def _fail(self, code: int, why: str) -> None:
        """Say what is wrong, and end it."""
        self.frames = []
        self.conn.fail(code, why)
        self.handle_parser_exception()

    # Writing -----------------------------------------------------------------------------------

    def is_writable(self) -> bool:
        return self.writable.is_set()

    def write(self, frames: Iterable[bytes]) -> None:
        if self.close_sent or self.transport.is_closing() or self.conn.state is not State.OPEN:
            return  # one of both has said goodbye
        self.transport.write(b"".join([part for frame in frames for part in framed(frame)]))

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._flush is not None:
            self._flush()
        self._read_soon()

    # Ending ------------------------------------------------------------------------------------

    def shutdown(self) -> None:
        try:
            super().shutdown()
        except InvalidState:  # the client has said goodbye, and not yet read our answer
            self.transport.close()

    async def run_asgi(self) -> None:
        try:
            await super().run_asgi()
        finally:
            self._is_answered = True
            if self.disconnected:
                self._part()
            else:
                self.end_soon()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        if self._is_answered:
            self._part()

    def _part(self) -> None:
        """Nothing here refers back to this any more: else it would stay until somebody looks for
        garbage among all that is old, and everybody waits for that."""
        if self._next_turn is not None:
            self._next_turn.cancel()
            self._next_turn = None
        self.scope.clear()  # type: ignore[attr-defined]
        self.conn.parser.close()
        self.queue, self._hear, self._flush = asyncio.Queue(), ignore, None

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()
