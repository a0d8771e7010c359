"""The WebSocket parser, compared with that of `websockets` on the same bytes."""

import random
from unittest.mock import patch

import pytest
from websockets.frames import Frame, Opcode
from websockets.protocol import OPEN, Protocol, Side

from tests.server.raw_websocket import masked_frame
from zashiki.server.realtime import framing
from zashiki.server.realtime.framing import CloseCode, FramingError, MessageParser

LIMIT = 2000
"""The longest message in the comparison, in bytes."""
Result = tuple[list[tuple[int, bytes]], int | None]
"""Messages and control frames, and the close code of a violation or None."""


def parsed(raw: bytes, choice: random.Random) -> Result:
    """Return our parser's result for bytes that arrive in random pieces."""
    parser, messages, at = MessageParser(), [], 0
    try:
        while at < len(raw):
            size = choice.choice([1, 2, 3, 7, 50, 400, 5000])
            parser.feed(raw[at : at + size])
            at += size
            while (message := parser.next_message()) is not None:
                messages.append(message)
                if message[0] == framing.CLOSE:
                    return messages, None
    except FramingError as fault:
        return messages, fault.code
    return messages, None


def parsed_by_websockets(raw: bytes) -> Result:
    """Return the library's result for the same bytes."""
    protocol = Protocol(Side.SERVER, state=OPEN, max_size=LIMIT)
    protocol.receive_data(raw)
    messages: list[tuple[int, bytes]] = []
    fragments: list[Frame] = []
    for frame in protocol.events_received():
        assert isinstance(frame, Frame)
        if frame.opcode >= Opcode.CLOSE:
            messages.append((frame.opcode, bytes(frame.data)))
            continue
        fragments.append(frame)
        if frame.fin:
            text = b"".join(bytes(one.data) for one in fragments)
            messages.append((fragments[0].opcode, text))
            fragments = []
    failed = protocol.parser_exc is not None
    return messages, protocol.close_sent.code if failed and protocol.close_sent else None


def stream(choice: random.Random) -> bytes:
    """Return frames of a client, of which one may be wrong.

    The library counts a control frame as a part of the message around it, which it is not. So there
    is none if that could matter: in a long message, or after a wrong frame.
    """
    raw, is_open, size, wrong = b"", False, 0, choice.randrange(40)
    for number in range(choice.randrange(1, 30)):
        if choice.random() < 0.3 and size < LIMIT - 200 and number <= wrong:
            made = control(choice)
        else:
            rest = max(0, LIMIT - size)
            data = choice.randbytes(choice.choice([0, 1, 5, 125, 126, 127, 300, rest]))
            is_last = choice.random() < 0.6
            opcode = Opcode(0 if is_open else choice.choice([1, 2]))
            made = Frame(opcode, data, is_last).serialize(mask=True)
            is_open, size = not is_last, 0 if is_last else size + len(data)
        raw += damaged(made, choice) if number == wrong else made
    return raw


def control(choice: random.Random) -> bytes:
    if choice.random() < 0.1:
        code = choice.choice([*range(990, 1020), 2999, 3000, 4999, 5000])
        reason = choice.choice([b"", b"bye", "さようなら".encode(), b"\xff"])
        data = choice.choice([b"", b"\x03", code.to_bytes(2, "big") + reason])
        return Frame(Opcode.CLOSE, data).serialize(mask=True)
    data = choice.randbytes(choice.choice([0, 4, 125]))
    return Frame(choice.choice([Opcode.PING, Opcode.PONG]), data).serialize(mask=True)


def damaged(raw: bytes, choice: random.Random) -> bytes:
    """Return a frame with a wrong bit in its first byte, or one that is marked as not masked."""
    if choice.random() < 0.2:
        return bytes([raw[0], raw[1] & 0x7F]) + raw[2:]
    return bytes([raw[0] ^ 1 << choice.choice([0, 1, 2, 4, 5, 6, 7])]) + raw[1:]


@pytest.mark.parametrize(
    "streams", [pytest.param(2_000), pytest.param(50_000, marks=pytest.mark.long)]
)
def test_random_streams_are_read_as_the_library_reads_them(streams: int) -> None:
    codes: set[int | None] = set()
    with patch.object(framing, "MAX_MESSAGE_BYTES", LIMIT):
        for seed in range(streams):
            choice = random.Random(seed)
            raw = stream(choice)
            found = parsed(raw, choice)
            assert found == parsed_by_websockets(raw), f"seed {seed}"
            codes.add(found[1])
    assert codes == {None, 1002, 1007, 1009}, "each kind of end was there"


def test_random_bytes_never_break_the_parser() -> None:
    for seed in range(2_000):
        choice = random.Random(seed)
        raw = choice.randbytes(choice.randrange(200))
        messages, code = parsed(raw, choice)
        assert code in {None, 1002, 1007, 1009}
        theirs, their_code = parsed_by_websockets(raw)
        assert code is not None or (messages, code) == (theirs, their_code)


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65535, 65536, 100_000])
def test_what_is_written_can_be_read(size: int) -> None:
    protocol = Protocol(Side.CLIENT, state=OPEN, max_size=None)
    text = b"x" * size
    written = [
        *framing.text_frame(text),
        framing.control_frame(framing.PING, b"1234"),
        framing.close_frame(CloseCode.SERVICE_RESTART, "later"),
    ]
    protocol.receive_data(b"".join(written))
    first, second, third = protocol.events_received()
    assert isinstance(first, Frame)
    assert (first.opcode, first.fin, bytes(first.data)) == (Opcode.TEXT, True, text)
    assert second == Frame(Opcode.PING, b"1234")
    assert third == Frame(Opcode.CLOSE, b"\x03\xf4later")


def test_a_message_is_as_long_as_may_be_and_no_longer() -> None:
    most = framing.MAX_MESSAGE_BYTES
    parser = MessageParser()
    for is_last in (False, True):
        data = bytes(most // 2)
        parser.feed(Frame(Opcode(0 if is_last else 1), data, is_last).serialize(mask=True))
    assert parser.next_message() == (framing.TEXT, bytes(most))
    parser.feed(masked_frame(1, b"x", is_last=False))
    parser.feed(b"\x80\xff" + most.to_bytes(8, "big"))
    with pytest.raises(FramingError) as fault:
        parser.next_message()
    assert fault.value.code == CloseCode.TOO_BIG


def test_a_ping_between_long_fragments_is_no_part_of_the_message() -> None:
    parser = MessageParser()
    parser.feed(Frame(Opcode.TEXT, bytes(framing.MAX_MESSAGE_BYTES), False).serialize(mask=True))
    parser.feed(masked_frame(9, b"are you there"))
    assert parser.next_message() == (framing.PING, b"are you there")
