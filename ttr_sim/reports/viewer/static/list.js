// The list: what is asked for stands in the address, one page of games at a time comes from the server.
const about = JSON.parse($("data").textContent);
const form = $("filters");
const ANY = { bot: "any", result: "any", end: "any", setting: "any" };
const WORDS = { up: "ascending", down: "descending", game: "number", final_round: "final round", all_passed: "all passed",
  turn_limit: "turn limit", worker_died: "worker died" };
let page = 0;
let asked = 0;

/** What is often wanted, in a word. */
function quickChoices() {
  const bot = () => form.elements.bot.value || about.choices.bot[0];
  return [
    ["all games", () => ({})],
    ["longest", () => ({ sort: "turns", order: "down" })],
    ["closest", () => ({ least: 0, sort: "margin", order: "up" })],
    ["forfeits", () => ({ result: "forfeited" })],
    ["lost by the bot", () => ({ bot: bot(), result: "lost", sort: "margin", order: "up" })],
    ["lost by 30 or more", () => ({ bot: bot(), most: -30, sort: "margin", order: "up" })],
    ["won by the bot", () => ({ bot: bot(), result: "won", sort: "margin", order: "down" })],
  ];
}

function fillChoices() {
  for (const name of ["bot", "result", "end", "setting", "sort", "order"]) {
    const options = about.choices[name].map((value) => make("option", { value }, WORDS[value] ?? value));
    if (name in ANY) options.unshift(make("option", { value: "" }, ANY[name]));
    form.elements[name].replaceChildren(...options);
  }
  $("quick").replaceChildren(...quickChoices().map(([text, values]) => {
    const button = make("button", { type: "button" }, text);
    button.addEventListener("click", () => choose(values()));
    return button;
  }));
}

function choose(values) {
  form.reset();
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value;
  page = 0;
  show();
}

/** The filters as an address, without those that do not matter. */
function wanted() {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form))
    if (value.trim() && !(name === "sort" && value === "game") && !(name === "order" && value === "up")) query.set(name, value.trim());
  if (page) query.set("page", page);
  return query;
}

function readAddress() {
  const query = new URLSearchParams(location.hash.slice(1));
  form.reset();
  for (const [name, value] of query) if (name in form.elements) form.elements[name].value = value;
  page = Number(query.get("page")) || 0;
  show();
}

async function show() {
  const query = wanted();
  history.replaceState(null, "", `#${query}`);
  const mine = ++asked;
  const answer = await fetch(`/games.json?${query}`).catch(() => null);
  if (mine !== asked) return; // another was asked for meanwhile
  $("error").textContent = answer === null ? "ttr-sim view has ended" : answer.ok ? "" : await answer.text();
  if (!answer?.ok) return;
  const found = await answer.json();
  $("about").textContent = `${found.total.toLocaleString("en")} of ${about.games.toLocaleString("en")} games`;
  $("games").replaceChildren(gamesTable(found.rows));
  $("page").textContent = `page ${found.page + 1} of ${found.pages.toLocaleString("en")}`;
  $("before").disabled = found.page === 0;
  $("after").disabled = found.page + 1 >= found.pages;
}

function gamesTable(rows) {
  const several = about.choices.setting.length > 1;
  const header = ["game", "seats and scores", "margin", "turns", "ended by", ...(several ? ["board / rules"] : []), "seed"];
  const table = makeTable(header, rows.map((row) => [
    make("a", { href: `/game/${row.game}` }, `${row.game}`), seatsOf(row), signed(row.margin),
    `${row.turns}`, WORDS[row.end] ?? row.end, ...(several ? [row.setting] : []), row.seed]));
  return table;
}

const signed = (margin) => (margin === null ? "" : margin < 0 ? `−${-margin}` : margin > 0 ? `+${margin}` : "0");

function seatsOf(row) {
  return make("div", { class: "who" }, ...row.seats.map((seat, number) =>
    make("span", { class: seat.result ?? "" }, make("span", { class: "badge", "data-owner": number }, `${number}`),
      make("span", { class: "bot", title: seat.bot }, seat.bot),
      seat.score === null ? (seat.result === "forfeited" ? "forfeits" : "") : `${seat.score}`)));
}

function start() {
  document.title = $("title").textContent = `Games of ${about.run}`;
  $("number").max = about.games - 1;
  fillChoices();
  startTheme();
  form.addEventListener("input", () => { page = 0; show(); });
  form.addEventListener("submit", (event) => event.preventDefault());
  $("before").addEventListener("click", () => { page -= 1; show(); });
  $("after").addEventListener("click", () => { page += 1; show(); });
  $("number").addEventListener("change", () => { if ($("number").value !== "") location.href = `/game/${Number($("number").value)}`; });
  addEventListener("hashchange", readAddress);
  readAddress();
}

start();
