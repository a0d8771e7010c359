"""The socket of a table: every command of its client is answered, in order."""

import asyncio
import logging
import time
from datetime import UTC, datetime

import msgspec

from zashiki.server.errors import ApiError
from zashiki.server.ops.logs import log
from zashiki.server.ops.metrics import ANSWERS, COMMANDS
from zashiki.server.ops.rate_limits import RateLimits
from zashiki.server.protocol import frames, rest
from zashiki.server.realtime.flood_guard import FloodGuard
from zashiki.server.realtime.transport import WebSocketConnection
from zashiki.server.store.errors import Busy, MaybeWritten, Unusable
from zashiki.server.store.rows import PlayerRow
from zashiki.server.tables import commands as on
from zashiki.server.tables import gameplay
from zashiki.server.tables.chat import checked_words
from zashiki.server.tables.connection import Connection
from zashiki.server.tables.handler import submit
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
        self.guard = FloodGuard(socket, self.connection)
        self._unanswered: list[str] = []
        """Frames that wait for an answer. They are few, and an empty deque takes 0.7 KiB."""
        self._is_waiting = False
        """A command is at its table. It happens whatever becomes of the connection."""
        self._all_answered: asyncio.Future[None] | None = None
        """Done when all commands are answered. The end of the session waits for it."""
        self._do = self._key = ""
        self._began = 0.0
        """Of the frame that is being answered: its kind, its key, and when that began."""

    async def run(self) -> None:
        """Answer commands and send news until either side ends the connection.

        The table stays in memory meanwhile, from before the hello.
        """
        self.table.attach(self.connection)
        self.bucket = self.limits.hold("player", self.player.id)
        loop = asyncio.get_running_loop()
        self._hello_timer = loop.call_later(HELLO_TIMEOUT_SECONDS, self._expect_hello)
        try:
            self.socket.listen(self._receive, self.connection.flush)
            self.connection.attach(self.socket)
            await self.socket.over
        finally:
            self._hello_timer.cancel()
            self.guard.close()
            self.connection.close()
            self.table.leave(self.connection)
            try:
                if self._is_waiting:
                    self._all_answered = loop.create_future()
                    await self._all_answered
            finally:
                self.limits.release("player", self.player.id)
                self.table.detach(self.connection)

    def _expect_hello(self) -> None:
        if not self.connection.listens:
            self.connection.close(frames.Bye("hello-first", "a hello was expected by now", True))

    # Answering ---------------------------------------------------------------------------------

    def _receive(self, raw: str) -> None:
        """Queue a frame. A client that was disconnected, and may not know it, is not answered."""
        if not self.connection.is_open:
            return
        self._unanswered.append(raw)
        if len(self._unanswered) >= MAX_UNANSWERED:
            self.socket.pause_reading()
        self._answer_frames()

    def _answer_frames(self) -> None:
        """Answer the frames that wait, in order, until one has to wait for its table, or all of
        them because the client sends too fast."""
        while self._unanswered and self.connection.is_open:
            if self._is_waiting or self.guard.is_pausing:
                return
            self._is_waiting = True
            self._do, self._key, self._began = "unread", "", time.perf_counter()
            try:
                self._read_frame(self._unanswered.pop(0))
            except Exception as fault:
                self._answer(None, fault)

    def _read_frame(self, raw: str) -> None:
        """Begin to do what a frame says. A frame that cannot be read counts too."""
        command = decoded(raw)
        self._key = getattr(command, "key", "")
        try:
            self.bucket.take()
        except ApiError as problem:
            self.guard.pause(problem, self._answer_frames)
            raise
        if isinstance(command, ApiError):
            raise command
        self._do = str(command.__struct_config__.tag)
        self.begin(command)

    def begin(self, command: frames.Command) -> None:
        """Begin to do what a frame says. Its end is answered."""
        if not isinstance(command, frames.Hello):
            if not self.connection.listens:
                raise ApiError(409, "hello-first", "expected a hello as the first frame")
            submit(self.table, self.table_command(command), self.on_done)
        elif self.connection.listens:
            self._answer(None, None)
        else:
            submit(self.table, on.Arrive(self.connection, command), self.on_done)

    def on_done(self, outcome: rest.Fault | None, fault: BaseException | None) -> None:
        """A command has happened at its table: answer it and the frames behind it."""
        self._answer(outcome, fault)
        self._answer_frames()
        if self._all_answered is not None and not self._is_waiting:
            self._all_answered.set_result(None)

    def _answer(self, outcome: rest.Fault | None, fault: BaseException | None) -> None:
        if fault is None:
            if self._do == "hello":
                self._hello_timer.cancel()
            else:
                self.connection.send(frames.Answer(self._key, True, outcome))
            COMMANDS.add(self._do, "ok")
            ANSWERS.observe(time.perf_counter() - self._began, self._do)
        else:
            self._refuse(api_error_of(fault, self.table))
        self._is_waiting = False
        if len(self._unanswered) < MAX_UNANSWERED and not self.guard.is_pausing:
            self.socket.resume_reading()

    def _refuse(self, problem: ApiError) -> None:
        COMMANDS.add(self._do, problem.code)
        if self._do == "hello" and problem.code == "busy":
            self.connection.close(frames.Bye(problem.code, problem.text, True))
            return
        why = rest.Fault(problem.code, problem.text, problem.details)
        self.connection.send(frames.Answer(self._key, False, why))

    # Commands ----------------------------------------------------------------------------------

    def check_voice(self) -> None:
        """Refuse words of a player whom the operator has muted."""
        until = self.connection.silenced_until
        if until is not None and until > self.table.system.now():
            end = datetime.fromtimestamp(until, UTC).isoformat(timespec="minutes")
            text = f"the operator has muted you until {end}"
            raise ApiError(403, "muted", text, {"until": until})

    def table_command(self, command: frames.Command) -> on.Command:
        """Return what a frame asks of the table, with who asks."""
        player, seat = self.player.id, self.connection.seat
        if isinstance(command, frames.Say):
            gameplay.check_command_key(command.key)
            self.check_voice()
            self.limits.take(chat=player)
            return on.Say(player, seat, command.text, command.key, self.connection.link)
        seat, language = self.own_seat(), self.connection.language or "en"
        if isinstance(command, frames.Play):
            gameplay.check_command_key(command.key)
            if command.says is not None:
                self.check_voice()
                checked_words(command.says, "says", MAX_FRAME_LENGTH)
            return on.Play(player, seat, command, language)
        if isinstance(command, frames.WhyNot):
            return on.WhyNot(seat, command.action, language)
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

    def own_seat(self) -> int:
        seat = self.connection.seat
        if seat is None:
            raise not_seated()
        return seat


def not_seated() -> ApiError:
    return ApiError(403, "not-seated", "only those who sit at this table may do that")


def api_error_of(fault: BaseException, table: LiveTable) -> ApiError:
    """Return the error for the client. Log a fault of the server, and hide its details."""
    if isinstance(fault, ApiError):
        return fault
    if isinstance(fault, Busy | MaybeWritten | Unusable):
        return table.context.outage.error_for(fault, table.row.id)
    log(logging.ERROR, "broken", fault, table=table.row.id)
    return ApiError(500, "broken", "something went wrong on the server, and was logged: try again")


def decoded(raw: str) -> frames.Command | ApiError:
    """Return the command in a frame, or what is wrong with it."""
    if len(raw) > MAX_FRAME_LENGTH:
        text = f"expected at most {MAX_FRAME_LENGTH} characters per frame, found {len(raw)}"
        return ApiError(413, "too-long", text)
    try:
        command: frames.Command = DECODER.decode(raw)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        return ApiError(422, "malformed", f"frame: {fault}")
    return command
