"""WebSocket framing on the server side (RFC 6455, section 5): a client's frames, and ours."""

from enum import IntEnum
from typing import Final

MAX_MESSAGE_BYTES: Final = 65536
MAX_CONTROL_BYTES: Final = 125
MAX_FRAGMENTS: Final = 64
"""Unfinished frames of one message."""

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
OPCODES: Final = frozenset({CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG})
FINAL, RESERVED, OPCODE = 0x80, 0x70, 0x0F
"""Bits of a frame's first byte."""
MASKED, LENGTH = 0x80, 0x7F
"""Bits of its second byte."""
TEXT_16, TEXT_64 = bytes((FINAL | TEXT, 126)), bytes((FINAL | TEXT, 127))
"""The first two bytes of a text frame whose length has 16 bits, and 64 bits."""


class CloseCode(IntEnum):
    """The close codes that this server sends by itself."""

    NORMAL = 1000
    PROTOCOL_ERROR = 1002
    INVALID_DATA = 1007
    POLICY_VIOLATION = 1008
    TOO_BIG = 1009
    INTERNAL_ERROR = 1011
    SERVICE_RESTART = 1012


class FramingError(Exception):
    """A violation of RFC 6455, or of a size limit, that ends the connection."""

    def __init__(self, reason: str, code: CloseCode = CloseCode.PROTOCOL_ERROR) -> None:
        super().__init__(reason)
        self.reason = reason
        self.code = code


class MessageParser:
    """Parses bytes into messages: unmasked, joined from their fragments, and limited in size."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._fragments: list[bytes] = []
        self._opcode = CONTINUATION
        """Opcode of the fragmented message that is being received; 0 if there is none."""
        self._size = 0
        """Bytes of its fragments."""

    def feed(self, data: bytes | bytearray) -> None:
        self._buffer += data

    def next_message(self) -> tuple[int, bytes] | None:
        """Return opcode and payload of the next message or control frame; None if more bytes are
        needed. Raises `FramingError`, after which the parser must not be used."""
        while (frame := self._next_frame()) is not None:
            head, payload = frame
            opcode, is_final = head & OPCODE, head & FINAL
            if opcode >= CLOSE:
                if opcode == CLOSE:
                    self._check_close(payload)
                return opcode, payload
            if is_final and opcode:
                return opcode, payload
            self._opcode = opcode or self._opcode
            self._size += len(payload)
            self._fragments.append(payload)
            if is_final:
                message = self._opcode, b"".join(self._fragments)
                self._opcode, self._size, self._fragments = CONTINUATION, 0, []
                return message
            if len(self._fragments) > MAX_FRAGMENTS:
                raise FramingError("too many pieces", CloseCode.TOO_BIG)
        return None

    def _next_frame(self) -> tuple[int, bytes] | None:
        """Return the first byte and the unmasked payload of the next frame, if it is complete."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        head, length, start = buffer[0], buffer[1] & LENGTH, 2
        if head & OPCODE not in OPCODES:
            raise FramingError("invalid opcode")
        if not buffer[1] & MASKED:
            raise FramingError("incorrect masking")
        if length > MAX_CONTROL_BYTES:
            start = 4 if length == 126 else 10
            if len(buffer) < start:
                return None
            length = int.from_bytes(buffer[2:start], "big")
        self._check_head(head, length)
        end = start + 4 + length
        if len(buffer) < end:
            return None
        payload = unmasked(buffer[start + 4 : end], buffer[start : start + 4])
        del buffer[:end]
        return head, payload

    def _check_head(self, head: int, length: int) -> None:
        """Refuse a frame as soon as its first bytes show that it is wrong."""
        opcode = head & OPCODE
        limit = MAX_MESSAGE_BYTES - (0 if opcode >= CLOSE else self._size)
        if length > limit:
            raise FramingError(f"expected {limit} bytes at most, found {length}", CloseCode.TOO_BIG)
        if head & RESERVED:
            raise FramingError("reserved bits must be 0")
        if opcode >= CLOSE:
            if length > MAX_CONTROL_BYTES:
                raise FramingError("control frame too long")
            if not head & FINAL:
                raise FramingError("fragmented control frame")
        elif opcode and self._opcode:
            raise FramingError("expected a continuation frame")
        elif not opcode and not self._opcode:
            raise FramingError("unexpected continuation frame")

    def _check_close(self, payload: bytes) -> None:
        if len(payload) == 1:
            raise FramingError("close frame too short")
        if payload:
            decode_text(payload[2:])
            if not is_close_code(int.from_bytes(payload[:2], "big")):
                raise FramingError("invalid status code")
        if self._opcode:
            raise FramingError("incomplete fragmented message")


def is_close_code(code: int) -> bool:
    """Tell whether a peer may send this close code (RFC 6455, section 7.4, and its registry)."""
    return 1000 <= code <= 1003 or 1007 <= code <= 1014 or 3000 <= code <= 4999


def unmasked(payload: bytes | bytearray, key: bytes | bytearray) -> bytes:
    """XOR a payload with its repeated key, as two large integers: bytes one by one are slow."""
    size = len(payload)
    keys = (key * (size // 4 + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(keys, "big")).to_bytes(size, "big")


def decode_text(payload: bytes) -> str:
    try:
        return payload.decode()
    except UnicodeDecodeError:
        raise FramingError("expected UTF-8", CloseCode.INVALID_DATA) from None


def text_frame(text: bytes) -> tuple[bytes, bytes]:
    """Return head and payload of a text frame. They are apart to be joined once with others."""
    size = len(text)
    if size < 126:
        return bytes((FINAL | TEXT, size)), text
    if size < 1 << 16:
        return TEXT_16 + size.to_bytes(2, "big"), text
    return TEXT_64 + size.to_bytes(8, "big"), text


def control_frame(opcode: int, payload: bytes) -> bytes:
    return bytes((FINAL | opcode, len(payload))) + payload


def close_frame(code: CloseCode, reason: str = "") -> bytes:
    return control_frame(CLOSE, code.to_bytes(2, "big") + reason.encode())
