"""A mail server on this machine, for tests: it keeps all mails, and can fail at any command."""

import asyncio
import base64
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class MailServer:
    """Accepts mails over SMTP, with STARTTLS and a password if it has a certificate."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self.tls = tls
        self.port = 0
        self.mails: list[tuple[str, str, EmailMessage]] = []
        """The senders and addresses of the envelopes, and the mails."""
        self.logins: list[str] = []
        self.was_encrypted: list[bool] = []
        self.answers: dict[str, str] = {}
        """Replies by command, in place of the usual one. `hang up` closes, `hang` sends nothing."""
        self.asked = asyncio.Event()
        """Set when a whole mail has arrived."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        except (ConnectionError, ssl.SSLError, asyncio.IncompleteReadError):
            return  # the sender is gone
        finally:
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sender = address = ""
        is_encrypted = False
        writer.write(b"220 mail.example\r\n")
        while line := (await reader.readline()).decode().strip():
            command = line.partition(" ")[0].upper()
            if command == "EHLO":
                offers = ["mail.example", *(["STARTTLS"] if self.tls and not is_encrypted else [])]
                offers += ["AUTH PLAIN"] if is_encrypted else []
                said = "\r\n".join([*(f"250-{one}" for one in offers), "250 SIZE 100000"])
                writer.write(f"{said}\r\n".encode())
                continue
            if command == "STARTTLS":
                assert self.tls is not None
                writer.write(b"220 go ahead\r\n")
                await writer.start_tls(self.tls)
                is_encrypted = True
                continue
            if command == "AUTH":
                self.logins.append(base64.b64decode(line.rpartition(" ")[2]).decode())
            sender = line[11:-1] if command == "MAIL" else sender
            address = line[9:-1] if command == "RCPT" else address
            answer = self.answers.get(command, "354 send it" if command == "DATA" else "250 yes")
            if command == "AUTH" and answer == "250 yes":
                answer = "235 yes"
            if answer == "hang up":
                return
            writer.write(f"{answer}\r\n".encode())
            if command == "QUIT":
                return
            if not answer.startswith("354"):
                continue
            content = await reader.readuntil(b"\r\n.\r\n")
            last = self.answers.get(".", "250 taken")
            self.asked.set()
            if last == "hang up":
                return
            if last == "hang":
                await reader.read()
                return
            if last.startswith("250"):
                lines = [line.removeprefix(b".") for line in content[:-3].split(b"\r\n")]
                mail = message_from_bytes(b"\r\n".join(lines), policy=policy.default)
                assert isinstance(mail, EmailMessage)
                self.mails.append((sender, address, mail))
                self.was_encrypted.append(is_encrypted)
            writer.write(f"{last}\r\n".encode())


@asynccontextmanager
async def mail_server(
    tls: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncIterator[MailServer]:
    made = MailServer(tls)
    server = await asyncio.start_server(made.serve, host, 0)
    made.port = server.sockets[0].getsockname()[1]
    async with server:
        yield made


def certificate(folder: Path, host: str) -> tuple[Path, ssl.SSLContext]:
    """A self-signed certificate for an address of this machine, and a context that uses it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(host))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(key, hashes.SHA256())
    )
    file, secret = folder / "mail.pem", folder / "mail.key"
    file.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, secret)
    return file, context
