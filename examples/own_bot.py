"""A bot of your own: it takes a seat at a table by its link and plays random legal actions.

    python own_bot.py http://127.0.0.1:8620 TABLE [SEAT] [KEY]

With ZASHIKI_TOKEN in the environment it signs in as that player, otherwise as a guest.
"""

import json
import os
import random
import sys

import httpx
from websockets.sync.client import connect


def main(server: str, table: str, seat: str = "1", key: str | None = None) -> None:
    token = os.environ.get("ZASHIKI_TOKEN")
    headers = {"X-Zashiki": "1"} | ({"Authorization": f"Bearer {token}"} if token else {})
    with httpx.Client(base_url=server, headers=headers) as web:
        if not token:
            web.post("/api/guest", json={"name": "Own bot"}).raise_for_status()
        sat = web.post(f"/api/tables/{table}/sit", json={"seat": int(seat), "key": key})
        sat.raise_for_status()
        ticket = web.post(f"/api/tables/{table}/ticket").raise_for_status().json()["ticket"]
    address = f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket?ticket={ticket}"
    with connect(address) as socket:
        socket.send(json.dumps({"do": "hello", "version": 2}))
        for frame in map(json.loads, socket):
            if frame["is"] in ("welcome", "changed") and frame["table"]["state"] == "starting":
                socket.send(json.dumps({"do": "ready", "key": "ready"}))  # it adds no nonce
            if frame["is"] != "told":
                continue
            public, own = frame["public"], frame["own"]
            if public["over"]:
                print({**public["view"], **own["view"]})
                return
            if own["decision"] is not None:
                number, action = own["decision"], random.choice(own["legal"])  # think here
                play = {"do": "play", "key": f"{number}", "decision": number, "action": action}
                socket.send(json.dumps(play))


if __name__ == "__main__":
    main(*sys.argv[1:])
