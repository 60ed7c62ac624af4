// Small helpers: every text reaches the page as text, never as markup.
"use strict";

const $ = (id) => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

/** Make an element: tag, attributes, children (elements or texts). */
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** A table from a header and rows of cells; `chosen` marks a row. */
function makeTable(header, rows, chosen = -1) {
  const head = make("thead", {}, make("tr", {}, ...header.map((text) => make("th", { scope: "col" }, text))));
  const body = rows.map((row, i) =>
    make("tr", i === chosen ? { class: "chosen" } : {}, ...row.map((cell) => make("td", {}, cell))));
  return make("table", {}, head, make("tbody", {}, ...body));
}

/** Light or dark as the reader chose; without a choice as the system has it. */
function startTheme() {
  const root = document.documentElement;
  const stored = (() => { try { return localStorage.getItem("ttr-sim-theme"); } catch { return null; } })();
  if (stored === "light" || stored === "dark") root.style.colorScheme = stored;
  $("theme").addEventListener("click", () => {
    const dark = root.style.colorScheme
      ? root.style.colorScheme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.style.colorScheme = dark ? "light" : "dark";
    try { localStorage.setItem("ttr-sim-theme", root.style.colorScheme); } catch { /* not kept then */ }
  });
}
