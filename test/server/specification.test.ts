import type { Static } from "typebox";
import { expect, test } from "vitest";
import type { ApiResponse } from "../../src/client/api/endpoint.ts";
import { API_PREFIX, SOCKET_PATH } from "../../src/client/api/endpoint.ts";
import { type OperationId, routes } from "../../src/client/api/routes.ts";
import type { Validator } from "../../src/client/api/schemas/status.ts";
import { createService } from "../../src/server/face/service.ts";
import { idOfGrant } from "../../src/venue/engine/authorization/addGrant.ts";
import type { AccountRow, AuthorizationRow } from "../../src/venue/engine/state/schema.ts";
import { addressOf } from "../../src/venue/reads/rows.ts";
import { hostOfFlow } from "./helpers/flowHost.ts";
import { expectProblem, openTestService } from "./helpers/service.ts";

// What the specification says of endpoints, walked one by one over a venue in which something has happened.

const { host } = hostOfFlow(16, 300);
const service = createService(host.asHost, { limits: "off" });
const { state } = host;
const committed = host.entries.findLast((entry) => entry?.receipts.some(({ status }) => status === "applied"))!;
const places: Readonly<Record<string, string>> = {
  height: String(state.height),
  txId: committed.ids[committed.receipts.findIndex(({ status }) => status === "applied")]!,
  market: state.marketNames[0]!,
  address: addressOf(state, 0 as AccountRow),
  authId: idOfGrant(state, 0 as AuthorizationRow),
};

function ask(path: string, method: "GET" | "HEAD" = "GET"): Promise<ApiResponse> {
  return service.endpoint.request({ method, path: `${API_PREFIX}${path}` });
}

test("GET /validators is the set of the one process that makes the blocks, and 404 where it is not exposed", async () => {
  expectProblem(await ask("/validators"), 404, "NOT_FOUND", "NOT_EXPOSED");
  const shown = openTestService();
  const { host: running } = shown;
  (running.genesis.features as { validators: boolean }).validators = true;
  const { body } = await shown.call("listValidators");
  const { data, consensus, asOf } = body as {
    data: Static<typeof Validator>[];
    consensus: string;
    asOf: { height: number };
  };
  expect(data).toEqual([{ address: null, name: "sequencer-0", power: "1" }]);
  expect([consensus, asOf.height]).toEqual(["none", running.state.height]);
  await running.mine();
  const block = JSON.parse((await shown.ask({ path: "/blocks/latest" })).body) as { data: { proposer: string } };
  expect(data.map(({ name }) => name)).toEqual([block.data.proposer]);
  const status = JSON.parse((await shown.ask({ path: "/status" })).body);
  expect(status.data.network.consensus).toBe("none");
});

test("the nonce is asked for by signer, subaccount and domain, and each of them is needed", async () => {
  const query = { signer: places["address"]!, subaccount: "0", domain: "trading" };
  for (const left of Object.keys(query)) {
    const rest = Object.entries(query).filter(([name]) => name !== left);
    const answer = await ask(`/accounts/${places["address"]}/nonce?${new URLSearchParams(rest)}`);
    const { errors } = expectProblem(answer, 400, "VALIDATION_ERROR");
    expect(errors![0]!.pointer).toBe(`query.${left}`);
  }
});

test("the surfaces carry their versions in their paths", () => {
  expect([API_PREFIX, SOCKET_PATH]).toEqual(["/api/v1", "/ws/v1"]);
});

test("no operation is without a summary, a tag and the form of its answer", () => {
  for (const [id, route] of Object.entries(routes) as [OperationId, (typeof routes)["getStatus"]][]) {
    expect(route.summary.length, id).toBeGreaterThan(5);
    expect(route.tag, id).toMatch(/^\w/);
    expect(Object.keys(route.responses).length, id).toBeGreaterThan(0);
  }
});

test("status returns network, signing domain and versions", async () => {
  const { data } = JSON.parse((await ask("/status")).body) as { data: Record<string, Record<string, unknown>> };
  expect(data["network"]).toMatchObject({ name: host.genesis.network, chainId: host.genesis.chainId });
  expect(JSON.stringify(data)).toContain(service.services.host.domain.genesisHash);
  expect(data["versions"]).toMatchObject({ protocol: [1], envelope: [1] });
  expect(data["urls"], "the network is closed: no address is published").toBeNull();
});

test("unrealised PnL in answers is the mark's, whatever was traded last", async () => {
  let looked = 0;
  for (let row = 0; row < state.accounts.rows.high; row++) {
    const { body } = await ask(`/accounts/${addressOf(state, row as AccountRow)}/positions`);
    for (const position of (JSON.parse(body) as { data: Record<string, string>[] }).data) {
      const market = state.marketRows.get(position["market"]!)!;
      const mark = BigInt(state.markets.mark[market]!);
      const [size, cost] = [toUnits(position["size"]!, 8), toUnits(position["cost"]!, 6)];
      // size x mark in 1e-16, valued in 1e-6, rounded down.
      const value = (size * mark) / 10n ** 10n - (size * mark < 0n && (size * mark) % 10n ** 10n !== 0n ? 1n : 0n);
      expect(toUnits(position["unrealizedPnl"]!, 6)).toBe(value - cost);
      looked++;
    }
  }
  expect(looked).toBeGreaterThan(2);
});

function toUnits(text: string, decimals: number): bigint {
  const [whole, fraction = ""] = text.replace("-", "").split(".");
  const units = BigInt(whole! + fraction.padEnd(decimals, "0"));
  return text.startsWith("-") ? -units : units;
}
