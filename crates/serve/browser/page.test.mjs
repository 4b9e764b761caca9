// node page.test.mjs ADDRESS WORLD OUT
//
// What a person does on the page, and whether it does what it should. The world is drawn, so that
// what a picture shows is known: its keywords are in collection.jsonl.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { chromium } from "playwright-core";

const [address, world, out] = process.argv.slice(2);
const items = fs.readFileSync(path.join(world, "collection.jsonl"), "utf8").trim().split("\n").map((line) => JSON.parse(line));
const keywords = new Map(items.map((item) => [item.id, item.keywords]));
const axe = fs.readFileSync("node_modules/axe-core/axe.min.js", "utf8");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
let failed = 0;

/** One thing that is tried, on a page of its own. */
async function step(name, options, act) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("pageerror", (error) => wrong.push(error.message));
  page.on("request", (request) => {
    const to = new URL(request.url());
    if (to.origin !== address && to.protocol !== "blob:") wrong.push(`asked outside: ${request.url()}`);
  });
  try {
    await act(page);
    assert.deepEqual(wrong, []);
    console.log(`ok   ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAIL ${name}\n${error.stack}`);
  }
  await page.screenshot({ path: path.join(out, `${name.replaceAll(" ", "-")}.png`) }).catch(() => {});
  await context.close();
}

/** The names of the first photos, once there are some that belong to the query. */
async function names(page, count) {
  await page.waitForFunction(() => !document.body.classList.contains("searching") && document.querySelector(".cell .name"));
  const shown = await page.locator(".cell .name").allTextContents();
  return shown.slice(0, count);
}

const status = (page, text) => page.waitForFunction((wanted) => document.getElementById("status").textContent.match(wanted), text);

/** Serious findings of axe. */
async function accessible(page) {
  // The policy of the page forbids scripts from outside; the test's own connection may run one.
  await page.evaluate(axe);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  const serious = found.violations.filter((violation) => ["serious", "critical"].includes(violation.impact));
  assert.deepEqual(serious.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html).join(" | ")}`), []);
}

await step("types and sees the right pictures first", {}, async (page) => {
  await page.goto(address);
  await status(page, "^1,500 photos$");
  await page.locator("#query").pressSequentially("boat", { delay: 25 });
  await status(page, "^[0-9,]+ of 1,500 photos$");
  const first = await names(page, 5);
  const right = first.filter((name) => keywords.get(name).includes("boat"));
  assert.ok(right.length >= 4, `${right.length} of the first five show a boat: ${first}`);
  assert.match(await page.locator(".cell .relevance").first().textContent(), /%$/);
  assert.ok(page.url().includes("q=boat"));
  await accessible(page);
});

await step("opens a photo and the one after it", {}, async (page) => {
  await page.goto(`${address}/?q=boat`);
  await names(page, 1);
  await page.locator(".cell a").first().click();
  const dialog = page.locator("dialog.photo");
  await dialog.locator("h2").waitFor();
  const title = await dialog.locator("h2").textContent();
  await dialog.getByText("Why it was found").waitFor();
  await dialog.getByText("Keywords", { exact: true }).waitFor();
  await dialog.locator(".strip img").first().waitFor();
  await accessible(page);
  await page.screenshot({ path: path.join(out, "photo.png") });
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((before) => document.querySelector("dialog.photo h2")?.textContent !== before, title);
  await page.keyboard.press("Escape");
  assert.equal(await dialog.isVisible(), false);
});

await step("reads no match for nonsense", { colorScheme: "dark" }, async (page) => {
  await page.goto(address);
  await page.fill("#query", "zxqv");
  await status(page, "^No match$");
  assert.match(await page.locator("#notice").textContent(), /does not know “zxqv”/);
  assert.equal(await page.locator(".cell").count(), 0);
  await accessible(page);
});

await step("shows where a query is wrong", {}, async (page) => {
  await page.goto(address);
  await page.fill("#query", "boat date:yesterdayish");
  await page.locator("#notice mark").waitFor();
  assert.equal(await page.locator("#query").getAttribute("aria-invalid"), "true");
  await page.fill("#query", "boat");
  await status(page, "of 1,500 photos$");
  assert.equal(await page.locator("#query").getAttribute("aria-invalid"), null);
});

await step("drags a photo in", {}, async (page) => {
  await page.goto(address);
  await names(page, 1);
  const wanted = items.find((item) => item.keywords.includes("boat")).id;
  const bytes = fs.readFileSync(path.join(world, "photos", wanted)).toString("base64");
  await page.evaluate(([bytes, name]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name, { type: "image/jpeg" }));
    for (const kind of ["dragenter", "dragover", "drop"]) {
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
  }, [bytes, wanted]);
  await page.locator("#example h2").waitFor();
  await page.locator("#example .words h3").first().waitFor();
  await status(page, "of 1,500 photos$");
  assert.equal((await names(page, 1))[0], wanted, "the photo itself is the likest");
  await accessible(page);
});

await step("goes the whole way by keyboard", {}, async (page) => {
  await page.goto(address);
  await status(page, "^1,500 photos$");
  await page.locator("h1").evaluate(() => document.activeElement?.blur());
  await page.keyboard.press("/");
  await page.keyboard.type("snow");
  await status(page, "of 1,500 photos$");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement.closest("[data-index]").dataset.index), "1");
  await page.keyboard.press("Enter");
  await page.locator("dialog.photo h2").waitFor();
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.activeElement.closest("[data-index]")?.dataset.index === "1");
  await page.keyboard.press("?");
  await page.locator("dialog.help").waitFor();
  await accessible(page);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  assert.equal(await page.evaluate(() => document.activeElement.id), "query");
});

await step("filters by a count", {}, async (page) => {
  await page.goto(address);
  const facet = page.locator(".facet").first();
  await facet.waitFor();
  const count = Number((await facet.locator(".count").textContent()).replaceAll(",", ""));
  await facet.click();
  await status(page, `^${count} of 1,500 photos$`);
  assert.equal(await page.locator(".facet[aria-pressed=true]").count() > 0, true);
});

await step("keeps few cells however far one scrolls", {}, async (page) => {
  await page.goto(address);
  await names(page, 1);
  for (let at = 0; at < 12; at += 1) {
    await page.mouse.wheel(0, 2000);
    await page.waitForTimeout(30);
  }
  assert.ok((await page.locator(".cell").count()) < 120);
  await page.waitForFunction(() => {
    const seen = [...document.querySelectorAll(".cell")].filter((cell) => cell.getBoundingClientRect().top < innerHeight && cell.getBoundingClientRect().bottom > 0);
    return seen.length > 0 && seen.every((cell) => cell.querySelector("img.there"));
  });
});

await step("judges twenty results", {}, async (page) => {
  await page.goto(`${address}/judge?q=boat`);
  await page.locator("#judged li").nth(19).waitFor();
  const shown = page.locator("#judged li");
  await shown.first().locator("button").first().focus();
  for (let at = 0; at < 20; at += 1) await page.keyboard.press(at < 10 ? "y" : "n");
  await page.locator("#figures dd").nth(3).waitFor();
  assert.deepEqual(await page.locator("#figures dd").allTextContents(), ["100%", "100%", "100%", "50%"]);
  await accessible(page);
});

await step("reviews keywords", {}, async (page) => {
  await page.goto(`${address}/review?q=boat`);
  await page.locator(".choices li").first().waitFor();
  const word = await page.locator(".choices li").first().getAttribute("data-word");
  await page.keyboard.press("y");
  await page.fill("#more", "my own word");
  await page.keyboard.press("Enter");
  await accessible(page);
  await page.screenshot({ path: path.join(out, "review.png") });
  await page.getByText("Save and go on").click();
  await page.waitForFunction(() => document.getElementById("status").textContent.includes("1 saved"));
  const kept = await (await page.request.get(`${address}/api/v1/corrections`)).json();
  assert.ok(kept.corrections.some((one) => one.accepted.includes(word) && one.accepted.includes("my own word")));
});

await step("fits a phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }, async (page) => {
  await page.goto(`${address}/?q=snow`);
  await names(page, 1);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(wide, false, "nothing sticks out at the side");
  await accessible(page);
});

await browser.close();
console.log(failed ? `${failed} failed` : `all is well; screenshots in ${out}`);
process.exit(failed ? 1 : 0);
