import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { DevnetExtensions } from "../../../src/server/devnet/devnetExtensions.ts";
import { createDevnetGenesis } from "../../../src/server/devnet/venue.ts";
import { startServer } from "../../../src/server/face/server.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../../../src/server/host/development.ts";
import { openHost } from "../../../src/server/host/openHost.ts";
import { callCli } from "../../helpers/cli.ts";
import { STEP } from "../../helpers/host.ts";
import { createFolder } from "../../helpers/project.ts";

const json = { "content-type": "application/json" };
const check = async (...args: string[]) => {
  const { exitCode, out, err } = await callCli("serve", "--port", "0", "--check", "--json", ...args);
  expect([exitCode, err]).toEqual([0, ""]);
  return JSON.parse(out) as { height: number; controlUrl: string | null; rpcUrl: string };
};

test("control is served only where it is asked for", async () => {
  expect((await check()).controlUrl).toBeNull();
  expect((await check("--control")).controlUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/devnet$/);
  expect((await check("--admin-token", "secret")).controlUrl).not.toBeNull();
  expect((await check()).rpcUrl).toMatch(/\/rpc$/);
});

test("a venue that was dumped at the end is the start of the next one", async () => {
  const file = join(createFolder(), "venue.dump");
  const { height } = await check("--state", file, "--makers", "1");
  expect(height).toBeGreaterThan(1);
  expect(await check("--state", file)).toMatchObject({ height });
});

test.each(["afterWrite", "afterSync", "afterAnswer", "afterApply"] as const)(
  "a store crashes at %s on request",
  async (point) => {
    let crashes = 0;
    const surroundings = new DevnetExtensions({ control: true, crash: () => crashes++ });
    const host = await openHost({
      genesis: createDevnetGenesis(),
      directory: join(createFolder(), "venue"),
      authorityKeys: DEVELOPMENT_AUTHORITY_KEYS,
      time: STEP,
      onPoint: surroundings.onPoint,
    });
    const server = await startServer(host, { devnet: true, now: surroundings.now, extend: surroundings.extend });
    onTestFinished(() => server.close());
    const post = (path: string, body: object) =>
      fetch(`${server.listener.url}/devnet${path}`, { method: "POST", headers: json, body: JSON.stringify(body) });
    expect((await post("/mine", {})).status).toBe(200);
    expect(crashes).toBe(0);
    expect((await post("/faults", { kind: "crash", point, times: 1 })).status).toBe(200);
    expect((await post("/oracle", { market: "BTC-PERP", price: "60000" })).status).toBe(200);
    expect(crashes).toBe(1);
  },
);
