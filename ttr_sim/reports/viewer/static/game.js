// The game and the position looked at. `at` counts decisions; `view` is -1 for everything open, else a seat.
const game = JSON.parse($("data").textContent);
const COLORS = ["purple", "white", "blue", "yellow", "orange", "black", "red", "green", "locomotive"];
const LETTERS = "PWBYOKRGL";
const last = game.frames.length - 1;
let at = 0;
let view = -1;

const seatName = (seat) => `seat ${seat} ${game.bots[seat]}`;
const sees = (seat) => view < 0 || view === seat;

/** The texts of a decision for whoever looks on. */
function stepTexts(step) {
  if (!step.secret || sees(step.seat)) return [step.text, step.note];
  return [step.public ?? step.text, ""];
}

/** What a seat's score line shows in a position: what is hidden from `view` does not count. */
function shownScore(frame, seat) {
  return sees(seat) ? frame.seats[seat].score : frame.seats[seat].points;
}

function ticketText(ticket) {
  const { a, b, points } = game.board.tickets[ticket];
  return `${game.board.cities[a]}–${game.board.cities[b]} ${points}`;
}

/** Owners of tracks and stations after `at` decisions: maps from index to {seat, step}. */
function owners() {
  const owned = { track: new Map(), city: new Map() };
  for (let i = 0; i < at; i++)
    for (const [kind, index, seat] of game.steps[i].gained) owned[kind].set(index, { seat, step: i });
  return owned;
}

/** Which tickets a seat's own tracks connect. */
function connected(owned, seat) {
  const parent = game.board.cities.map((_, city) => city);
  const find = (city) => {
    while (parent[city] !== city) city = parent[city];
    return city;
  };
  for (const [track, owner] of owned.track) {
    const { a, b } = game.board.tracks[track];
    if (owner.seat === seat) parent[find(a)] = find(b);
  }
  return (ticket) => find(game.board.tickets[ticket].a) === find(game.board.tickets[ticket].b);
}

/** The position before the turn of decision `i`, and after it. */
const turnStart = (i) => {
  const turn = game.frames[i].turn;
  while (i > 0 && game.frames[i - 1].turn === turn) i--;
  return i;
};
const turnEnd = (i) => {
  const turn = game.frames[i].turn;
  while (i < last && game.frames[i].turn === turn) i++;
  return i;
};
