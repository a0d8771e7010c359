"""Mail by the operator's mail server (RFC 5321), with links to stop it (RFC 8058)."""

import smtplib
import ssl
from contextlib import closing
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Final

from zashiki.server.settings import Relay

TIMEOUT_SECONDS: Final = 10.0
"""For each answer of the mail server."""
ACCEPTED: Final = frozenset({250, 251})
PERMANENT: Final = 500
"""From this code on a mail server does not want to see a message again."""
WIRE: Final = policy.SMTP.clone(max_line_length=998)
"""Lines as mail servers take them. Shorter ones would break links in headers."""


class MailNotAccepted(Exception):
    """The mail server certainly has not taken the message."""


class MailRefused(MailNotAccepted):
    """It never will: the address or the message is not wanted."""


def compose_mail(
    sender: str, address: str, subject: str, text: str, language: str, stop: str, now: float
) -> EmailMessage:
    """Return a mail. `stop` is the address that takes a POST to stop such mails."""
    mail = EmailMessage(policy.SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, address, subject
    mail["Date"] = format_datetime(datetime.fromtimestamp(now, UTC))
    mail["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    mail["Auto-Submitted"] = "auto-generated"
    mail["Content-Language"] = language
    mail["List-Unsubscribe"] = f"<{stop}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    mail.set_content(text, cte="quoted-printable")
    return mail


def send_mail(relay: Relay, mail: EmailMessage) -> None:
    """Hand a mail over. `MailNotAccepted` means that nobody gets it.

    If the connection breaks while the mail server has the message, nobody knows whether it took
    it. This counts as taken: a digest is not sent twice.
    """
    try:
        smtp = connected(relay)
    except (OSError, smtplib.SMTPException) as fault:
        raise MailNotAccepted(type(fault).__name__) from None
    with closing(smtp):
        try:
            check(*smtp.mail(mail["From"]))
            check(*smtp.rcpt(mail["To"]))
            check(*smtp.docmd("DATA"), expected=frozenset({354}))
        except (OSError, smtplib.SMTPException) as fault:
            raise MailNotAccepted(type(fault).__name__) from None
        try:
            smtp.send(dotted(mail.as_bytes(policy=WIRE)))
            answer = smtp.getreply()
        except (OSError, smtplib.SMTPException):
            return
        check(*answer)


def connected(relay: Relay) -> smtplib.SMTP:
    """Connect with TLS, and sign in if the operator gave a user."""
    tls = ssl.create_default_context()
    smtp: smtplib.SMTP
    if relay.is_tls:
        smtp = smtplib.SMTP_SSL(relay.host, relay.port, timeout=TIMEOUT_SECONDS, context=tls)
    else:
        smtp = smtplib.SMTP(relay.host, relay.port, timeout=TIMEOUT_SECONDS)
    try:
        smtp.ehlo_or_helo_if_needed()
        if not relay.is_tls and (not relay.is_here or smtp.has_extn("starttls")):
            smtp.starttls(context=tls)
        if relay.user:
            smtp.login(relay.user, relay.password)
    except BaseException:
        smtp.close()
        raise
    return smtp


def check(code: int, _text: bytes, expected: frozenset[int] = ACCEPTED) -> None:
    if code not in expected:
        raise MailRefused if code >= PERMANENT else MailNotAccepted


def dotted(content: bytes) -> bytes:
    """Return a content as `DATA` takes it: lines that begin with a dot get another one."""
    ending = b"" if content.endswith(b"\r\n") else b"\r\n"
    return (b"\r\n" + content).replace(b"\r\n.", b"\r\n..")[2:] + ending + b".\r\n"
