// What marks of charts and maps say on pointing, touching or focus. Without this script the page lacks only that.
const tip = document.getElementById("tip");
for (const title of document.querySelectorAll(".board-map title")) {
  title.parentNode.setAttribute("aria-label", title.textContent);
  title.remove();
}
function show(event) {
  const mark = event.target.closest(".chart [aria-label]:not([role=graphics-object]), .board-map g[aria-label]");
  tip.hidden = !mark || mark.getAttribute("aria-roledescription") === "axis" || !!mark.closest(".role-axis, .role-legend");
  if (tip.hidden) return;
  tip.textContent = mark.getAttribute("aria-label");
  const x = Math.min(event.clientX + 14, innerWidth - tip.offsetWidth - 8);
  const above = event.clientY - tip.offsetHeight - 12;
  tip.style.left = `${Math.max(8, x)}px`;
  tip.style.top = `${above > 4 ? above : event.clientY + 18}px`;
}
addEventListener("pointermove", show);
addEventListener("pointerdown", show);
addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
addEventListener("beforeprint", () => { tip.hidden = true; });
// A link to a table opens it.
addEventListener("hashchange", () => document.querySelector(`details${location.hash}`)?.setAttribute("open", ""));
