// The map: who owns what, what was just taken, what is being paid for, and the ticket pointed at.
const mapSvg = document.querySelector("#map .board-map");
const trackElements = [...mapSvg.querySelectorAll(".track")];
const cityElements = [...mapSvg.querySelectorAll(".city")];
const ownTitles = [...trackElements, ...cityElements].map((element) => element.querySelector("title").textContent);
const ownMarks = trackElements.map((element) => element.querySelector(".mark").textContent);

function drawBoard(owned) {
  const pending = game.frames[at].pending;
  trackElements.forEach((element, index) => own(element, index, owned.track.get(index), "track", pending));
  cityElements.forEach((element, index) => own(element, index, owned.city.get(index), "city", pending));
  drawPlaces(owned);
}

function own(element, index, owner, kind, pending) {
  const title = ownTitles[kind === "track" ? index : trackElements.length + index];
  const mark = element.querySelector(kind === "track" ? ".mark" : ".station-mark");
  element.classList.toggle("picked", pending !== null && pending[0] === kind && pending[1] === index);
  element.classList.toggle("fresh", owner !== undefined && owner.step === at - 1);
  element.querySelector("title").textContent = title + (owner ? `\n${what(kind)} ${seatName(owner.seat)}, turn ${game.steps[owner.step].turn + 1}` : "");
  if (owner) {
    element.dataset.owner = owner.seat;
    mark.textContent = owner.seat;
  } else {
    delete element.dataset.owner;
    mark.textContent = kind === "track" ? ownMarks[index] : "";
  }
}

/** The map as a table, for keyboards and screen readers: what has an owner, the latest first, then what is free. */
function drawPlaces(owned) {
  if (!$("places").open) return;
  const taken = [...owned.track, ...owned.city].map(([index, owner], i) => ({ index, ...owner, track: i < owned.track.size }));
  taken.sort((one, other) => other.step - one.step);
  const rows = taken.map(({ index, seat, step, track }) =>
    [track ? game.board.tracks[index].text : `station in ${game.board.cities[index]}`, seatName(seat), `${game.steps[step].turn + 1}`]);
  const free = game.board.tracks.filter((_, index) => !owned.track.has(index)).map((track) => [track.text, "", ""]);
  $("places-table").replaceChildren(makeTable(["track or station", "owner", "turn"], [...rows, ...free]));
}

const what = (kind) => (kind === "track" ? "claimed by" : "station of");

/** Show a line between the cities of a ticket; null takes it away. */
function showTicket(ticket) {
  mapSvg.querySelector(".ticket-line")?.remove();
  cityElements.forEach((element) => element.classList.remove("picked"));
  if (ticket === null) return;
  const { a, b } = game.board.tickets[ticket];
  const [from, to] = [a, b].map((city) => cityElements[city].transform.baseVal.consolidate().matrix);
  cityElements[a].classList.add("picked");
  cityElements[b].classList.add("picked");
  const line = makeSvg("line", { class: "ticket-line", x1: from.e, y1: from.f, x2: to.e, y2: to.f });
  mapSvg.querySelector(".cities").before(line);
}

/** Ring a track or city, as long as a row that names it is pointed at. */
function showPlace(place) {
  mapSvg.querySelectorAll(".pointed").forEach((element) => element.classList.remove("pointed"));
  if (place) (place[0] === "track" ? trackElements : cityElements)[place[1]].classList.add("pointed");
}

/** Say below the map what is pointed at or touched. */
function startInfo() {
  const say = (event) => {
    const title = event.target.closest(".track, .city")?.querySelector("title");
    if (title) $("info").textContent = title.textContent.replace("\n", " · ");
  };
  mapSvg.addEventListener("pointerover", say);
  mapSvg.addEventListener("click", say);
  $("places").addEventListener("toggle", () => drawPlaces(owners()));
}
