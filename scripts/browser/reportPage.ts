// Drives the page of a report in Chromium as a reader would: mouse, keys, a table. Its content policy lets no script of
// ours in, so the browser is driven from outside, by the DevTools protocol.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** What the page showed after each act, joined by " | ". */
export function driveReport(program: string, html: string): Promise<string> {
  return withPage(program, html, async (page) => (await act(page)).join(" | "));
}

/** Opens a page from a file, and closes the browser after the work. */
export async function withPage<Result>(
  program: string,
  html: string,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "perplab-report-"));
  writeFileSync(join(folder, "report.html"), html);
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"];
  const size = "--window-size=1200,900";
  const browser = spawn(program, [...flags, size, `--user-data-dir=${join(folder, "profile")}`, "about:blank"], {
    stdio: "ignore",
  });
  try {
    const page = await connect(join(folder, "profile"));
    await page.send("Page.enable");
    await page.send("Page.navigate", { url: pathToFileURL(join(folder, "report.html")).href });
    return await work(page);
  } finally {
    await end(browser);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface Page {
  send(method: string, params?: object): Promise<{ readonly result?: { readonly value?: unknown } }>;
}

const PATIENCE_MS = 30_000;

/** Waits for the port that the browser writes into its profile, and for its first tab. */
async function connect(profile: string): Promise<Page> {
  const file = join(profile, "DevToolsActivePort");
  for (let waited = 0; !existsSync(file) && waited < PATIENCE_MS; waited += 50) await sleep(50);
  const port = readFileSync(file, "utf8").split("\n")[0];
  const tabs = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    readonly type: string;
    readonly webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(tabs.find(({ type }) => type === "page")!.webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const waiting = new Map<number, (answer: object) => void>();
  socket.addEventListener("message", ({ data }) => {
    const answer = JSON.parse(String(data)) as { readonly id?: number; readonly result?: object };
    if (answer.id === undefined) return;
    waiting.get(answer.id)?.(answer.result ?? {});
    waiting.delete(answer.id);
  });
  let id = 0;
  return {
    send: (method, params = {}) =>
      new Promise((resolve) => {
        waiting.set(++id, resolve as (answer: object) => void);
        socket.send(JSON.stringify({ id, method, params }));
      }),
  };
}

async function act(page: Page): Promise<string[]> {
  const evaluate = async (expression: string) =>
    (await page.send("Runtime.evaluate", { expression, returnByValue: true })).result?.value;
  const mouse = (type: string, x: number, y: number, more: object = {}) =>
    page.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: 1, clickCount: 1, ...more });
  const key = async (text: string) => {
    await page.send("Input.dispatchKeyEvent", { type: "keyDown", text, key: text });
    await page.send("Input.dispatchKeyEvent", { type: "keyUp", key: text });
    await sleep(100);
  };
  // What a view shows is drawn in the next frame.
  const hours = async () => {
    await sleep(150);
    const text = String(await evaluate('document.querySelector(".range").textContent'));
    return text.split("\u00b7")[1]?.trim();
  };
  for (let waited = 0; waited < PATIENCE_MS; waited += 50) {
    if ((await evaluate('document.querySelector(".controls")?.hidden')) === false) break;
    await sleep(50);
  }
  const seen = [await hours()];
  await evaluate('document.querySelector(".plot").scrollIntoView({ block: "center" })');
  const box = (await evaluate(
    '(() => { const b = document.querySelector(".plot").getBoundingClientRect(); return [b.left, b.top, b.width]; })()',
  )) as [left: number, top: number, width: number];
  const [left, top, width] = box;
  await mouse("mousePressed", left + width * 0.25, top + 40);
  await mouse("mouseMoved", left + width * 0.5, top + 40);
  await mouse("mouseReleased", left + width * 0.75, top + 40, { buttons: 0 });
  seen.push(`drag ${await hours()}`);
  await key("+");
  seen.push(`+ ${await hours()}`);
  await mouse("mousePressed", left + 50, top + 40);
  await mouse("mouseReleased", left + 50, top + 40, { buttons: 0 });
  await mouse("mousePressed", left + 50, top + 40, { clickCount: 2 });
  await mouse("mouseReleased", left + 50, top + 40, { clickCount: 2, buttons: 0 });
  seen.push(`double click ${await hours()}`);
  await key("l");
  seen.push(`l ${await evaluate('document.querySelector("button.log").getAttribute("aria-pressed")')}`);
  await key("t");
  seen.push(`t ${await evaluate("document.documentElement.dataset.theme")}`);
  await evaluate('document.querySelector("#trips th[data-key=pnl]").click()');
  seen.push(String(await evaluate('document.querySelector("#trips th[data-key=pnl]").getAttribute("aria-sort")')));
  await evaluate('document.querySelector("#trips tbody tr").click()');
  seen.push(`row ${(await hours()) === seen[0] ? "whole run" : "zoomed"}`);
  return seen as string[];
}

async function end(browser: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => browser.once("exit", resolve));
  browser.kill();
  await ended;
}
