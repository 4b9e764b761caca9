// The help that `?` opens, and keys that work everywhere.

import { el } from "./build.js";

const KEYS = [
  ["/", "to the search field"],
  ["↓ or Enter", "from the field to the photos"],
  ["← → ↑ ↓", "from photo to photo"],
  ["Enter", "open the photo"],
  ["Esc", "close; in the field, empty it"],
  ["?", "this help"],
];

const WORDS = [
  ["two dogs in the snow", "a sentence: photos that show it"],
  ["beach -people", "not with people"],
  ['"golden gate"', "these words, in what is written about the photo"],
  ["camera:nikon 2019..2021", "fields and dates; they always hold"],
  ["2:dog park", "the dog counts twice"],
];

const row = ([left, right], tag) => [el("dt", {}, el(tag, {}, left)), el("dd", {}, right)];

/** Puts the help on the page, and the keys in force. */
export function help(field) {
  const dialog = el(
    "dialog",
    { class: "help", "aria-labelledby": "help-title" },
    el(
      "form",
      { method: "dialog" },
      el("h2", { id: "help-title" }, "Keys and queries"),
      el("dl", {}, KEYS.flatMap((line) => row(line, "kbd"))),
      el("dl", {}, WORDS.flatMap((line) => row(line, "code"))),
      el("button", { class: "plain", autofocus: true }, "Close"),
    ),
  );
  document.body.append(dialog);
  const open = () => dialog.open || dialog.showModal();
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches?.("input, textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
    if (event.key === "?") {
      event.preventDefault();
      open();
    } else if (event.key === "/" && field && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  });
  for (const button of document.querySelectorAll("[data-help]")) button.addEventListener("click", open);
}
