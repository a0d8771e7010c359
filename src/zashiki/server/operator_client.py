"""A client of the operator's API, for commands on the machine of the server."""

import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

from zashiki.core.rulings import Malformed, quoted
from zashiki.server.accounts.secret_key import BadKey, operator_key, read_secret_key
from zashiki.server.settings import KEY_FILE, KEY_VARIABLE, OperatorSettings

TIMEOUT_SECONDS = 30


class OperatorClient:
    """Talks to a server as its operator. Raises `Malformed` with the server's reason."""

    def __init__(self, settings: OperatorSettings) -> None:
        self._server = settings.server
        secret = settings.key
        if secret is None:
            file = settings.folder / KEY_FILE
            try:
                secret = read_secret_key(file)
            except FileNotFoundError:
                text = f"{file}: expected the key of a server: name its folder with --data"
                raise Malformed(f"{text}, or set {KEY_VARIABLE}") from None
            except BadKey as fault:
                raise Malformed(str(fault)) from None
        self.key = operator_key(secret)

    def get(self, path: str) -> Any:
        """Return the answer to a question."""
        return self._ask(path, None)

    def act(self, act: dict[str, Any]) -> Any:
        """Carry out an act, and return it as it was kept."""
        return self._ask("/acts", json.dumps(act).encode())

    def _ask(self, path: str, body: bytes | None) -> Any:
        headers = {
            "X-Zashiki": "1",
            "X-Zashiki-Operator": self.key,
            "Content-Type": "application/json",
        }
        request = Request(f"{self._server}/api/operator{path}", body, headers)
        opener = build_opener(ProxyHandler({}))  # the server is on this machine
        try:
            with opener.open(request, timeout=TIMEOUT_SECONDS) as answer:
                return json.load(answer)
        except HTTPError as refused:
            raise Malformed(reason(refused)) from None
        except (URLError, OSError) as fault:
            why = getattr(fault, "reason", fault)
            text = f"{self._server} cannot be reached: {why}: start it, or name it with --server"
            raise Malformed(text) from None


def reason(refused: HTTPError) -> str:
    """Return the text of a refusal."""
    body = refused.read(10_000)
    try:
        return str(json.loads(body)["text"])
    except (ValueError, KeyError, TypeError):
        return (
            f"expected an answer of a server, found status {refused.code}: {quoted(refused.reason)}"
        )
