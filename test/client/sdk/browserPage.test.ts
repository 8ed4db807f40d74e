import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { describe, expect, test } from "vitest";
import { createDevnet } from "../../../src/server/devnet/createDevnet.ts";
import { readCodeBlocks } from "../../helpers/pages.ts";
import { projectRoot } from "../../helpers/project.ts";

// Goal: the page of the client's guide works as the guide says. Method: headless Chromium opens the files of the guide,
// against a devnet of this process. Only the address of the venue is another, and what the page shows is posted back.
const chromium = [process.env["PERPLAB_CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser"].find(
  (path) => path !== "" && existsSync(path),
);
if (chromium === undefined) {
  console.log("skipped: the page of the client's guide, no Chromium on this machine (PERPLAB_CHROMIUM names one)");
}

const GUIDE_URL = "http://127.0.0.1:8645";
const POST = `<script type="module">
  const seen = document.querySelector("#seen");
  while (!/done|failed/.test(seen.textContent)) await new Promise((resolve) => setTimeout(resolve, 20));
  await fetch("/result", { method: "POST", body: seen.textContent });
</script>`;

const fileOf = (name: string) => readCodeBlocks("docs/guides/sdk.md").find(({ file }) => file === name)!.text;

/** What the page shows where the venue allows these origins. */
async function open(allow: (origin: string) => string[]): Promise<string> {
  let report: (shown: string) => void = () => {};
  const shown = new Promise<string>((resolve) => {
    report = resolve;
  });
  const devnet = await createDevnet();
  let script = "";
  const server = createServer(async (request, response) => {
    if (request.url === "/result") report(await text(request));
    const isScript = request.url === "/app.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : fileOf("index.html") + POST);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { url } = await devnet.listen({ cors: allow(origin) });
  // As a file in the clone's top folder.
  const contents = fileOf("page.js").replaceAll(GUIDE_URL, url);
  const bundled = await build({
    stdin: { contents, resolveDir: projectRoot, sourcefile: join(projectRoot, "page.js") },
    bundle: true,
    format: "esm",
    write: false,
  });
  script = bundled.outputFiles[0]!.text;
  const profile = mkdtempSync(join(tmpdir(), "perplab-browser-"));
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`, `${origin}/`];
  const browser = spawn(chromium!, flags, { stdio: "ignore" });
  const gone = new Promise((resolve) => browser.once("exit", resolve));
  try {
    return await Promise.race([shown, gone.then(() => "the browser ended")]);
  } finally {
    browser.kill();
    await gone;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    await devnet.close();
    server.close().closeAllConnections();
  }
}

describe.skipIf(chromium === undefined)("the page of the client's guide", () => {
  test("trades in a devnet that allows its origin", async () => {
    expect(fileOf("page.js")).toContain(GUIDE_URL);
    expect(await open((origin) => [origin])).toBe(
      "the order is applied\n1 order rests at 50000\nthe best bid is 50000\ndone\n",
    );
  });

  test("fails where the devnet allows another origin", async () => {
    expect(await open((origin) => [origin.replace("127.0.0.1", "localhost")])).toMatch(/^failed: .*CONNECTION_FAILED/);
  });
});
