// Elements and words for the page. Text is always set as text, never as markup.

/** An element with properties, `data-` and `aria-` attributes, listeners (`onclick`), children. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && !name.includes("-")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

/** Replaces all that is inside an element. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

const whole = new Intl.NumberFormat("en");

/** 12345 as 12,345. */
export const number = (value) => whole.format(value);

/** So many of a thing: "1 photo", "2 photos". */
export const counted = (count, thing) => `${number(count)} ${thing}${count === 1 ? "" : "s"}`;

/** A probability in whole percent; small ones are never told as nothing. */
export function percent(value) {
  if (value > 0 && value < 0.01) return "<1%";
  if (value < 1 && value > 0.99) return ">99%";
  return `${Math.round(value * 100)}%`;
}

/** Bytes as people say them. */
export function bytes(count) {
  for (const unit of ["bytes", "kB", "MB"]) {
    if (count < 1000) return `${count < 10 && unit !== "bytes" ? count.toFixed(1) : Math.round(count)} ${unit}`;
    count /= 1000;
  }
  return `${count.toFixed(1)} GB`;
}

/** A date as it stands in metadata, in words. */
export function day(text) {
  const parts = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?(?:T(\d{2}:\d{2}))?/.exec(text ?? "");
  if (!parts) return text ?? "";
  const [, year, month, date, time] = parts;
  if (!month) return year;
  const stamp = new Date(Date.UTC(+year, +month - 1, +(date ?? 1)));
  const words = stamp.toLocaleDateString("en-GB", { year: "numeric", month: "long", day: date && "numeric", timeZone: "UTC" });
  return time && time !== "00:00" ? `${words}, ${time}` : words;
}

/** A share from 0 to 1 as a bar; `label` says of what, and what it is worth. */
export function bar(value, label) {
  const line = el("span", { class: "share", role: "img", "aria-label": label });
  line.style.setProperty("--share", Math.min(1, Math.abs(value)));
  return line;
}

/** Waits until nothing came for a while, then calls once with the last. */
export function settled(wait, call) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => call(...given), wait);
  };
}
