// Filters with counts. Each is a term of the query: choosing one edits the text, nothing is hidden.

import { el, fill, number } from "./build.js";
import { has, toggled } from "./query.js";

/** Values of a filter that are shown before one asks for more. */
const FEW = 6;

/** Shows the filters of a query; `change` gets the edited query. A filter that all have says nothing. */
export function facets(root, { counted, fields }, query, change) {
  const opened = new Set([...root.querySelectorAll("[data-opened]")].map((group) => group.dataset.label));
  fill(
    root,
    fields
      .filter((group) => group.values.some(({ count, term }) => count < counted || has(query, term)))
      .map((group) => {
        const list = (values) =>
          values.map(({ value, count, term }) => {
            const on = has(query, term);
            return el(
              "li",
              {},
              el(
                "button",
                { class: "facet", "aria-pressed": String(on), onclick: () => change(toggled(query, term)) },
                el("span", { class: "value" }, value),
                el("span", { class: "count" }, number(count)),
              ),
            );
          });
        const items = el("ul", {}, list(opened.has(group.label) ? group.values : group.values.slice(0, FEW)));
        const section = el("section", { "data-label": group.label }, el("h2", {}, group.label), items);
        if (opened.has(group.label)) section.dataset.opened = "";
        else if (group.values.length > FEW) {
          const more = el("button", { class: "more", onclick: () => {
            section.dataset.opened = "";
            fill(items, list(group.values));
            more.remove();
            items.children[FEW].querySelector("button").focus();
          } }, `${group.values.length - FEW} more`);
          section.append(more);
        }
        return section;
      }),
  );
}
