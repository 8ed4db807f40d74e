/**
 * Pages in headless Chromium use the client against a devnet, each against one of its own: see `scripts/browser`. The
 * page of a report is driven by mouse and keys.
 * Without Chromium it prints the reason and skips; PERPLAB_CHROMIUM names another executable.
 *
 *     npm run e2e:browser
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { createReport } from "../src/product/report/createReport.ts";
import { renderHtml } from "../src/product/report/html.ts";
import { createDevnet } from "../src/server/devnet/createDevnet.ts";
import { createSampleInput } from "../test/product/report/sample.ts";
import { measureOverhang } from "./browser/pageWidths.ts";
import { driveReport } from "./browser/reportPage.ts";

/** The expected observations of each page. */
const PAGES = {
  trade: "applied | 50000 | 50000 0.1 | applied | -0.04 | signed in",
  outbox: "1 | 0 | applied | 0.3 | empty",
  wallet: "4902 | refused | true | applied | 50000 | signed in",
};
/** What the page of a report shows while it is driven. */
const REPORT = "200 d | drag 100 d | + 50 d | double click 200 d | l true | t light | descending | row zoomed";
const PATIENCE_MS = 60_000;

const chromium = [process.env["PERPLAB_CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  existsSync,
);
if (chromium === undefined) console.log("skipped: no Chromium on this machine");
else {
  for (const [name, expected] of Object.entries(PAGES)) {
    const seen = await runPage(chromium, name);
    const isGood = seen === expected;
    console.log(isGood ? `ok   ${name}: ${seen}` : `FAIL ${name}: ${seen}\n     expected ${expected}`);
    if (!isGood) process.exitCode = 1;
  }
  const seen = await driveReport(chromium, renderHtml(createReport(createSampleInput())));
  const isGood = seen === REPORT;
  console.log(isGood ? `ok   report: ${seen}` : `FAIL report: ${seen}\n     expected ${REPORT}`);
  if (!isGood) process.exitCode = 1;
  const { planted, ...pages } = await measureOverhang(chromium);
  const isNarrow = planted! > 0 && Object.values(pages).every((pixels) => pixels === 0);
  const widths = Object.entries(pages).map(([name, pixels]) => `${name} ${pixels}`);
  console.log(`${isNarrow ? "ok  " : "FAIL"} pixels beyond the screen: ${widths.join(", ")}; planted ${planted}`);
  if (!isNarrow) process.exitCode = 1;
}

/** Opens a page and waits for what it posts. */
async function runPage(program: string, name: string): Promise<string> {
  const bundled = await build({
    entryPoints: [join(import.meta.dirname, "browser", `${name}.js`)],
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
  });
  const script = bundled.outputFiles[0]!.text;
  const devnet = await createDevnet();
  let report: (result: string) => void = () => {};
  const result = new Promise<string>((resolve) => {
    report = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url === "/result") report(await text(request));
    const isScript = request.url === "/app.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : '<!doctype html><script type="module" src="/app.js"></script>');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const listening = await devnet.listen({ cors: [origin] });
  const query = new URLSearchParams({
    base: listening.url,
    ws: listening.socketUrl,
    key: devnet.accounts[0]!.privateKey,
    other: devnet.accounts[1]!.privateKey,
  });
  const profile = mkdtempSync(join(tmpdir(), "perplab-browser-"));
  const browser = spawn(
    program,
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      `${origin}/?${query}`,
    ],
    { stdio: "ignore" },
  );
  const late = new Promise<string>((resolve) =>
    setTimeout(() => resolve("the page did not answer"), PATIENCE_MS).unref(),
  );
  const seen = await Promise.race([result, late]);
  await end(browser);
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  await devnet.close();
  server.close().closeAllConnections();
  return seen;
}

async function end(browser: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => browser.once("exit", resolve));
  browser.kill();
  await gone;
}
