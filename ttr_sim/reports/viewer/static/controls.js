// Moving through the game: buttons, keys, slider, play, turn number, and the position in the address.
const ICONS = {
  start: "M2 2h3v12H2zM14 2v12L5.5 8z", "turn-back": "M8 2v12L1 8zM15 2v12L8 8z", back: "M12 2v12L4 8z",
  play: "M4 2l9 6-9 6z", pause: "M3 2h4v12H3zM9 2h4v12H9z", on: "M4 2l8 6-8 6z",
  "turn-on": "M1 2l7 6-7 6zM8 2l7 6-7 6z", end: "M2 2l8.5 6L2 14zM11 2h3v12h-3z",
};
const MOVES = {
  start: () => goTo(0), end: () => goTo(last), back: () => goTo(at - 1), on: () => goTo(at + 1),
  "turn-back": () => goTo(turnStart(Math.max(0, at - 1))), "turn-on": () => goTo(turnEnd(at)), play: () => play(!timer),
};
const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "start", End: "end", PageUp: "turn-back", PageDown: "turn-on", " ": "play" };
let timer = 0;
let addressTimer = 0;

function goTo(position) {
  at = Math.min(last, Math.max(0, Number.isFinite(position) ? Math.trunc(position) : 0));
  if (at === last) play(false);
  draw();
}

function draw() {
  const owned = owners();
  drawBoard(owned);
  drawSeats(owned);
  drawMarket();
  drawThoughts();
  drawResult();
  drawNow();
  markStep();
  moveCursor();
  const turn = game.frames[at].turn;
  $("slider").value = at;
  $("where").textContent = `decision ${at} of ${last} · ${turn} turns done`;
  $("slider").setAttribute("aria-valuetext", $("where").textContent);
  if (document.activeElement !== $("turn")) $("turn").value = turn;
  for (const button of document.querySelectorAll("[data-go]")) {
    const go = button.dataset.go;
    button.disabled = /start|back/.test(go) ? at === 0 : /on|end/.test(go) ? at === last : false;
  }
  clearTimeout(addressTimer);
  addressTimer = setTimeout(writeAddress, 120); // browsers slow down pages that write it for each step of a slider
}

function writeAddress() {
  const fragment = `#at=${at}${view < 0 ? "" : `&seat=${view}`}`;
  if (location.hash !== fragment) history.replaceState(null, "", fragment);
}

function play(wanted) {
  clearTimeout(timer);
  timer = 0;
  if (wanted && at === last) at = 0;
  if (wanted) timer = setTimeout(tick, Number($("speed").value));
  const button = document.querySelector('[data-go="play"]');
  button.replaceChildren(icon(wanted ? "pause" : "play"));
  button.setAttribute("aria-label", wanted ? "pause" : "play");
  $("now").setAttribute("aria-live", wanted ? "off" : "polite");
}

function tick() {
  timer = setTimeout(tick, Number($("speed").value));
  goTo(at + 1);
}

const icon = (name) => makeSvg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, makeSvg("path", { d: ICONS[name] }));

function setView(seat) {
  view = seat >= 0 && seat < game.bots.length ? seat : -1;
  $("view").value = view;
  drawSteps();
  drawChart();
  draw();
}

/** Read the position from the address: #at=57&seat=1, or #turn=20. */
function readAddress() {
  clearTimeout(addressTimer);
  const wanted = new URLSearchParams(location.hash.slice(1));
  const turn = wanted.get("turn");
  at = Math.min(last, Math.max(0, turn === null ? Math.trunc(Number(wanted.get("at"))) || 0 : turnPosition(Number(turn))));
  setView(wanted.has("seat") ? Number(wanted.get("seat")) : -1);
}

const turnPosition = (turn) => {
  const found = game.frames.findIndex((frame) => frame.turn >= turn);
  return found < 0 ? last : found;
};

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (/INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
  if (event.key === " " && event.target.closest("button, summary")) return;
  let move = KEYS[event.key];
  if (event.shiftKey && (move === "back" || move === "on")) move = `turn-${move}`;
  if (move) {
    event.preventDefault();
    MOVES[move]();
  } else if (/^[0-9a]$/.test(event.key)) {
    setView(event.key === "a" ? -1 : Number(event.key));
  }
}

/** Links to the list of games and to the games beside this one, where a server has them. */
function startLinks() {
  $("games").hidden = !game.home;
  if (!game.home) return;
  $("home").href = game.home;
  $("ask").hidden = game.asked || game.steps.some((step) => step.thoughts);
  for (const [id, number] of [["previous", game.number - 1], ["next", game.number + 1]]) {
    $(id).setAttribute("aria-label", `game ${number}`);
    if (number >= 0 && number <= game.last_game) $(id).href = `/game/${number}`;
  }
}

function start() {
  $("title").textContent = game.title;
  $("about").textContent = game.about;
  $("slider").max = last;
  $("turn").max = game.frames[last].turn;
  $("view").replaceChildren(make("option", { value: -1 }, "all cards and tickets"),
    ...game.bots.map((_, seat) => make("option", { value: seat }, `as ${seatName(seat)} saw it`)));
  for (const button of document.querySelectorAll("[data-go]")) {
    button.append(icon(button.dataset.go));
    button.setAttribute("aria-label", button.title);
    button.addEventListener("click", () => MOVES[button.dataset.go]());
  }
  $("slider").addEventListener("input", () => goTo(Number($("slider").value)));
  $("turn").addEventListener("change", () => goTo(turnPosition(Number($("turn").value))));
  $("view").addEventListener("change", () => setView(Number($("view").value)));
  $("steps").addEventListener("click", (event) => {
    const button = event.target.closest("[data-at]");
    if (button) goTo(Number(button.dataset.at));
  });
  document.addEventListener("keydown", onKey);
  addEventListener("hashchange", readAddress);
  document.querySelector("main").style.setProperty("--ratio", mapSvg.style.getPropertyValue("--ratio"));
  startLinks();
  startTheme();
  startInfo();
  startChart();
  readAddress();
}

start();
