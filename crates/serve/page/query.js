// Queries as text: terms that facets add and take away, and errors shown at their place.

import { el } from "./build.js";

/** The parts of a query between spaces; quotes keep spaces together. */
export const parts = (query) => query.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];

const same = (a, b) => a.toLowerCase() === b.toLowerCase();

/** Whether a query has a term. */
export const has = (query, term) => parts(query).some((part) => same(part, term));

/** The query with a term, or without it if it is there. */
export function toggled(query, term) {
  const kept = parts(query).filter((part) => !same(part, term));
  return (has(query, term) ? kept : [...kept, term]).join(" ");
}

/** Where a place in bytes is in a text, counted as JavaScript counts. */
function place(text, bytes) {
  const encoder = new TextEncoder();
  let at = 0;
  let seen = 0;
  for (const letter of text) {
    if (seen >= bytes) break;
    seen += encoder.encode(letter).length;
    at += letter.length;
  }
  return at;
}

/** The query with the place of an error marked, and a caret beneath it. */
export function marked(query, span) {
  const from = place(query, span[0]);
  const to = Math.max(place(query, span[1]), from + 1);
  return el(
    "code",
    { class: "marked" },
    query.slice(0, from),
    el("mark", {}, query.slice(from, to) || "\u00a0"),
    query.slice(to),
  );
}
