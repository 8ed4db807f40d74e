import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiRequest } from "../../src/client/api/endpoint.ts";
import { createDevnetOpenApi } from "../../src/client/api/openapi.ts";
import { type DevnetRoutes, devnetRoutes } from "../../src/client/api/routes/devnet.ts";
import { OPERATION_IDS } from "../../src/client/api/routes.ts";
import { createDevnet } from "../../src/server/devnet/createDevnet.ts";
import { arbitraryControl, arbitraryMessage, arbitraryRpc } from "./contract/besides.ts";
import { CONTROL, findFaults } from "./contract/checkAnswer.ts";
import { runContract } from "./contract/steps.ts";

// Goal: no request makes the service break its contract, or answer otherwise than the engine. Method: seeded requests
// to every operation, in order and not, between trades that an engine alongside carries out, too.

test("2,000 requests, in order and hostile, between trades: every answer keeps the contract and agrees with the engine", async () => {
  const tallies = [await runContract(7, 1_000), await runContract(8, 1_000)];
  expect(tallies.flatMap(({ faults }) => faults)).toEqual([]);
  expect(tallies.reduce((sum, { compared }) => sum + compared, 0)).toBeGreaterThan(500);
  const answers = tallies.flatMap((tally) => Object.entries(tally.answers));
  const count = (pattern: RegExp) =>
    answers.reduce((sum, [name, times]) => (pattern.test(name) ? sum + times : sum), 0);
  expect(count(/./)).toBeGreaterThanOrEqual(2_000);
  // What was never asked, or never refused, was not tried.
  for (const operation of OPERATION_IDS) expect(count(new RegExp(`^${operation} `)), operation).toBeGreaterThan(0);
  for (const status of [200, 201, 202, 304, 400, 401, 404, 405, 409, 422]) {
    expect(count(new RegExp(` ${status}$`)), String(status)).toBeGreaterThan(0);
  }
});

test("every control is carried out, and answers in the form of its document", async () => {
  const devnet = await createDevnet();
  const [account, other] = devnet.accounts.map(({ address }) => address);
  const market = "BTC-PERP";
  await devnet.mine();
  devnet.setBlocks({ mode: "manual" });
  const waiting = await devnet.system("oracleUpdate", { market, price: "60000" }, { mine: false });
  // In this order: the first operator transactions make a price and an account that later ones need.
  const bodies: Readonly<Record<keyof DevnetRoutes, object | undefined>> = {
    getDevnet: undefined,
    getDevnetContract: undefined,
    dropTransaction: undefined,
    setBlockMode: { mode: "auto" },
    mineBlocks: { blocks: 2, stepMs: 5 },
    setClock: { kind: "step", stepMs: 500 },
    moveTime: { advanceMs: 5 },
    reportPrices: { market, price: "60001" },
    setMarketPrices: { market, price: "60000" },
    setStaleness: { market, afterMs: 0 },
    setCollateral: { account, amount: "5000" },
    setPosition: { account: other, market, size: "0.5" },
    impersonate: { account, action: "cancelAll", payload: { intents: true } },
    signSystem: { action: "oracleUpdate", payload: { market, price: "60000" } },
    takeSnapshot: { name: "here" },
    listSnapshots: undefined,
    revert: { to: "here" },
    dumpVenue: undefined,
    loadVenue: { dump: Buffer.from(devnet.dump()).toString("base64") },
    addFault: { kind: "clockSkew", ms: 5 },
    listFaults: undefined,
    removeFault: undefined,
    clearFaults: undefined,
  };
  expect(Object.keys(bodies).sort()).toEqual(Object.keys(devnetRoutes).sort());
  for (const [id, body] of Object.entries(bodies)) {
    const { method, path: pattern } = devnetRoutes[id as keyof DevnetRoutes];
    const path = pattern.replace("{fault}", "f1").replace("{txId}", waiting.txId);
    const headers = { "content-type": "application/json" };
    const request: ApiRequest = {
      method,
      path,
      ...(body === undefined ? {} : { headers, body: JSON.stringify(body) }),
    };
    const { height } = devnet.host.state;
    const response = await devnet.endpoint.request(request);
    expect(response.status, `${id}: ${response.body}`).toBe(200);
    const heights = [Math.min(height, devnet.host.state.height), Math.max(height, devnet.host.state.height)] as const;
    expect(findFaults(id, request, response, heights, CONTROL), id).toEqual([]);
  }
  const served = await devnet.endpoint.request({ method: "GET", path: "/devnet/openapi.json" });
  expect(JSON.parse(served.body)).toEqual(createDevnetOpenApi());
  await devnet.close();
});

test("control, wallet requests and streams answer any input", async () => {
  const devnet = await createDevnet();
  const headers = { "content-type": "application/json" };
  for (const { id, param, body } of fc.sample(arbitraryControl, { seed: 3, numRuns: 1_000 })) {
    const { method, path } = devnetRoutes[id];
    const request = { method, path: path.replace(/\{\w+\}/, () => encodeURIComponent(param.toWellFormed())) };
    const { height } = devnet.host.state;
    const response = await devnet.endpoint.request(body === undefined ? request : { ...request, headers, body });
    // What a hostile text makes of the path may be another operation, or none.
    const isOther = path.includes("{") && (param === "" || /^\.{1,2}$/.test(param));
    const operation = isOther ? undefined : id;
    if (operation === undefined && response.status === 404) continue;
    const faults = findFaults(operation, request, response, [height, devnet.host.state.height], CONTROL);
    expect(faults, `${id} ${body}: ${response.status} ${response.body.slice(0, 300)}`).toEqual([]);
  }
  for (const body of fc.sample(arbitraryRpc, { seed: 4, numRuns: 1_000 })) {
    const response = await devnet.endpoint.request({ method: "POST", path: "/rpc", headers, body });
    expect(response.status, body).toBeLessThan(500);
    if (response.body !== "") expect(JSON.parse(response.body), body).toBeTypeOf("object");
  }
  for (const text of fc.sample(arbitraryMessage, { seed: 9, numRuns: 1_000 })) {
    const heard: string[] = [];
    const socket = devnet.endpoint.connect({ onMessage: (message) => heard.push(message), onClose() {} });
    await Promise.resolve();
    socket.send(text);
    await new Promise((resolve) => setImmediate(resolve));
    for (const message of heard) expect(JSON.parse(message), text).toHaveProperty("type");
    expect(heard.length, text).toBeGreaterThan(1);
    socket.close();
  }
  await devnet.close();
});
