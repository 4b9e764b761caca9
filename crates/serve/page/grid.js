// A grid of any number of photos, of which only those near the window are in the document.
//
// Rows have one height, so that the place of every photo is known without loading it. Photos come
// by pages as they are scrolled to; thumbnails wait while somebody scrolls too fast to see them.

import { thumbnail } from "./api.js";
import { bar, el, percent } from "./build.js";

const GAP = 12;
const CAPTION = 30;
const PAGE = 120;
/** Rows above and below the window that are kept ready. */
const SPARE = 3;
/** The most pixels an element may be high in any browser. */
const HIGHEST = 15_000_000;
/** Windows a second above which nobody sees the photos. */
const FAST = 6;
/** Pages that are kept; those far away are loaded again. */
const MOST_PAGES = 80;

export class Grid {
  /**
   * @param root the element to fill
   * @param load (offset, limit) => promise of results
   * @param open (result, index) => what happens when a photo is opened
   */
  constructor(root, load, open) {
    this.root = root;
    this.load = load;
    this.open = open;
    this.total = 0;
    this.pages = new Map();
    this.rows = new Map();
    this.asked = new Map();
    this.current = 0;
    this.turn = 0;
    this.last = { top: 0, time: 0 };
    root.setAttribute("role", "grid");
    addEventListener("scroll", () => this.#schedule(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(root);
    root.addEventListener("keydown", (event) => this.#key(event));
    root.addEventListener("click", (event) => this.#click(event));
    root.addEventListener("focusin", (event) => {
      const index = event.target.closest("[data-index]")?.dataset.index;
      if (index !== undefined) this.#roam(+index);
    });
  }

  /** Shows other results, of which the first page is there already. */
  show(total, first) {
    this.turn += 1;
    this.pages = new Map([[0, first]]);
    this.total = total;
    this.current = 0;
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.#measure(true);
  }

  /** The result at an index, loaded if need be. */
  async result(index) {
    const page = Math.floor(index / PAGE);
    if (!this.pages.has(page)) await this.#fetch(page);
    return this.pages.get(page)?.[index - page * PAGE];
  }

  /** Puts the focus on a photo, wherever it is. */
  focus(index) {
    if (!this.total) return;
    this.#roam(Math.max(0, Math.min(index, this.total - 1)));
    const top = this.#top() + Math.floor(this.current / this.columns) * this.pitch;
    const covered = document.querySelector("header")?.getBoundingClientRect().height ?? 0;
    if (top < scrollY + covered) scrollTo({ top: top - covered - GAP });
    else if (top + this.pitch > scrollY + innerHeight) scrollTo({ top: top + this.pitch - innerHeight });
    this.#draw();
    this.#cell(this.current)?.querySelector("a").focus({ preventScroll: true });
  }

  #top() {
    return this.root.getBoundingClientRect().top + scrollY;
  }

  #measure(anew = false) {
    const width = this.root.clientWidth;
    if (!width) return;
    const wanted = width < 560 ? 150 : width < 1000 ? 190 : 220;
    const columns = Math.max(2, Math.floor((width + GAP) / (wanted + GAP)));
    const side = Math.floor((width - GAP * (columns - 1)) / columns);
    if (!anew && columns === this.columns && side === this.side) return this.#draw();
    this.columns = columns;
    this.side = side;
    this.height = Math.round(side * 0.75);
    this.pitch = this.height + CAPTION + GAP;
    const count = Math.min(Math.ceil(this.total / columns), Math.floor(HIGHEST / this.pitch));
    this.count = count;
    this.root.style.height = `${Math.max(0, count * this.pitch - GAP)}px`;
    this.root.style.setProperty("--side", `${side}px`);
    this.root.style.setProperty("--height", `${this.height}px`);
    this.root.setAttribute("aria-rowcount", count);
    this.root.setAttribute("aria-colcount", columns);
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.#draw();
  }

  #schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = undefined;
      this.#draw();
    });
  }

  #draw() {
    if (!this.columns) return;
    const now = performance.now();
    const speed = Math.abs(scrollY - this.last.top) / innerHeight / Math.max(0.016, (now - this.last.time) / 1000);
    this.last = { top: scrollY, time: now };
    const fast = speed > FAST && this.rows.size > 0;
    clearTimeout(this.rest);
    if (fast) this.rest = setTimeout(() => this.#draw(), 90);

    const above = scrollY - this.#top();
    const first = Math.max(0, Math.floor(above / this.pitch) - SPARE);
    const last = Math.min(this.count - 1, Math.floor((above + innerHeight) / this.pitch) + SPARE);
    for (const [index, row] of this.rows) {
      if ((index < first || index > last) && !row.contains(document.activeElement)) {
        row.remove();
        this.rows.delete(index);
      }
    }
    for (let index = first; index <= last; index += 1) {
      if (!this.rows.has(index)) this.#row(index);
      if (!fast) this.#fillRow(index);
    }
  }

  #row(index) {
    const row = el("div", { role: "row", class: "row", "aria-rowindex": index + 1 });
    row.style.transform = `translateY(${index * this.pitch}px)`;
    const from = index * this.columns;
    for (let at = from; at < Math.min(from + this.columns, this.total); at += 1) {
      row.append(el("div", { role: "gridcell", class: "cell waiting", "aria-colindex": at - from + 1, "data-index": at }));
    }
    // The order of the document is the order of the photos, for the focus and for those who listen.
    const after = [...this.rows.entries()].filter(([other]) => other > index).sort(([a], [b]) => a - b)[0];
    this.root.insertBefore(row, after?.[1] ?? null);
    this.rows.set(index, row);
  }

  #fillRow(index) {
    for (const cell of this.rows.get(index).children) {
      if (!cell.classList.contains("waiting")) continue;
      const at = +cell.dataset.index;
      const page = Math.floor(at / PAGE);
      const results = this.pages.get(page);
      if (!results) this.#fetch(page);
      else if (results[at - page * PAGE]) this.#fill(cell, results[at - page * PAGE], at);
    }
  }

  #fill(cell, result, index) {
    const picture = el("img", { alt: "", decoding: "async", src: thumbnail(result.id), draggable: false });
    picture.addEventListener("error", () => cell.classList.add("broken"), { once: true });
    picture.addEventListener("load", () => picture.classList.add("there"), { once: true });
    const link = el(
      "a",
      { href: `/?photo=${result.id}`, tabIndex: index === this.current ? 0 : -1, draggable: false },
      el("span", { class: "picture" }, picture),
      el(
        "span",
        { class: "caption" },
        el("span", { class: "name" }, result.name),
        result.relevance !== undefined && el("span", { class: "relevance" }, bar(result.relevance, "relevance"), percent(result.relevance)),
      ),
    );
    cell.classList.remove("waiting");
    cell.replaceChildren(link);
  }

  /** Brings a page once, however many ask for it. */
  #fetch(page) {
    const key = `${this.turn}:${page}`;
    if (!this.asked.has(key)) {
      this.asked.set(key, this.#bring(page, this.turn).finally(() => this.asked.delete(key)));
    }
    return this.asked.get(key);
  }

  async #bring(page, turn) {
    // A page that does not come is asked for again when its rows are drawn again.
    const results = await this.load(page * PAGE, PAGE).catch(() => undefined);
    if (!results || turn !== this.turn) return;
    this.pages.set(page, results);
    if (this.pages.size > MOST_PAGES) {
      const far = [...this.pages.keys()].sort((a, b) => Math.abs(b - page) - Math.abs(a - page));
      this.pages.delete(far[0]);
    }
    this.#draw();
  }

  #cell(index) {
    return this.rows.get(Math.floor(index / this.columns))?.children[index % this.columns];
  }

  #roam(index) {
    const before = this.#cell(this.current)?.querySelector("a");
    if (before) before.tabIndex = -1;
    this.current = index;
    const link = this.#cell(index)?.querySelector("a");
    if (link) link.tabIndex = 0;
  }

  #click(event) {
    const cell = event.target.closest("[data-index]");
    if (!cell || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    this.#enter(+cell.dataset.index);
  }

  async #enter(index) {
    const result = await this.result(index);
    if (result) this.open(result, index);
  }

  #key(event) {
    const window = Math.max(1, Math.floor(innerHeight / this.pitch)) * this.columns;
    const to = {
      ArrowLeft: this.current - 1,
      ArrowRight: this.current + 1,
      ArrowUp: this.current - this.columns,
      ArrowDown: this.current + this.columns,
      PageUp: this.current - window,
      PageDown: this.current + window,
      Home: 0,
      End: this.total - 1,
    }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (event.key === "ArrowUp" && to < 0) return this.root.dispatchEvent(new CustomEvent("leave", { bubbles: true }));
    this.focus(to);
  }
}

export { PAGE };
