"""One WebSocket on its TCP connection: how fast it is read, what it is sent, and how it ends."""

import asyncio
import random
from collections.abc import Callable, Iterable, MutableSet
from typing import Any

from zashiki.server.realtime import framing
from zashiki.server.realtime.framing import CloseCode
from zashiki.server.realtime.handshake import HandshakeError, refusal_response
from zashiki.server.realtime.keepalive import KeepAlive, watch_peer


class SlowReaderGuard(asyncio.Protocol):
    """Aborts a connection whose client does not read: otherwise neither the data that waits for it
    nor an orderly end would ever be sent."""

    transport: asyncio.Transport
    loop: asyncio.AbstractEventLoop
    read_timeout = 10.0
    """Seconds in which the client has to read `min_read_bytes`, or what is left at the end."""
    min_read_bytes = 4096
    _unread_bytes = 0
    _read_deadline: asyncio.TimerHandle | None = None
    _is_ending = False

    def pause_writing(self) -> None:
        """Start to watch the client when too much waits for it. Until then it costs nothing."""
        super().pause_writing()
        if not self._is_ending:
            self._watch_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if not self._is_ending:
            self._stop_watching()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_watching()
        super().connection_lost(exc)

    def end_soon(self) -> None:
        """Abort the connection in `read_timeout` seconds, whatever is read until then."""
        self._stop_watching()
        self._is_ending = True
        self._read_deadline = self.loop.call_later(self.read_timeout, self.transport.abort)

    def _watch_reading(self) -> None:
        self._stop_watching()
        self._unread_bytes = self.transport.get_write_buffer_size()
        self._read_deadline = self.loop.call_later(self.read_timeout, self._check_reading)

    def _check_reading(self) -> None:
        if self.transport.get_write_buffer_size() > self._unread_bytes - self.min_read_bytes:
            self.transport.abort()
        else:
            self._watch_reading()

    def _stop_watching(self) -> None:
        if self._read_deadline is not None:
            self._read_deadline.cancel()
            self._read_deadline = None


def ignore(_: str) -> None:
    """Receive a message that nobody waits for."""


class WebSocketConnection(SlowReaderGuard):
    """The server side of one WebSocket (RFC 6455), from the handshake to the end.

    A client is not read before its session listens, nor faster than it is answered, nor faster than
    it reads, nor so fast that others have to wait: thousands of short frames may come at once.
    """

    bytes_per_turn = 1024
    min_bytes_per_read = 64
    """The size that the smallest packet counts as: reading it takes as long as a larger one."""
    turn_seconds = 0.01
    """Seconds of a turn. The rest of what came waits for the next one."""
    max_turns = 100.0
    """A client that needs more turns than are forgiven, by so many, is cut off."""
    turns_forgiven_per_second = 50.0

    close_code = CloseCode.NORMAL
    """The code with which `hang_up` ends the connection."""
    is_accepted = False
    is_closing = False
    """True when one side has sent a close frame."""
    is_writable = True
    """False while too much waits for the client."""
    _is_lost = False
    _is_listening = False
    _is_paused = False
    _receive: Callable[[str], None] = staticmethod(ignore)
    _flush: Callable[[], None] | None = None
    _turns = 0.0
    """Turns that were used and are not forgiven yet."""
    _turns_counted_at = 0.0
    _turn_began = 0.0
    _turn_bytes = 0
    """Bytes that were read in this turn."""
    _next_turn: asyncio.TimerHandle | None = None
    _pending_ping: bytes | None = None
    _last_ping: bytes | None = None
    """A ping that is answered at the end of a turn, in place of all before it."""

    def __init__(
        self,
        transport: asyncio.Transport,
        accept_response: bytes,
        keepalive: KeepAlive,
        connections: MutableSet[Any],
    ) -> None:
        self.loop = asyncio.get_running_loop()
        self.transport = transport
        self.over: asyncio.Future[None] = self.loop.create_future()
        """Done when either side ends the connection."""
        self._accept_response = accept_response
        self._keepalive = keepalive
        self._connections = connections
        """All connections of the server, which uvicorn counts, and shuts down at a stop."""
        self._parser = framing.MessageParser()
        self._unparsed = bytearray()
        connections.add(self)

    def accept(self) -> None:
        """Complete the handshake. Nothing is read before `listen`."""
        if not self.transport.is_closing():
            self.is_accepted = True
            self.transport.write(self._accept_response)
            self._accept_response = b""
            self._keepalive.add(self)
            watch_peer(self.transport)

    def refuse(self, refusal: HandshakeError) -> None:
        """Answer the handshake by an HTTP response."""
        if not self.transport.is_closing():
            self.transport.write(refusal_response(refusal))
            self.transport.close()

    def listen(self, receive: Callable[[str], None], flush: Callable[[], None]) -> None:
        """Call `receive` with each text, "" for binary data, and `flush` when more can be written
        again."""
        self._receive, self._flush, self._is_listening = receive, flush, True
        if self._unparsed:
            self._read_soon()

    # Reading -----------------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        self._unparsed += data
        if self._next_turn is None:
            self._read()

    def _read(self) -> None:
        """Parse a part of what came. The rest waits for another turn."""
        self._next_turn = None
        if self.transport.is_closing():
            return
        if not self._is_to_be_read():
            self.transport.pause_reading()
            return
        now = self.loop.time()
        if now - self._turn_began >= self.turn_seconds:
            self._turn_began, self._turn_bytes = now, 0
        if self._unparsed:
            size = self._count_read(now)
            self._parser.feed(self._unparsed[:size])
            del self._unparsed[:size]
            self._parse()
            self._answer_ping()
        if self._unparsed or self._turn_bytes >= self.bytes_per_turn:
            self.transport.pause_reading()
            self._take_another_turn()
        elif self._is_to_be_read() and not self.transport.is_closing():
            self.transport.resume_reading()

    def _is_to_be_read(self) -> bool:
        is_heard = self._is_listening or self.is_closing
        return is_heard and self.is_writable and not self._is_paused

    def _count_read(self, now: float) -> int:
        """Count a read, however small, and return how many bytes of it belong to this turn."""
        size = max(0, min(len(self._unparsed), self.bytes_per_turn - self._turn_bytes))
        counted = max(size, self.min_bytes_per_read)
        self._turn_bytes += counted
        forgiven = (now - self._turns_counted_at) * self.turns_forgiven_per_second
        self._turns = max(0.0, self._turns - forgiven) + counted / self.bytes_per_turn
        self._turns_counted_at = now
        return size

    def _take_another_turn(self) -> None:
        """Read on soon, unless there were too many turns."""
        if self._turns > self.max_turns:
            self._fail(CloseCode.POLICY_VIOLATION, "too much data: send less")
        elif not self.transport.is_closing():
            self._next_turn = self.loop.call_later(self.turn_seconds, self._read)

    def _read_soon(self) -> None:
        if self._next_turn is None:
            self._next_turn = self.loop.call_later(0, self._read)

    def pause_reading(self) -> None:
        """Read nothing more for now: the client sends faster than it is answered."""
        if not self._is_paused:
            self._is_paused = True
            self.transport.pause_reading()

    def resume_reading(self) -> None:
        if self._is_paused:
            self._is_paused = False
            self._read_soon()

    def _parse(self) -> None:
        try:
            while not self.transport.is_closing():
                message = self._parser.next_message()
                if message is None:
                    return
                self._take(*message)
        except framing.FramingError as fault:
            self._fail(fault.code, fault.reason)

    def _answer_ping(self) -> None:
        """Answer the last ping of a turn, which the RFC (5.5.3) allows: pings are cheap to send."""
        if self._last_ping is not None and not self.transport.is_closing():
            self.transport.write(framing.control_frame(framing.PONG, self._last_ping))
        self._last_ping = None

    def _take(self, opcode: int, payload: bytes) -> None:
        """Act on a message or a control frame. After our close frame texts are ignored."""
        if opcode == framing.PING:
            self._last_ping = payload
        elif opcode == framing.PONG:
            if payload == self._pending_ping:
                self._pending_ping = None
        elif opcode == framing.CLOSE:
            self._answer_ping()
            self._send_close(framing.control_frame(framing.CLOSE, payload))
            self.transport.close()
        elif not self.is_closing:
            self._receive(framing.decode_text(payload) if opcode == framing.TEXT else "")

    # Writing -----------------------------------------------------------------------------------

    def write(self, texts: Iterable[bytes]) -> None:
        """Send texts, all of them in one write."""
        if not (self.is_closing or self.transport.is_closing()):
            self.transport.write(
                b"".join([part for text in texts for part in framing.text_frame(text)])
            )

    def pause_writing(self) -> None:
        self.is_writable = False
        super().pause_writing()

    def resume_writing(self) -> None:
        self.is_writable = True
        super().resume_writing()
        if self._flush is not None:
            self._flush()
        self._read_soon()

    def ping(self) -> None:
        self._pending_ping = random.randbytes(4)
        self.transport.write(framing.control_frame(framing.PING, self._pending_ping))

    def check_pong(self) -> None:
        """Drop a client that has not answered the ping."""
        if self._pending_ping is not None:
            self._fail(CloseCode.INTERNAL_ERROR, "keepalive ping timeout")
            self.transport.abort()

    # Ending ------------------------------------------------------------------------------------

    def hang_up(self, code: CloseCode | None = None) -> None:
        """Send a close frame, and continue to read until the client's own one."""
        self._send_close(framing.close_frame(self.close_code if code is None else code))
        self._is_paused = False
        self._read_soon()

    def end(self) -> None:
        """End the connection of a session that is over: by close frames, or when time is up.

        Nothing here refers to the session any more. Otherwise both would stay in memory until the
        garbage collector looks at all old objects.
        """
        if self.is_accepted:
            self.hang_up()
        self._receive, self._flush = ignore, None
        if not self._is_lost:
            self.end_soon()

    def shutdown(self) -> None:
        """Close the connection, because the server stops: uvicorn calls this."""
        if not self.is_accepted:
            self.refuse(HandshakeError(500))
        self._fail(CloseCode.SERVICE_RESTART)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._is_lost = True
        self._connections.discard(self)
        if self._next_turn is not None:
            self._next_turn.cancel()
            self._next_turn = None
        self._finish()

    def _fail(self, code: CloseCode, reason: str = "") -> None:
        """Send a close frame, and wait for nothing."""
        self._send_close(framing.close_frame(code, reason))
        self.transport.close()

    def _send_close(self, raw: bytes) -> None:
        """Send a close frame, if none was sent before."""
        if not (self.is_closing or self.transport.is_closing()):
            self.is_closing = True
            self.transport.write(raw)
        self._finish()

    def _finish(self) -> None:
        self._keepalive.discard(self)
        if not self.over.done():
            self.over.set_result(None)
