// Run the pure wheel in Pyodide: node pyodide.mjs WHEEL...
// All wheels are unpacked into site-packages; then a match is played and the laws of a game run.
import { readFile } from "node:fs/promises";
import { loadPyodide } from "pyodide";

const CHECK = `
import contextlib, io, json, sys
import zashiki
from zashiki.core import dice
from zashiki.laws.__main__ import main

assert dice.__file__.endswith(".py"), dice.__file__
match = zashiki.start("kamiza-second", seats=4, seed=7)
while not match.over:
    for seat in sorted(match.to_act):
        match.play(seat, match.legal(seat)[0])
told = io.StringIO()
with contextlib.redirect_stdout(told):
    status = main(["kingdoms", "--matches", "1"])
assert status == 0, told.getvalue()
json.dumps({"python": sys.version.split()[0], "platform": sys.platform,
            "laws": told.getvalue().partition("\\n")[0], "winners": str(match.outcome)})
`;

const pyodide = await loadPyodide();
for (const path of process.argv.slice(2)) {
  pyodide.unpackArchive(new Uint8Array(await readFile(path)), "wheel");
}
console.log(await pyodide.runPythonAsync(CHECK));
