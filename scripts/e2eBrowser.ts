// A page in headless Chromium uses the client against a devnet: it trades with another over HTTP,
// follows the book by WebSocket and opens a session.
// Skips, and says why, where there is no Chromium; PERPLAB_CHROMIUM names another.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { createDevnet } from "../src/service/devnet/createDevnet.ts";

const EXPECTED = "applied | 50000 | 50000 0.1 | applied | -0.04 | signed in";
const PATIENCE_MS = 60_000;

const PAGE = `
import { createVenueClient, http, privateKeyToAccount, storageOutbox, webSocket } from "./index.ts";

const query = new URLSearchParams(location.search);
const seen = [];
try {
  const transport = webSocket(query.get("ws"), { baseUrl: query.get("base") });
  const account = privateKeyToAccount(query.get("key"));
  const client = createVenueClient({ transport, account, outbox: storageOutbox(localStorage) });
  const followed = client.followBook({ market: "BTC-PERP" });
  await followed.ready();
  const bid = await client.placeOrder({ market: "BTC-PERP", side: "buy", size: "0.1", price: "50000" });
  seen.push((await bid.wait()).status);
  seen.push((await client.listOrders({ address: account.address })).data[0].price);
  while (followed.book.bids.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  seen.push(followed.book.bids[0].slice(0, 2).join(" "));
  const other = privateKeyToAccount(query.get("other"));
  const taker = createVenueClient({ transport: http(query.get("base")), account: other });
  const hit = { market: "BTC-PERP", side: "sell", size: "0.04", price: "50000", timeInForce: "IOC" };
  seen.push((await (await taker.placeOrder(hit)).wait()).status);
  while (followed.book.bids[0]?.[1] !== "0.06") await new Promise((resolve) => setTimeout(resolve, 20));
  seen.push((await taker.listPositions({ address: other.address })).data[0].size);
  await client.signIn();
  seen.push("signed in");
} catch (error) {
  seen.push(String(error), String(error.cause));
}
await fetch("/result", { method: "POST", body: seen.join(" | ") });
`;

const chromium = [process.env["PERPLAB_CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  existsSync,
);
if (chromium === undefined) console.log("skipped: no Chromium on this machine");
else process.exitCode = (await runPage(chromium)) ? 0 : 1;

async function runPage(program: string): Promise<boolean> {
  const bundled = await build({
    stdin: { contents: PAGE, resolveDir: join(import.meta.dirname, "../src/sdk"), loader: "ts" },
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
  });
  const script = bundled.outputFiles[0]!.text;
  const devnet = await createDevnet();
  let tell: (result: string) => void = () => {};
  const result = new Promise<string>((resolve) => {
    tell = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.url === "/result") tell(await text(request));
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
    setTimeout(() => resolve("no answer of the page"), PATIENCE_MS).unref(),
  );
  const seen = await Promise.race([result, late]);
  await end(browser);
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  await devnet.close();
  server.close().closeAllConnections();
  console.log(seen === EXPECTED ? `ok   ${seen}` : `FAIL ${seen}\n     expected ${EXPECTED}`);
  return seen === EXPECTED;
}

async function end(browser: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => browser.once("exit", resolve));
  browser.kill();
  await gone;
}
