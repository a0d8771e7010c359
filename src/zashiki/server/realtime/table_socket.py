"""The socket of a table: every command of its client is answered, in order."""

import asyncio
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import msgspec

from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.metrics import ANSWERS, COMMANDS, labelled
from zashiki.server.ops.rate_limits import RateLimits
from zashiki.server.protocol import frames, rest
from zashiki.server.realtime.transport import WebSocketConnection
from zashiki.server.store.errors import Busy, Unusable, Unwritten
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables import commands as on
from zashiki.server.tables import gameplay
from zashiki.server.tables.connection import SIGNED_OUT, Connection
from zashiki.server.tables.handler import Exclusive, handle
from zashiki.server.tables.live import LiveTable

MAX_FRAME_LENGTH = 4096
HELLO_TIMEOUT_SECONDS = 20.0
MAX_UNANSWERED = 16
"""A client with so many frames that wait for an answer is not read for a while."""
DECODER = msgspec.json.Decoder(frames.Command)


class SocketSession:
    """One client at one table, from its hello to its end."""

    def __init__(
        self,
        socket: WebSocketConnection,
        table: LiveTable,
        player: PlayerRow,
        seat: int | None,
        limits: RateLimits,
    ) -> None:
        self.socket = socket
        self.table = table
        self.player = player
        self.limits = limits
        self.connection = Connection(player.id, seat, player.epoch)
        self.is_over = False
        self._heard: list[str] = []
        """Frames that wait for an answer. They are few, and an empty deque takes 0.7 KiB."""
        self._answering: asyncio.Task[None] | None = None
        """A command that was begun is done to its end whatever becomes of the connection."""

    @contextmanager
    def attached(self) -> Iterator[None]:
        """Keep the table in memory while the socket is open, from before its hello."""
        self.table.attach(self.connection)
        try:
            yield
        finally:
            self.table.detach(self.connection)

    async def hold(self) -> None:
        """Answer commands and send news until either side has enough."""
        self.socket.listen(self._hear, self.connection.flush)
        self.connection.attach(self.socket)
        loop = asyncio.get_running_loop()
        hello_timer = loop.call_later(HELLO_TIMEOUT_SECONDS, self._expect_hello)
        try:
            await self.socket.over
        finally:
            hello_timer.cancel()
            self.connection.close()
            self.table.leave(self.connection)
            self.is_over = True
            if self._answering is not None:
                await asyncio.gather(self._answering, return_exceptions=True)

    def _expect_hello(self) -> None:
        if not self.connection.listens:
            self.connection.close(frames.Bye("hello-first", "a hello was expected by now", True))

    def _hear(self, raw: str) -> None:
        """Queue a frame. A client that was disconnected, and may not know it, is not answered."""
        if not self.connection.is_open:
            return
        self._heard.append(raw)
        if len(self._heard) >= MAX_UNANSWERED:
            self.socket.pause_reading()
        if self._answering is None:
            self._answering = asyncio.create_task(self._answer_all())

    async def _answer_all(self) -> None:
        """Answer the frames that wait, in order."""
        while self._heard and self.connection.is_open and not self.is_over:
            await self.answer(self._heard.pop(0))
            if len(self._heard) < MAX_UNANSWERED:
                self.socket.resume_reading()
        self._heard.clear()
        self._answering = None

    async def answer(self, raw: str) -> None:
        """Do what a frame says, and answer. A frame that cannot be read is answered too."""
        key, done, began = "", "unread", time.perf_counter()
        try:
            command = decoded(raw)
            key = getattr(command, "key", "")
            self.limits.take(player=self.player.id)
            if isinstance(command, ApiError):
                raise command
            done = str(command.__struct_config__.tag)
            answer = await self.do(command)
            if answer is not None:
                self.connection.send(answer)
            labelled(COMMANDS, done, "ok").inc()
            labelled(ANSWERS, done).observe(time.perf_counter() - began)
        except Exception as fault:
            self._refuse(done, key, api_error_of(fault, self.table))

    def _refuse(self, done: str, key: str, problem: ApiError) -> None:
        labelled(COMMANDS, done, problem.code).inc()
        if done == "hello" and problem.code == "busy":
            self.connection.close(frames.Bye(problem.code, problem.text, True))
            return
        why = rest.Fault(problem.code, problem.text, problem.details)
        self.connection.send(frames.Answer(key, False, why))

    async def check_session(self) -> None:
        """Close the connection if the session has ended since the socket was opened.

        If it ends later, `TableRegistry.sign_out` closes the connection.
        """
        now = await self.table.store.player(self.player.id)
        if now is None:
            return
        self.connection.silenced_until = now.muted_until
        if now.deleted or now.epoch != self.player.epoch:
            self.connection.close(SIGNED_OUT)

    def check_voice(self) -> None:
        """Refuse words of a player whom the operator has muted."""
        until = self.connection.silenced_until
        if until is not None and until > self.table.system.now():
            end = datetime.fromtimestamp(until, UTC).isoformat(timespec="minutes")
            text = f"the operator has muted you until {end}"
            raise ApiError(403, "muted", text, {"until": until})

    async def do(self, command: frames.Command) -> frames.Answer | None:
        """Do what a frame says, and return the answer."""
        if isinstance(command, frames.Hello):
            if not self.connection.listens:
                await self.check_session()
                await handle(self.table, on.Arrive(self.connection, command))
            return None
        if not self.connection.listens:
            raise ApiError(409, "hello-first", "the first frame is expected to be a hello")
        if isinstance(command, frames.WhyNot):
            return await self.why_not(command)
        await handle(self.table, self.table_command(command))
        return frames.Answer(command.key, True)

    def table_command(self, command: frames.Command) -> on.Command:
        """Return what a frame asks of the table, with who asks."""
        player, seat = self.player.id, self.connection.seat
        if isinstance(command, frames.Say):
            gameplay.check_key(command.key)
            self.check_voice()
            self.limits.take(chat=player)
            return on.Say(player, seat, command.text, command.key, self.connection.link)
        seat = self.own_seat()
        if isinstance(command, frames.Play):
            gameplay.check_key(command.key)
            if command.says is not None:
                self.check_voice()
            return on.Play(player, seat, command, self.connection.language or "en")
        if isinstance(command, frames.Resign):
            return on.Resign(seat)
        if isinstance(command, frames.Claim):
            return on.Claim(seat)
        if isinstance(command, frames.TakeBack):
            return on.TakeBack(seat)
        if isinstance(command, frames.Ready):
            return on.Ready(seat, command.hash)
        if isinstance(command, frames.Reveal):
            return on.Reveal(seat, command.nonce)
        raise ApiError(422, "malformed", "do: this socket does not take that command")

    async def why_not(self, command: frames.WhyNot) -> frames.Answer:
        seat, language = self.own_seat(), self.connection.language or "en"
        async with Exclusive(self.table):
            why = gameplay.why_not(self.table, seat, command.action, language)
        return frames.Answer(command.key, True, why)

    def own_seat(self) -> int:
        seat = self.connection.seat
        if seat is None:
            raise not_seated()
        return seat


def not_seated() -> ApiError:
    return ApiError(403, "not-seated", "only those who sit at this table may do that")


def api_error_of(fault: Exception, table: LiveTable) -> ApiError:
    """What to answer; a fault of ours is written down, and nothing of it told."""
    if isinstance(fault, ApiError):
        return fault
    if isinstance(fault, Busy | Unwritten | Unusable):
        return table.context.outage.error_for(fault, table.row.id)
    log(logging.ERROR, "broken", fault, table=table.row.id)
    return ApiError(500, "broken", "something went wrong here: it is written down")


def decoded(raw: str) -> frames.Command | ApiError:
    """The command in a frame, or what is wrong with it."""
    if len(raw) > MAX_FRAME_LENGTH:
        return ApiError(413, "too-long", f"at most {MAX_FRAME_LENGTH} characters a frame")
    try:
        command: frames.Command = DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        return ApiError(422, "malformed", f"frame: {fault}")
    return command
