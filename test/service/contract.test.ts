import fc from "fast-check";
import { expect, test } from "vitest";
import { devnetRoutes } from "../../src/api/routes/devnet.ts";
import { OPERATION_IDS } from "../../src/api/routes.ts";
import { createDevnet } from "../../src/service/devnet/createDevnet.ts";
import { arbitraryControl, arbitraryMessage, arbitraryRpc } from "./contract/besides.ts";
import { runContract } from "./contract/steps.ts";

// Goal: nobody can make the service break its contract, or say something else than the engine does.
// Method: seeded requests to every operation, in order and not, between trades that an engine beside it carries out, too.

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
}, 120_000);

test("control, what wallets ask and streams have an answer to whatever they are sent", async () => {
  const devnet = await createDevnet();
  const headers = { "content-type": "application/json" };
  for (const { id, param, body } of fc.sample(arbitraryControl, { seed: 3, numRuns: 1_000 })) {
    const { method, path } = devnetRoutes[id];
    const request = { method, path: path.replace(/\{\w+\}/, () => encodeURIComponent(param.toWellFormed())) };
    const { status } = await devnet.endpoint.request(body === undefined ? request : { ...request, headers, body });
    expect(status, `${id} ${body}`).toBeLessThan(500);
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
}, 60_000);
