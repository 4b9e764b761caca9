// The search page: the field, the state of the search, and what follows from it.

import * as api from "./api.js";
import { counted, el, fill, number, settled } from "./build.js";
import { drop } from "./drop.js";
import { facets } from "./facets.js";
import { Grid, PAGE } from "./grid.js";
import { help } from "./keys.js";
import { PhotoView, suggestions } from "./photo.js";
import { marked } from "./query.js";

const $ = (name) => document.getElementById(name);
const field = $("query");
const status = $("status");
const notice = $("notice");
const example = $("example");
const sort = $("sort");

/** What is searched: a text, or a photo, of the index or from outside. */
let state = { q: "", like: undefined, file: undefined, all: false };
let running = new AbortController();

const grid = new Grid($("photos"), page, (result, index) => view.open(result.id, index).then(remember));
const view = new PhotoView({
  step: (index) => grid.result(index),
  closed: (index) => {
    remember();
    if (index !== undefined) grid.focus(index);
  },
  similar: (photo) => run({ q: "", like: photo, file: undefined, all: false }),
  query: () => state.q,
});

/** The request for a page of what is searched now. */
function request(offset, limit, signal) {
  const paged = { limit, offset, all: state.all };
  if (state.file) return api.similarTo(state.file, paged, signal);
  const given = { ...paged, facets: offset === 0 };
  // By itself a photo is asked about as in its own view, which leaves it out; with words it is a term.
  if (state.like && !state.q && sort.value === "relevance") return api.similar(state.like.id, given, signal);
  return api.search({ ...given, q: asked(), sort: sort.value }, signal);
}

/** The text of the query: a photo of the index is a term like others. */
const asked = () => (state.like ? `${state.q} like:"${state.like.path.replaceAll('"', '""')}"`.trim() : state.q);

async function page(offset, limit) {
  return (await request(offset, limit, running.signal)).results;
}

async function run(next) {
  state = { ...state, ...next };
  if (next.q !== undefined && field.value.trim() !== next.q) field.value = next.q;
  running.abort();
  running = new AbortController();
  const { signal } = running;
  document.body.classList.add("searching");
  try {
    const found = await request(0, PAGE, signal);
    field.removeAttribute("aria-invalid");
    remember();
    tell(found);
    // Beyond the matches the first page is enough: nobody looks for what does not match.
    grid.show(state.all ? found.results.length : found.matches, found.results);
    if (found.facets) facets($("facets"), found.facets, state.q, (q) => run({ q, all: false }));
  } catch (issue) {
    if (issue.name === "AbortError") return;
    // Who is still typing is not told that the query is not whole yet.
    if (issue.span) await new Promise((done) => setTimeout(done, 500));
    if (signal.aborted) return;
    fail(issue);
  }
  if (!signal.aborted) document.body.classList.remove("searching");
}

/** Says what was found, and what was not. */
function tell(found) {
  const browsing = !state.q && !state.like && !state.file;
  sort.disabled = Boolean(state.file);
  const unknown = found.unknown_words ?? [];
  const listed = unknown.map(({ word }) => `“${word}”`).join(", ");
  const likely = unknown.flatMap(({ word, spelled_like }) => spelled_like.slice(0, 2).map((other) => [word, other]));
  if (browsing) status.textContent = counted(found.matches, "photo");
  else if (found.matches === 0) status.textContent = "No match";
  else status.textContent = `${found.at_least ? "at least " : ""}${number(found.matches)} of ${counted(found.photos, "photo")}`;
  if (state.all && !browsing) status.textContent += `, and the nearest`;
  fill(
    notice,
    unknown.length > 0 && el("p", {}, `The model does not know ${listed}.`),
    likely.map(([word, other]) => el("button", { class: "plain", onclick: () => run({ q: state.q.replace(word, other), all: false }) }, `${other}?`)),
    found.matches === 0 && !browsing && !unknown.length && el("p", {}, "No photo is likely enough to show this."),
    found.matches === 0 && !browsing && !state.all && el("button", { class: "plain", onclick: () => run({ all: true }) }, "Show the nearest anyway"),
    state.all && !browsing && el("button", { class: "plain", onclick: () => run({ all: false }) }, "Only what matches"),
  );
  notice.hidden = !notice.hasChildNodes();
  document.body.classList.toggle("empty", found.matches === 0);
}

function fail(issue) {
  status.textContent = "";
  field.toggleAttribute("aria-invalid", Boolean(issue.span));
  if (issue.span) field.setAttribute("aria-invalid", "true");
  fill(notice, issue.span && marked(asked(), issue.span), el("p", { class: "wrong" }, issue.message), issue.hint && el("p", { class: "quiet" }, issue.hint));
  notice.hidden = false;
}

/** The address tells what is shown, so that it can be kept and sent. */
function remember() {
  const address = new URL(location.href);
  address.search = "";
  if (state.q) address.searchParams.set("q", state.q);
  if (state.like) address.searchParams.set("like", state.like.id);
  if (view.dialog.open) address.searchParams.set("photo", view.id);
  if (sort.value !== "relevance") address.searchParams.set("sort", sort.value);
  history.replaceState(null, "", address);
  document.title = state.q ? `${state.q} · rebus` : "rebus";
  for (const link of document.querySelectorAll("[data-with-query]")) {
    link.search = state.q ? `?${new URLSearchParams({ q: state.q })}` : "";
  }
  showExample();
}

/** The photo that others are compared with. */
function showExample() {
  const shown = state.file ?? state.like;
  example.hidden = !shown;
  if (!shown) return fill(example);
  if (example.dataset.of === (state.file ? state.address : String(state.like.id))) return;
  example.dataset.of = state.file ? state.address : String(state.like.id);
  const words = el("div", { class: "words" }, el("p", { class: "quiet" }, "Looking at the photo…"));
  fill(
    example,
    el("img", { src: state.file ? state.address : api.thumbnail(state.like.id), alt: `Example: ${shown.name}` }),
    el(
      "div",
      {},
      el("h2", {}, `Photos like ${shown.name}`),
      words,
      el("button", { class: "plain", onclick: forget }, "Leave this photo"),
    ),
  );
  const asking = state.file ? api.annotate(state.file) : api.annotation(state.like.id);
  asking.then((annotation) => fill(words, suggestions(annotation)), (issue) => fill(words, el("p", { class: "wrong" }, issue.message)));
}

function forget() {
  if (state.address) URL.revokeObjectURL(state.address);
  example.dataset.of = "";
  run({ like: undefined, file: undefined, address: undefined, all: false });
  field.focus();
}

const typed = settled(140, () => run({ q: field.value.trim(), file: undefined, all: false }));
field.addEventListener("input", typed);
field.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key === "ArrowDown" || event.key === "Enter") {
    event.preventDefault();
    grid.focus(0);
  } else if (event.key === "Escape" && field.value) {
    event.preventDefault();
    field.value = "";
    run({ q: "", all: false });
  }
});
$("form").addEventListener("submit", (event) => event.preventDefault());
$("photos").addEventListener("leave", () => field.focus());
$("photos").addEventListener("keydown", (event) => event.key === "Escape" && field.focus());
sort.addEventListener("change", () => run({}));
drop($("veil"), $("chooser"), (file) => {
  if (state.address) URL.revokeObjectURL(state.address);
  run({ q: "", like: undefined, file, address: URL.createObjectURL(file), all: false });
});
help(field);
if (matchMedia("(max-width: 900px)").matches) $("filters").open = false;

const given = new URL(location.href).searchParams;
field.value = given.get("q") ?? "";
if (given.get("sort")) sort.value = given.get("sort");
const like = given.get("like");
if (/^\d+$/.test(like ?? "")) api.item(like).then((photo) => run({ q: field.value.trim(), like: photo }), fail);
else run({ q: field.value.trim() });
if (/^\d+$/.test(given.get("photo") ?? "")) view.open(+given.get("photo"));
api.stats().then((told) => {
  field.placeholder = `Search ${counted(told.photos, "photo")}`;
  $("index-name").textContent = told.name ?? "";
}, () => {});
