// Review: keywords that the model suggests for a photo, to accept, reject or correct.

import * as api from "./api.js";
import { bar, counted, el, fill, number, percent, settled } from "./build.js";
import { help } from "./keys.js";

const $ = (name) => document.getElementById(name);
const field = $("query");
const desk = $("desk");
const status = $("status");
const PAGE = 60;

let query = new URL(location.href).searchParams.get("q") ?? "";
let queue = { total: 0, at: 0, results: [] };
/** What is decided for the photo at hand: a word to "accepted", "rejected", or the word in its place. */
let decided = new Map();
let saved = 0;

async function begin() {
  const address = new URL(location.href);
  address.search = query ? `?${new URLSearchParams({ q: query })}` : "";
  history.replaceState(null, "", address);
  queue = { total: 0, at: 0, results: [] };
  await next();
}

/** The photo at hand; those that were decided before are passed over. */
async function next() {
  try {
    for (;;) {
      if (queue.at >= queue.results.length) {
        const found = await api.search({ q: query, offset: queue.results.length, limit: PAGE });
        queue.total = found.matches;
        queue.results.push(...found.results);
        if (queue.at >= queue.results.length) return done();
      }
      const result = queue.results[queue.at];
      const annotation = await api.annotation(result.id);
      if (!annotation.reviewed) return show(result, annotation);
      queue.at += 1;
    }
  } catch (issue) {
    fill(desk, el("p", { class: "wrong", role: "alert" }, issue.message), issue.hint && el("p", { class: "quiet" }, issue.hint));
  }
}

function done() {
  status.textContent = queue.total ? "All of them are reviewed." : "No match";
  fill(desk);
}

function show(result, annotation) {
  status.textContent = `${number(queue.at + 1)} of ${counted(queue.total, "photo")}${saved ? `, ${number(saved)} saved` : ""}`;
  decided = new Map();
  const rows = el("ul", { class: "choices" });
  for (const { word, probability, decision } of annotation.keywords) {
    if (decision) decided.set(word, decision);
    rows.append(choice(word, probability));
  }
  const more = el("input", { id: "more", type: "text", placeholder: "Another keyword", "aria-label": "Another keyword", autocomplete: "off" });
  const add = () => {
    const word = more.value.trim();
    if (word && !decided.has(word)) {
      decided.set(word, "accepted");
      rows.append(choice(word));
    }
    more.value = "";
  };
  more.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && more.value.trim()) {
      event.preventDefault();
      add();
    }
  });
  fill(
    desk,
    el("figure", {}, el("img", { src: api.photo(result.id), alt: annotation.sentences[0]?.text ?? result.name }), el("figcaption", {}, result.name)),
    el(
      "form",
      { class: "choosing", onsubmit: (event) => save(event, result) },
      el("h2", {}, "Keywords"),
      el("p", { class: "quiet" }, "What you leave open is asked again another time."),
      rows,
      el("div", { class: "add" }, more, el("button", { type: "button", class: "plain", onclick: add }, "Add")),
      el("div", { class: "acts" }, el("button", { class: "strong" }, "Save and go on"), el("button", { type: "button", class: "plain", onclick: skip }, "Skip")),
    ),
  );
  rows.querySelector("button")?.focus();
}

function choice(word, probability) {
  const mend = el("button", { type: "button", "aria-label": `Correct ${word}`, "data-decision": "corrected" }, "✎");
  mend.addEventListener("click", () => correct(item, word));
  const buttons = [["accepted", "✓", "Accept"], ["rejected", "✕", "Reject"]].map(([decision, sign, name]) => {
    const button = el("button", { type: "button", class: decision, "aria-label": `${name} ${word}`, "data-decision": decision }, sign);
    button.addEventListener("click", () => decide(item, word, decided.get(word) === decision ? undefined : decision));
    return button;
  });
  const item = el("li", { "data-word": word }, el("span", { class: "word" }, word), probability === undefined ? el("span", { class: "quiet" }, "yours") : [bar(probability, "probability"), el("span", { class: "figure" }, percent(probability))], el("span", { class: "decide" }, buttons, mend));
  item.addEventListener("keydown", (event) => {
    if (event.target.matches("input")) return;
    const decision = { y: "accepted", n: "rejected" }[event.key];
    if (decision) decide(item, word, decision);
    const to = { ArrowDown: item.nextElementSibling, ArrowUp: item.previousElementSibling }[event.key];
    if (decision || to) {
      event.preventDefault();
      (to ?? item.nextElementSibling ?? item).querySelector("button").focus();
    }
  });
  paint(item, decided.get(word));
  return item;
}

function decide(item, word, decision) {
  if (decision) decided.set(word, decision);
  else decided.delete(word);
  paint(item, decision);
}

/** Asks for the word that should stand in place of another. */
function correct(item, word) {
  const place = item.querySelector(".word");
  const input = el("input", { type: "text", value: decided.get(word)?.right ?? word, "aria-label": `In place of ${word}` });
  const end = () => {
    const right = input.value.trim();
    decide(item, word, right && right !== word ? { right } : undefined);
    item.querySelector("[data-decision=corrected]").focus();
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      end();
    } else if (event.key === "Escape") {
      event.preventDefault();
      decide(item, word, decided.get(word));
    }
  });
  fill(place, input);
  input.select();
}

function paint(item, decision) {
  const state = decision?.right ? "corrected" : (decision ?? "open");
  item.dataset.state = state;
  const word = item.dataset.word;
  fill(item.querySelector(".word"), decision?.right ? [el("s", {}, word), ` ${decision.right}`] : word);
  for (const button of item.querySelectorAll("[data-decision]")) {
    button.setAttribute("aria-pressed", String(button.dataset.decision === state));
  }
}

async function save(event, result) {
  event.preventDefault();
  const words = (decision) => [...decided].filter(([, made]) => made === decision).map(([word]) => word);
  try {
    const corrected = [...decided].filter(([, made]) => made.right).map(([word, { right }]) => ({ word, right }));
    await api.correct({ id: result.id, accepted: words("accepted"), rejected: words("rejected"), corrected });
    saved += 1;
    skip();
  } catch (issue) {
    status.textContent = issue.message;
  }
}

function skip() {
  queue.at += 1;
  next();
}

field.value = query;
field.addEventListener("input", settled(300, () => {
  query = field.value.trim();
  begin();
}));
$("form").addEventListener("submit", (event) => event.preventDefault());
help(field);
begin();
