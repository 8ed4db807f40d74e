import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDevnet } from "../../../src/server/devnet/createDevnet.ts";
import { readDump } from "../../../src/server/host/store/dump.ts";
import { computeRoot } from "../../../src/venue/engine/commitment/root.ts";
import { callCli } from "../../helpers/cli.ts";
import { createFolder } from "../../helpers/project.ts";
import { expectProblem, JSON_HEADERS } from "../helpers/service.ts";

const market = "BTC-PERP";
type Devnet = Awaited<ReturnType<typeof createDevnet>>;

const dumpOf = async (devnet: Devnet) => {
  const { body } = await devnet.endpoint.request({ method: "GET", path: "/devnet/dump" });
  return JSON.parse(body).data as { dump: string; height: number; stateRoot: string; network: string };
};
const load = (devnet: Devnet, dump: string) =>
  devnet.endpoint.request({
    method: "POST",
    path: "/devnet/load",
    headers: JSON_HEADERS,
    body: JSON.stringify({ dump }),
  });

test("a venue is dumped and loaded over the network, and a dump over that is the same", async () => {
  const first = await createDevnet({ networkSalt: "dump", makers: { count: 3, seed: 5 } });
  await first.setPosition({ account: first.accounts[1]!.address }, market, "1.5");
  for (let count = 0; count < 300; count++) {
    await first.impersonate({ account: first.accounts[count % 8]!.address }, "placeOrder", {
      ...{ market, side: "buy", orderType: "limit", size: "0.001", price: String(50_000 + count) },
    });
  }
  const dumped = await dumpOf(first);
  expect(dumped).toMatchObject({ height: first.host.state.height, stateRoot: computeRoot(first.host.state) });
  const second = await createDevnet({ networkSalt: "dump" });
  const { url } = await second.listen();
  second.snapshot("gone");
  const body = JSON.stringify({ dump: dumped.dump });
  const response = await fetch(`${url}/devnet/load`, { method: "POST", headers: JSON_HEADERS, body });
  expect(await response.json()).toMatchObject({ data: { height: dumped.height, epoch: 1 } });
  expect(computeRoot(second.host.state)).toBe(dumped.stateRoot);
  expect(second.snapshots()).toEqual([]);
  const again = await dumpOf(second);
  expect({ ...again, dump: "" }).toEqual({ ...dumped, dump: "" });
  const read = readDump(Buffer.from(again.dump, "base64"));
  expect([computeRoot(read.state), read.epoch]).toEqual([dumped.stateRoot, 1]);
  // Reads start again with the loaded venue.
  const path = `/api/v1/accounts/${first.accounts[1]!.address}/positions`;
  const said = async (devnet: Devnet) =>
    JSON.parse((await devnet.endpoint.request({ method: "GET", path })).body).data[0].size;
  expect([await said(first), await said(second)]).toEqual(["1.5", "1.5"]);
  await second.close();
});

test("only loading a venue allows a longer body", async () => {
  const devnet = await createDevnet({ networkSalt: "dump" });
  const { url } = await devnet.listen();
  const post = async (path: string) =>
    (
      await fetch(url + path, {
        method: "POST",
        headers: JSON_HEADERS,
        body: JSON.stringify({ dump: "A".repeat(80_000) }),
      })
    ).status;
  expect([await post("/devnet/load"), await post("/devnet/mine"), await post("/api/v1/transactions")]).toEqual([
    400, 413, 413,
  ]);
  await devnet.close();
});

test("a file that is no dump, is cut short, damaged, of another version or another genesis is refused, and nothing changes", async () => {
  const devnet = await createDevnet({ networkSalt: "dump" });
  const { dump } = await dumpOf(devnet);
  const root = computeRoot(devnet.host.state);
  const bytes = Buffer.from(dump, "base64");
  const changed = (at: number, to: number) => {
    const copy = Buffer.from(bytes);
    copy[at] = to;
    return copy.toString("base64");
  };
  const foreign = await dumpOf(await createDevnet({ networkSalt: "dump", balance: "5" }));
  for (const [given, reason] of [
    ["", "DUMP_FORMAT"],
    [Buffer.from("{}").toString("base64"), "DUMP_FORMAT"],
    [bytes.subarray(0, bytes.length - 5).toString("base64"), "DUMP_FORMAT"],
    [changed(8, 9), "DUMP_VERSION"],
    [changed(12, 99), "DUMP_VERSION"],
    [changed(bytes.length - 9, bytes[bytes.length - 9]! ^ 1), "DUMP_CORRUPT"],
    [foreign.dump, "GENESIS_DIFFERS"],
  ] as const) {
    const problem = expectProblem(await load(devnet, given), 400, "VALIDATION_ERROR", reason);
    expect(problem.errors).toMatchObject([{ pointer: "body.dump", rule: reason }]);
  }
  expectProblem(await load(devnet, "no Base64!"), 400, "VALIDATION_ERROR");
  expect([computeRoot(devnet.host.state), devnet.host.epoch]).toEqual([root, 0]);
});

test("the dump that control returns is a file of `--state`, and loads either way", async () => {
  const folder = createFolder();
  const devnet = await createDevnet({ networkSalt: "dump" });
  await devnet.setCollateral({ account: devnet.accounts[0]!.address }, "77");
  const file = join(folder, "venue.dump");
  writeFileSync(file, Buffer.from((await dumpOf(devnet)).dump, "base64"));
  const { exitCode, out, err } = await callCli("serve", "--port", "0", "--check", "--json", "--state", file);
  expect([exitCode, err]).toEqual([0, ""]);
  expect(JSON.parse(out).height).toBe(devnet.host.state.height);
  const response = await load(devnet, readFileSync(file).toString("base64"));
  expect(response.status, response.body).toBe(200);
});
