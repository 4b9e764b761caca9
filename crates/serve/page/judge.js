// Does it work on my photos? Twenty results, judged by the person who knows.

import * as api from "./api.js";
import { counted, el, fill, percent, settled } from "./build.js";
import { help } from "./keys.js";

const $ = (name) => document.getElementById(name);
const field = $("query");
const list = $("judged");
const status = $("status");
const SHOWN = 20;

let found = [];
let verdicts = new Map();
let running = new AbortController();

async function search() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  const q = field.value.trim();
  const address = new URL(location.href);
  address.search = q ? `?${new URLSearchParams({ q })}` : "";
  history.replaceState(null, "", address);
  verdicts = new Map();
  fill($("figures"));
  fill(list);
  status.textContent = "";
  if (!q) return;
  try {
    const answer = await api.search({ q, limit: SHOWN }, signal);
    found = answer.results;
    status.textContent = found.length ? `${counted(found.length, "photo")} to judge` : "No match";
    fill(list, found.map(row));
    list.querySelector("button")?.scrollIntoView({ block: "nearest" });
  } catch (issue) {
    if (issue.name !== "AbortError") status.textContent = issue.message;
  }
}

function row(result, index) {
  const button = (right, sign, name) =>
    el("button", { type: "button", "aria-label": `${name}: ${result.name}`, "aria-pressed": "false", "data-right": String(right), onclick: () => judge(item, result, right) }, sign);
  const item = el(
    "li",
    {},
    el("img", { src: api.thumbnail(result.id), alt: `Result ${index + 1}`, loading: "lazy" }),
    el("div", { class: "decide" }, button(true, "✓", "Right"), button(false, "✕", "Wrong")),
  );
  item.addEventListener("keydown", (event) => {
    const right = { y: true, n: false }[event.key];
    if (right !== undefined) {
      judge(item, result, right);
      item.nextElementSibling?.querySelector("button").focus();
    }
    const to = { ArrowRight: item.nextElementSibling, ArrowLeft: item.previousElementSibling }[event.key];
    to?.querySelector("button").focus();
  });
  return item;
}

function judge(item, result, right) {
  verdicts.set(result.id, right);
  item.dataset.state = right ? "accepted" : "rejected";
  for (const button of item.querySelectorAll("[data-right]")) {
    button.setAttribute("aria-pressed", String(button.dataset.right === String(right)));
  }
  const left = found.length - verdicts.size;
  status.textContent = left ? `${counted(left, "photo")} left to judge` : "All are judged";
  if (!left) send();
}

async function send() {
  const judged = found.map(({ id }) => ({ id, relevant: verdicts.get(id) }));
  try {
    const answer = await api.judge({ query: field.value.trim(), judged });
    fill($("figures"), figures(answer.precision));
    past();
  } catch (issue) {
    status.textContent = issue.message;
  }
}

const figures = (precision) =>
  el("dl", {}, precision.map(({ k, value }) => el("div", {}, el("dt", {}, `of the first ${k}`), el("dd", {}, percent(value)))));

async function past() {
  const { queries, mean } = await api.judgements();
  if (!queries.length) return fill($("past"));
  const head = mean.map(({ k }) => el("th", { scope: "col" }, `P@${k}`));
  const cells = (precision) => mean.map(({ k }) => el("td", {}, percent(precision.find((one) => one.k === k)?.value ?? 0)));
  fill(
    $("past"),
    el("h2", {}, "Judged so far"),
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Query"), head)),
      el("tbody", {}, queries.map(({ query, precision }) => el("tr", {}, el("th", { scope: "row" }, query), cells(precision)))),
      el("tfoot", {}, el("tr", {}, el("th", { scope: "row" }, `Mean of ${counted(queries.length, "query").replace("querys", "queries")}`), cells(mean))),
    ),
  );
}

field.value = new URL(location.href).searchParams.get("q") ?? "";
field.addEventListener("input", settled(300, search));
$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  list.querySelector("button")?.focus();
});
help(field);
search();
past();
