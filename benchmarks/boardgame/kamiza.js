// KAMIZA Second Generation for boardgame.io, by the rules that its ids name, with default options.
//
// A seat's hand and the card that it placed in this round are in `players`, of which STRIP_SECRETS
// leaves each seat its own. Everything else in G is public. Only the starter is drawn.
// Seats place one after the other (K2 2.1), so that one player is active at a time: `turn` names it.
"use strict";

const { INVALID_MOVE, PlayerView } = require("boardgame.io/core");

const CARDS = ["boss", "underboss", "hitman", "police"]; // from the highest, as K2 4.4 counts them
const AREAS = ["top", "bottom"];
const NUMBERS = { boss: 5, underboss: 2, hitman: 1 };
const SHOT = 4; // K2 3.5
const GAMES = 3;
const ROUNDS = 3;
const DROP_OUT = 3; // K2 4.1
const LONGEST_THREAT = 200;

const seatsOf = (G) => G.scores.map((_, seat) => seat);
const remaining = (G) => seatsOf(G).filter((seat) => !G.dropped.includes(seat));

function setup({ ctx, random }, setupData) {
  const each = (make) => Array.from({ length: ctx.numPlayers }, make);
  // K2 1.3; a repeated match has its own
  const starter = setupData?.starter ?? random.Die(ctx.numPlayers) - 1;
  return {
    game: 1,
    round: 1,
    starter,
    turn: starter,
    over: false,
    scores: each(() => 0),
    wanted: each(() => 0),
    dropped: [],
    placed: [],
    spent: each(() => []),
    threats: {},
    history: [],
    players: Object.fromEntries(
      each((_, seat) => [String(seat), { hand: [...CARDS], laid: null }]),
    ),
  };
}

/** K2 2.1, K2 2.2: a card from hand face down in an area, with a threat or in silence. */
function place({ G, playerID }, card, area, says) {
  const seat = Number(playerID);
  const own = G.players[playerID];
  if (seat !== G.turn || !AREAS.includes(area) || !own.hand.includes(card)) return INVALID_MOVE;
  if (says !== undefined) {
    if (typeof says !== "string" || says.length > LONGEST_THREAT) return INVALID_MOVE;
    G.threats[playerID] = says;
  }
  own.hand = own.hand.filter((held) => held !== card);
  own.laid = card;
  G.placed.push({ seat, area });
  const waiting = remaining(G).filter((other) => !G.placed.some((lies) => lies.seat === other));
  if (waiting.length) G.turn = nextOf(waiting, seat, G.scores.length);
  else closeRound(G);
}

/** The first of these seats clockwise after a seat. */
function nextOf(seats, after, count) {
  const distance = (seat) => (seat - after - 1 + count) % count;
  return seats.reduce((best, seat) => (distance(seat) < distance(best) ? seat : best));
}

/** K2 2.3-2.6: all is turned up and judged, then the next round begins, or the match is over. */
function closeRound(G) {
  const laid = G.placed.map(({ seat, area }) => ({ seat, area, card: G.players[seat].laid }));
  const verdict = judge(laid);
  reveal(G, laid);
  verdict.points.forEach(({ seat, points }) => (G.scores[seat] += points));
  if (verdict.bribed !== null) {
    G.wanted[verdict.bribed] += 1; // K2 3.9
    if (G.wanted[verdict.bribed] >= DROP_OUT) G.dropped = [...G.dropped, verdict.bribed].sort();
  }
  G.last = verdict;
  if ((G.game === GAMES && G.round === ROUNDS) || remaining(G).length <= 1) {
    G.over = true;
    G.turn = null;
    return;
  }
  beginRound(G);
}

function reveal(G, laid) {
  const cards = seatsOf(G).map(() => null);
  for (const { seat, area, card } of laid) {
    cards[seat] = `${card}@${area}`;
    const spent = [...G.spent[seat], card];
    G.spent[seat] = CARDS.filter((each) => spent.includes(each));
    G.players[seat].laid = null;
  }
  const { game, round, starter, threats } = G;
  G.history.push({ game, round, starter, cards, threats: { ...threats } });
  G.threats = {};
  G.placed = [];
}

function beginRound(G) {
  G.starter = nextStarter(G);
  G.turn = G.starter;
  if (G.round < ROUNDS) {
    G.round += 1;
    return;
  }
  G.game += 1;
  G.round = 1;
  for (const seat of seatsOf(G)) {
    G.spent[seat] = [];
    G.players[seat].hand = [...CARDS];
  }
}

/** K2 2.6: the highest total; tied, the starter or the first clockwise from them. */
function nextStarter(G) {
  const best = Math.max(...remaining(G).map((seat) => G.scores[seat]));
  const leaders = remaining(G).filter((seat) => G.scores[seat] === best);
  return leaders.includes(G.starter) ? G.starter : nextOf(leaders, G.starter, G.scores.length);
}

/** K2 3: who was removed and why, and what the others score. */
function judge(laid) {
  const isMisplaced = ({ card, area }) =>
    area === "bottom" && (card === "boss" || card === "police"); // K2 3.1
  const fitting = laid.filter((lies) => !isMisplaced(lies));
  const equals = (lies) =>
    fitting.filter(({ card, area }) => card === lies.card && area === lies.area).length;
  const left = fitting.filter((lies) => equals(lies) === 1); // K2 3.2
  const verdict = {
    misplaced: laid.filter(isMisplaced).map(({ seat }) => seat),
    cancelled: fitting.filter((lies) => equals(lies) > 1).map(({ seat }) => seat),
    beaten: [],
    points: [],
    bribed: null,
  };
  judgeTop(left.filter(({ area }) => area === "top"), verdict);
  for (const { seat, card } of left.filter(({ area }) => area === "bottom"))
    verdict.points.push({ seat, points: NUMBERS[card] });
  return verdict;
}

function judgeTop(left, verdict) {
  const who = (card) => left.find((lies) => lies.card === card);
  const shot = who("boss") && who("hitman"); // K2 3.5, K2 3.6
  const winner = shot ? who("hitman") : (who("boss") ?? who("underboss") ?? who("hitman"));
  if (!winner) return; // K2 3.8
  const police = who("police");
  let points = shot ? SHOT : NUMBERS[winner.card]; // K2 3.4, K2 3.10
  if (police) {
    points = Math.floor(points / 2); // K2 3.7
    verdict.points.push({ seat: police.seat, points });
    if (points) verdict.bribed = police.seat; // K2 3.9
  }
  verdict.points.push({ seat: winner.seat, points });
  verdict.beaten = left.filter((lies) => lies !== winner && lies !== police).map(({ seat }) => seat);
}

/** K2 4.3, K2 4.4: still in, then the total, then the lower card left in hand. */
function outcome(G) {
  const merits = seatsOf(G).map((seat) => {
    if (G.dropped.includes(seat)) return [0, G.scores[seat], 0];
    const left = CARDS.filter((card) => !G.spent[seat].includes(card));
    return [1, G.scores[seat], CARDS.indexOf(left.at(-1))];
  });
  const isBetter = (a, b) => {
    const differing = a.findIndex((value, place) => value !== b[place]);
    return differing >= 0 && a[differing] > b[differing];
  };
  const ranks = merits.map((mine) => 1 + merits.filter((other) => isBetter(other, mine)).length);
  return { ranks, scores: [...G.scores] };
}

const Kamiza = {
  name: "kamiza",
  minPlayers: 3,
  maxPlayers: 4,
  disableUndo: true,
  setup,
  validateSetupData: (data) => (data === undefined ? undefined : "nothing is to be chosen"),
  playerView: PlayerView.STRIP_SECRETS,
  // on the server alone, since it needs the others' cards, and not in any client's log
  moves: { place: { move: place, client: false, redact: true } },
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: { first: ({ G }) => G.turn, next: ({ G }) => G.turn ?? undefined },
  },
  endIf: ({ G }) => (G.over ? outcome(G) : undefined),
};

module.exports = { AREAS, CARDS, Kamiza };
