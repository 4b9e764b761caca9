// One photo: large, with all that is known about it. The dialog can be linked to (`?photo=ID`).

import * as api from "./api.js";
import { bar, bytes, counted, day, el, fill, number, percent } from "./build.js";

const SIMILAR = 12;

export class PhotoView {
  /**
   * @param step (index) => the photo at that place of the results, for the arrows
   * @param closed (index) => what happens after closing
   * @param similar (photo) => shows all similar ones
   */
  constructor({ step, closed, similar, query }) {
    this.step = step;
    this.similar = similar;
    this.query = query;
    this.turn = 0;
    this.picture = el("img", { alt: "" });
    this.panel = el("div", { class: "facts" });
    this.before = el("button", { class: "step before", "aria-label": "Photo before", onclick: () => this.go(-1) }, "‹");
    this.after = el("button", { class: "step after", "aria-label": "Photo after", onclick: () => this.go(1) }, "›");
    this.dialog = el(
      "dialog",
      { class: "photo", "aria-label": "Photo" },
      el("div", { class: "stage" }, this.before, this.picture, this.after),
      el("aside", { "aria-label": "About the photo" }, el("button", { class: "close", "aria-label": "Close", autofocus: true, onclick: () => this.dialog.close() }, "✕"), this.panel),
    );
    this.dialog.addEventListener("close", () => {
      this.turn += 1;
      this.picture.removeAttribute("src");
      closed(this.index);
    });
    this.dialog.addEventListener("keydown", (event) => {
      if (event.target.matches("input")) return;
      if (event.key === "ArrowLeft") this.go(-1);
      if (event.key === "ArrowRight") this.go(1);
    });
    document.body.append(this.dialog);
  }

  /** Opens a photo; `index` is its place in the results, if it has one. */
  async open(id, index) {
    const turn = (this.turn += 1);
    this.index = index;
    this.id = id;
    this.before.hidden = this.after.hidden = index === undefined;
    this.before.disabled = index === 0;
    // The thumbnail is there at once, the photo follows.
    this.picture.src = api.thumbnail(id);
    const large = new Image();
    large.src = api.photo(id);
    large.decode().then(() => turn === this.turn && (this.picture.src = large.src), () => {});
    if (!this.dialog.open) this.dialog.showModal();
    fill(this.panel, el("p", { class: "quiet" }, "…"));
    try {
      const item = await api.item(id, this.query());
      if (turn !== this.turn) return;
      this.picture.alt = item.title ?? item.captions[0] ?? item.name;
      this.dialog.setAttribute("aria-label", item.title ?? item.name);
      this.#tell(item, turn);
    } catch (issue) {
      if (turn === this.turn) fill(this.panel, el("p", { role: "alert" }, issue.message));
    }
  }

  async go(by) {
    if (this.index === undefined) return;
    const index = this.index + by;
    const result = index >= 0 ? await this.step(index) : undefined;
    if (!result) return;
    await this.open(result.id, index);
    const next = await this.step(index + by);
    if (next) new Image().src = api.photo(next.id);
  }

  #tell(item, turn) {
    const words = el("div", { class: "words", "aria-live": "polite" }, el("p", { class: "quiet" }, "Looking at the photo…"));
    const alike = el("div", { class: "alike" });
    fill(
      this.panel,
      el("h2", {}, item.title ?? item.name),
      item.description && el("p", {}, item.description),
      this.#why(item),
      words,
      this.#written(item),
      this.#facts(item),
      el("h3", {}, "Similar photos"),
      alike,
    );
    api.annotation(item.id).then(
      (annotation) => turn === this.turn && fill(words, suggestions(annotation)),
      (issue) => turn === this.turn && fill(words, el("p", { class: "quiet" }, issue.message)),
    );
    api.similar(item.id, { limit: SIMILAR }).then(
      (found) => turn === this.turn && fill(alike, this.#alike(item, found)),
      (issue) => turn === this.turn && fill(alike, el("p", { class: "quiet" }, issue.message)),
    );
  }

  /** What the query's parts say about this photo. */
  #why(item) {
    if (!item.why?.parts?.length) return undefined;
    const most = Math.max(...item.why.parts.map((part) => Math.abs(part.share)), 1e-9);
    return el(
      "section",
      { class: "why" },
      el("h3", {}, "Why it was found"),
      el("p", { class: "relevance" }, bar(item.why.relevance, "relevance"), `${percent(item.why.relevance)} relevant`),
      el(
        "ul",
        { class: "shares" },
        item.why.parts.map((part) => {
          const line = bar(part.share / most, part.share < 0 ? "speaks against it" : "speaks for it");
          line.classList.toggle("against", part.share < 0);
          return el("li", {}, el("span", { class: "word" }, part.text), line);
        }),
      ),
    );
  }

  /** What people wrote. */
  #written(item) {
    const tags = [...new Set([...(item.tags ?? []), ...item.keywords])];
    return [
      tags.length > 0 && el("h3", {}, "Tags"),
      tags.length > 0 && el("ul", { class: "chips" }, tags.map((tag) => el("li", {}, tag))),
      item.captions.length > 0 && el("h3", {}, "Captions"),
      item.captions.length > 0 && el("ul", { class: "lines" }, item.captions.map((text) => el("li", {}, text))),
    ];
  }

  #facts(item) {
    const size = item.width && `${number(item.width)} × ${number(item.height)}, ${bytes(item.bytes)}`;
    const place = [item.place, item.coordinates && degrees(item.coordinates)].filter(Boolean).join(", ");
    const rows = [
      ["Taken", item.date && day(item.date)],
      ["Place", place],
      ["Camera", item.camera],
      ["By", item.author],
      ["Licence", item.licence],
      ["Size", size || bytes(item.bytes)],
      ["File", item.path],
    ];
    return [
      el("h3", {}, "About"),
      el("dl", {}, rows.filter(([, value]) => value).flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
    ];
  }

  #alike(item, found) {
    if (!found.results.length) return el("p", { class: "quiet" }, "None is similar enough.");
    return [
      el(
        "ul",
        { class: "strip" },
        found.results.map((result) =>
          el(
            "li",
            {},
            el(
              "a",
              {
                href: `/?photo=${result.id}`,
                "aria-label": `${result.name}, similar photo`,
                onclick: (event) => {
                  event.preventDefault();
                  this.open(result.id, undefined);
                },
              },
              el("img", { src: api.thumbnail(result.id), alt: "", loading: "lazy" }),
            ),
          ),
        ),
      ),
      el("button", { class: "plain", onclick: () => { this.dialog.close(); this.similar(item); } }, `Show all ${counted(found.matches, "similar photo")}`),
    ];
  }
}

/** Keywords with probabilities, and sentences. */
export function suggestions(annotation) {
  return [
    annotation.keywords.length > 0 && el("h3", {}, "Keywords"),
    annotation.keywords.length > 0 &&
      el(
        "ul",
        { class: "shares" },
        annotation.keywords
          .filter(({ decision }) => decision !== "rejected")
          .map(({ word, probability }) =>
            el(
              "li",
              {},
              el("span", { class: "word" }, word),
              probability !== undefined && bar(probability, "probability"),
              probability !== undefined && el("span", { class: "figure" }, percent(probability)),
            ),
          ),
      ),
    annotation.sentences.length > 0 && el("h3", {}, "Sentences"),
    annotation.sentences.length > 0 && el("ul", { class: "lines" }, annotation.sentences.map(({ text }) => el("li", {}, text))),
    !annotation.keywords.length && !annotation.sentences.length && el("p", { class: "quiet" }, "The model has no words for it."),
  ];
}

function degrees({ latitude, longitude }) {
  const side = (value, plus, minus) => `${Math.abs(value).toFixed(4)}° ${value < 0 ? minus : plus}`;
  return `${side(latitude, "N", "S")} ${side(longitude, "E", "W")}`;
}
