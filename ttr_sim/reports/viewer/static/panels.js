// The panels beside the map: seats, market, result, what the bot thought, list of decisions.
function cardList(counts, hidden = 0) {
  const cards = counts.map((count, color) => count
    ? make("li", { class: `card ${COLORS[color]}`, title: `${count} ${COLORS[color]}` },
        make("small", { "aria-hidden": "true" }, LETTERS[color]), `${count}`,
        make("span", { class: "hidden-text" }, ` ${COLORS[color]}`))
    : null);
  if (hidden) cards.push(make("li", { class: "card back" }, `${hidden} not seen`));
  return make("ul", { class: "cards" }, ...cards);
}

/** The number of a seat in its colour, with its bot in words for those who do not see it. */
function seatBadge(seat) {
  return make("span", { class: "badge", "data-owner": seat, title: seatName(seat) }, `${seat}`,
    make("span", { class: "hidden-text" }, ` ${game.bots[seat]}`));
}

function ticketButton(ticket, state) {
  const button = make("button", { type: "button", class: `ticket ${state}` },
    `${state === "done" ? "✓ " : ""}${ticketText(ticket)}${state === "offered" ? " offered" : ""}`);
  for (const type of ["pointerenter", "focus"]) button.addEventListener(type, () => showTicket(ticket));
  for (const type of ["pointerleave", "blur"]) button.addEventListener(type, () => showTicket(null));
  return make("li", {}, button);
}

function drawSeats(owned) {
  const frame = game.frames[at];
  $("seats").replaceChildren(...game.bots.map((_, seat) => drawSeat(frame, seat, owned)));
}

function drawSeat(frame, seat, owned) {
  const own = frame.seats[seat];
  const open = sees(seat);
  const sum = (cards) => cards.reduce((total, count) => total + count, 0);
  const moves = frame.phase !== "OVER" && frame.seat === seat;
  const score = shownScore(frame, seat);
  const done = connected(owned, seat);
  const facts = `${own.points} for routes · ${own.trains} trains · ${own.stations} stations · ` +
    `${sum(own.hand)} cards · ${own.tickets.length} tickets`;
  const tickets = open
    ? [...own.tickets.map((t) => ticketButton(t, done(t) ? "done" : "open")),
       ...own.offer.map((t) => ticketButton(t, "offered"))]
    : [];
  return make("section", { class: `panel seat${moves ? " moves" : ""}`, "data-owner": seat, "aria-label": seatName(seat) },
    make("h2", {},
      make("span", { class: "badge", title: `seat ${seat}` }, `${seat}`),
      make("span", { class: "bot", title: game.bots[seat] }, game.bots[seat], moves ? make("small", {}, " to move") : null),
      make("span", { class: "score", title: open ? "score if the game ended here" : "points for routes" }, `${score}`)),
    make("p", { class: "facts" }, facts),
    open ? cardList(own.hand) : cardList(own.known, sum(own.hand) - sum(own.known)),
    tickets.length ? make("ul", { class: "tickets" }, ...tickets) : null);
}

function drawMarket() {
  const frame = game.frames[at];
  const left = frame.left < 0 ? "" : ` · ${frame.left} turn${frame.left === 1 ? "" : "s"} left`;
  $("market").replaceChildren(
    make("h2", {}, "Market"), cardList(frame.market),
    make("p", { class: "facts" }, `deck ${frame.deck} · discards ${frame.discards} · ticket deck ${frame.tickets_left}${left}`));
}

const PARTS = [["routes", "routes"], ["tickets_won", "tickets won"], ["tickets_lost", "tickets lost"],
  ["longest_bonus", "longest path"], ["globetrotter", "globetrotter"], ["all_trains", "all trains"],
  ["stations_points", "stations"], ["score", "score"], ["rank", "rank"], ["completed", "tickets completed"],
  ["failed", "tickets failed"], ["longest", "path length"], ["trains_left", "trains left"]];

function drawResult() {
  const seats = game.result.seats;
  $("result").hidden = at !== last || view >= 0 && !game.over;
  if ($("result").hidden) return;
  const best = game.bots.map((_, seat) => seat).filter((seat) => seats[seat].rank === 1).map(seatName).join(" and ");
  const title = game.over ? `${best} wins`.replace(/( and .*)wins$/, "$1share the win") : `Not played to its end`;
  const rows = PARTS.map(([name, text]) => [text, ...seats.map((seat) => `${seat[name]}`)]);
  $("result").replaceChildren(make("h2", {}, title), make("p", {}, game.ending),
    makeTable(["", ...game.bots.map((_, seat) => seatBadge(seat))], rows, 7));
}

function drawThoughts() {
  const step = at > 0 ? game.steps[at - 1] : null;
  const thoughts = step && sees(step.seat) ? step.thoughts : null;
  $("thoughts").hidden = !thoughts;
  if (!thoughts) return;
  const largest = thoughts.measures.map((_, m) => Math.max(...thoughts.rows.map((row) => row.values[m] ?? 0)));
  const rows = thoughts.rows.map((row) => [row.text, ...row.values.map((value, m) => number(value, m === 0 ? largest[0] : 0))]);
  const table = makeTable(["alternative", ...thoughts.measures], rows, thoughts.rows.findIndex((row) => row.taken));
  table.querySelectorAll("tbody tr").forEach((tr, i) => {
    tr.addEventListener("pointerenter", () => showPlace(thoughts.rows[i].place));
    tr.addEventListener("pointerleave", () => showPlace(null));
  });
  $("thoughts").replaceChildren(make("h2", {}, `What ${game.bots[step.seat]} thought`), make("div", { class: "scroll" }, table));
}

/** A number with about three digits that count, and a bar of its share of the largest. */
function number(value, largest) {
  if (value == null) return "";
  const text = `${Math.abs(value) >= 10 ? Math.round(value * 10) / 10 : Number(value.toPrecision(3))}`;
  if (!(largest > 0)) return text;
  const bar = make("span", { class: "bar", "aria-hidden": "true" });
  bar.style.width = `${Math.max(0, value / largest) * 2.2}em`;
  return make("span", {}, bar, ` ${text}`);
}

function drawSteps() {
  $("steps").replaceChildren(...game.steps.map((step, i) => {
    const [text, note] = stepTexts(step);
    const first = i === 0 || game.steps[i - 1].turn !== step.turn || game.steps[i - 1].seat !== step.seat;
    const button = make("button", { type: "button", "data-at": i + 1 },
      make("span", { class: "turn" }, first ? (step.kind === "keep" && step.turn === 0 ? "start" : `${step.turn + 1}`) : ""),
      make("span", { class: "badge", "data-owner": step.seat, title: seatName(step.seat) }, `${step.seat}`),
      make("span", {}, text, note ? make("small", {}, ` ${note}`) : null, step.forced ? make("small", {}, " (forced)") : null));
    return make("li", {}, button);
  }));
}

function markStep() {
  $("steps").querySelector("[aria-current]")?.removeAttribute("aria-current");
  const button = $("steps").children[at - 1]?.firstElementChild;
  if (!button) return void ($("steps").scrollTop = 0);
  button.setAttribute("aria-current", "step");
  // Not scrollIntoView, which would move the page too.
  const list = $("steps");
  const top = button.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top > list.scrollTop + list.clientHeight - 60) list.scrollTop = top - list.clientHeight / 2;
}

function drawNow() {
  const step = at > 0 ? game.steps[at - 1] : null;
  if (!step) return $("now").replaceChildren(make("span", {}, "The tickets are dealt."));
  const [text, note] = stepTexts(step);
  $("now").replaceChildren(
    make("span", { class: "badge", "data-owner": step.seat }, `${step.seat}`),
    make("span", {}, make("strong", {}, game.bots[step.seat]), ` ${text}`, note ? make("small", {}, ` ${note}`) : null));
}
