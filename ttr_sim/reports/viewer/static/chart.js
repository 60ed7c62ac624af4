// The score of every seat over the game; a click goes to that position.
const CHART = { width: 0, height: 210, left: 34, right: 26, top: 12, bottom: 24 };
const DASHES = ["", "9 4", "3 3", "12 4 3 4", "1 4"];
const chartX = (i) => CHART.left + (i / Math.max(1, last)) * (CHART.width - CHART.left - CHART.right);

function drawChart() {
  CHART.width = Math.max(240, $("chart").clientWidth); // so that its texts are as large as others
  $("chart-title").textContent = view < 0 ? "Score if the game ended here" : `Score as ${seatName(view)} could count it`;
  const lines = game.bots.map((_, seat) => game.frames.map((frame) => shownScore(frame, seat)));
  const [low, high] = [Math.min(0, ...lines.flat()), Math.max(10, ...lines.flat())];
  const y = (score) => CHART.top + ((high - score) / (high - low)) * (CHART.height - CHART.top - CHART.bottom);
  const final = game.bots.map((_, seat) => `${seatName(seat)} ${lines[seat][last]}`).join(", ");
  $("chart").replaceChildren(makeSvg("svg",
    { viewBox: `0 0 ${CHART.width} ${CHART.height}`, role: "img", "aria-label": `Lines of the scores; at the end: ${final}` },
    ...scoreAxis(low, high, y), ...turnAxis(),
    ...lines.map((scores, seat) => scoreLine(scores, seat, y)),
    ...endMarks(lines.map((scores) => y(scores[last]))),
    makeSvg("line", { class: "cursor", y1: CHART.top, y2: CHART.height - CHART.bottom })));
  drawChartTable();
}

function scoreAxis(low, high, y) {
  const step = [10, 20, 25, 50, 100, 200].find((size) => (high - low) / size <= 6) ?? 500;
  const ticks = [];
  for (let score = Math.ceil(low / step) * step; score <= high; score += step)
    ticks.push(
      makeSvg("line", { class: "axis", x1: CHART.left, x2: CHART.width - CHART.right, y1: y(score), y2: y(score) }),
      makeSvg("text", { x: CHART.left - 5, y: y(score) + 4, "text-anchor": "end" }, `${score}`));
  return ticks;
}

function turnAxis() {
  const turns = game.frames[last].turn;
  const most = CHART.width / 60;
  const step = [5, 10, 20, 25, 50, 100].find((size) => turns / size <= most) ?? 200;
  const ticks = [];
  for (let turn = step; turn <= turns; turn += step) {
    const i = game.frames.findIndex((frame) => frame.turn >= turn);
    ticks.push(makeSvg("text", { x: chartX(i), y: CHART.height - 7, "text-anchor": "middle" }, `turn ${turn}`));
  }
  return ticks;
}

function scoreLine(scores, seat, y) {
  const d = scores.map((score, i) => `${i ? "L" : "M"}${chartX(i).toFixed(1)} ${y(score).toFixed(1)}`).join("");
  return makeSvg("path", { class: "line", "data-owner": seat, d, "stroke-dasharray": DASHES[seat] });
}

/** The seats' numbers at the ends of their lines, moved apart where the lines end together. */
function endMarks(heights) {
  const x = chartX(last) + 13;
  let free = -Infinity;
  return heights.map((height, seat) => ({ height, seat })).sort((a, b) => a.height - b.height).flatMap(({ height, seat }) => {
    const y = Math.max(height, free);
    free = y + 19;
    return [makeSvg("circle", { class: "end", "data-owner": seat, cx: x, cy: y, r: 9 }),
      makeSvg("text", { class: "end-mark", "data-owner": seat, x, y: y + 4 }, `${seat}`)];
  });
}

function moveCursor() {
  const line = $("chart").querySelector(".cursor");
  line.setAttribute("x1", chartX(at));
  line.setAttribute("x2", chartX(at));
}

/** The numbers behind the lines, after each turn. */
function drawChartTable() {
  const ends = game.frames.map((_, i) => i).filter((i) => i === last || game.frames[i].turn !== game.frames[i + 1].turn);
  $("chart-table").replaceChildren(makeTable(["turn", ...game.bots.map((_, seat) => seatBadge(seat))],
    ends.map((i) => [`${game.frames[i].turn}`, ...game.bots.map((_, seat) => `${shownScore(game.frames[i], seat)}`)])));
}

function startChart() {
  addEventListener("resize", () => {
    drawChart();
    moveCursor();
  });
  $("chart").addEventListener("click", (event) => {
    const box = $("chart").firstElementChild.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * CHART.width;
    goTo(Math.round(((x - CHART.left) / (CHART.width - CHART.left - CHART.right)) * last));
  });
}
