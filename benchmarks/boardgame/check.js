// Plays matches again in boardgame.io's reducer: a line of JSON in for each, and one out with where
// every action left it. The state sent to each seat is searched for cards of the others.
"use strict";

const readline = require("node:readline");

const { CreateGameReducer, InitializeGame, getFilterPlayerView } = require("boardgame.io/internal");

const { Kamiza } = require("./kamiza.js");

const reduce = CreateGameReducer({ game: Kamiza });
const filtered = getFilterPlayerView(Kamiza);

/** The full state, in the form of our `match.truth()`. */
function truth({ G, ctx }) {
  const turn = ctx.gameover === undefined ? Number(ctx.currentPlayer) : null;
  return {
    seats: ctx.numPlayers,
    game: G.game,
    round: G.round,
    starter: G.starter,
    turn,
    scores: G.scores,
    wanted: G.wanted,
    dropped: G.dropped,
    hands: Object.values(G.players).map(({ hand }) => hand),
    placed: G.placed.map(({ seat, area }) => {
      return { seat, card: G.players[seat].laid, area, open: false };
    }),
    spent: G.spent,
  };
}

/** True if the state sent to a seat names a card that only another seat knows. */
function betrays(state, reader) {
  const { args } = filtered(reader, { type: "update", args: ["match", state] });
  const [, { G }, log] = args;
  const others = Object.keys(G.players).filter((seat) => seat !== reader);
  const told = log.filter(({ action }) => action.payload.playerID !== reader);
  const laid = G.placed.some((lies) => "card" in lies);
  return others.length > 0 || laid || told.some(({ action }) => action.payload.args?.length);
}

function act(state, seat, text) {
  const [card, area] = text.split("@");
  const payload = { type: "place", args: [card, area], playerID: String(seat) };
  return reduce(state, { type: "MAKE_MOVE", payload });
}

function replay({ seats, starter, actions }) {
  let state = InitializeGame({ game: Kamiza, numPlayers: seats, setupData: { starter } });
  const truths = [truth(state)];
  let secret = true;
  for (const [seat, text] of actions) {
    state = act(state, seat, text);
    truths.push(truth(state));
    for (let reader = 0; reader < seats; reader++) secret &&= !betrays(state, String(reader));
  }
  return { truths, outcome: state.ctx.gameover ?? null, secret };
}

readline
  .createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(`${JSON.stringify(replay(JSON.parse(line)))}\n`));
