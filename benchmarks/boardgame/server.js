// boardgame.io's own server with KAMIZA: `node server.js memory` or `node server.js flatfile DIR`.
// It prints its address, on this machine only, and serves until it is stopped.
"use strict";

const { FlatFile, Server } = require("boardgame.io/server");

const { Kamiza } = require("./kamiza.js");

const [storage, dir] = process.argv.slice(2);
const db = storage === "flatfile" ? new FlatFile({ dir }) : undefined; // undefined: in memory
const server = Server({ games: [Kamiza], origins: [/^http:\/\/127\.0\.0\.1:\d+$/], db });

// `run` has no address to listen on: the port alone would be open to others.
const listen = server.app.listen.bind(server.app);
server.app.listen = (port, ready) => listen(port, "127.0.0.1", ready);

server.run(0).then(({ appServer }) => {
  process.stdout.write(`boardgame.io listens on http://127.0.0.1:${appServer.address().port}\n`);
});
