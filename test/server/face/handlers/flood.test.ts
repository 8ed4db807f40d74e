/**
 * Floods of the pending pool over the interface, scaled down by the bounds of the pool: whatever they send, a
 * cancel-all, a claim of the faucet and an order of another key are taken and commit.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { ApiResponse } from "../../../../src/client/api/endpoint.ts";
import { API_PREFIX } from "../../../../src/client/api/endpoint.ts";
import { AccountKey } from "../../../../src/protocol/accountKey.ts";
import { decodePayload, encodeTransaction, type Signed } from "../../../../src/protocol/codec.ts";
import { createService } from "../../../../src/server/face/service.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../../../../src/server/host/development.ts";
import type { VenueHost } from "../../../../src/server/host/host.ts";
import { openHost } from "../../../../src/server/host/openHost.ts";
import { signingKitAtHand } from "../../../../src/server/host/signingKit.ts";
import type { PoolOptions } from "../../../../src/venue/simulation/pool/pendingPool.ts";
import { keyOf, openTestHost, oraclePrice, STEP, TestClient, testGenesis } from "../../../helpers/host.ts";
import { expectProblem, JSON_HEADERS } from "../../helpers/service.ts";

const BOUNDS: PoolOptions = { most: 48, riskMost: 12, ownersMost: 16, ownersRiskMost: 4, lanesMost: 8 };
const LONGEST = testGenesis.validityMax;

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What a flood and its victims ask of a host. */
function serve(host: VenueHost) {
  const { endpoint } = createService(host, { limits: "off" });
  const post = (path: string, body: object, key: string): Promise<ApiResponse> =>
    endpoint.request({
      method: "POST",
      path: `${API_PREFIX}${path}`,
      headers: { ...JSON_HEADERS, "idempotency-key": key },
      body: JSON.stringify(body),
    });
  const submit = (signed: Signed & { readonly key: string }) =>
    post("/transactions", encodeTransaction(signed), signed.key);
  let claims = 0;
  const claim = (address: string, amount = "0.000001") =>
    post("/faucet/claims", { address, amount }, `claim-of-the-test-${++claims}`);
  return { submit, claim };
}

type Served = ReturnType<typeof serve>;

/** Sends as many no-ops as it can that wait for a far height, from every lane of the accounts. */
async function floodWithFar({ submit }: Served, host: VenueHost, client: TestClient, subaccounts: readonly number[]) {
  const statuses = new Set<number>();
  for (const subaccount of subaccounts) {
    const account = new AccountKey(client.address, subaccount);
    for (const nonceDomain of ["trading", "funds", "admin", "risk"] as const) {
      for (let nonce = 0; nonce < 8; nonce++) {
        const validFrom = host.state.height + LONGEST;
        const validUntil = validFrom + LONGEST;
        const { status } = await submit(client.noop({ account, nonceDomain, nonce: nonce + 8, validFrom, validUntil }));
        statuses.add(status);
      }
    }
  }
  return statuses;
}

/** A client that trades as if there were no flood. */
async function tradeAsUsual({ submit, claim }: Served, host: VenueHost, client: TestClient, at: string): Promise<void> {
  const order = client.order("buy", "0.1", at);
  const cancel = client.sign("cancelAll", decodePayload("cancelAll", { market: "", intents: true }), {
    nonceDomain: "risk",
  });
  for (const signed of [order, cancel]) {
    const answer = await submit(signed);
    expect(answer.status, answer.body).toBe(202);
    expect(await host.waitFor(signed.id, 1_000)).toMatchObject({
      status: "committed",
      receipt: { status: "applied" },
    });
  }
  const claimed = await claim(client.address);
  expect(claimed.status, claimed.body).toBe(202);
  expect(JSON.parse(claimed.body)).toMatchObject({ status: "committed", outcome: "applied" });
}

async function openFlooded() {
  const { host, clients } = openTestHost({ pool: BOUNDS });
  await host.submitSystem("oracleUpdate", oraclePrice("50000"));
  const [attacker, victim] = clients as [TestClient, TestClient];
  return { host, served: serve(host), attacker, victim };
}

describe("a flood of one key", () => {
  test("no-ops from far in the future, over many subaccounts, keep no other client out", async () => {
    const { host, served, attacker, victim } = await openFlooded();
    const subaccounts = Array.from({ length: 12 }, (_, at) => at + 1);
    for (const toSubaccount of subaccounts) {
      const payload = decodePayload("transfer", { to: attacker.address, toSubaccount, amount: "0.000001" });
      expect((await served.submit(attacker.sign("transfer", payload, { nonceDomain: "funds" }))).status).toBe(202);
    }
    const statuses = await floodWithFar(served, host, attacker, subaccounts);
    expect([...statuses].sort()).toEqual([202, 429]);
    expect(host.pool.size).toBe(20);
    await tradeAsUsual(served, host, victim, "40000");
    // The flood does not block the attacker's own way out either.
    await tradeAsUsual(served, host, attacker, "40000");
  });

  test("a validity further ahead than the longest is refused, and so is one that is empty", async () => {
    const { host, served, attacker } = await openFlooded();
    const { height } = host.state;
    const far = attacker.noop({ validFrom: height + LONGEST + 1, validUntil: height + LONGEST + 2 });
    const refused = expectProblem(await served.submit(far), 422, "TRANSACTION_REJECTED", "VALIDITY_TOO_FAR");
    expect(refused.retryable).toBe(false);
    const empty = attacker.noop({ nonce: 0, validFrom: height + 2, validUntil: height + 1 });
    expectProblem(await served.submit(empty), 422, "TRANSACTION_REJECTED", "VALIDITY_EMPTY");
    expect(host.pool.size).toBe(0);
    expect((await served.submit(attacker.noop({ nonce: 0 }))).status).toBe(202);
  });

  test("the refusal states whether waiting helps; it does not if a nonce of the same lane is missing", async () => {
    const { served, attacker } = await openFlooded();
    for (let nonce = 1; nonce < 9; nonce++) await served.submit(attacker.noop({ nonce }));
    const more = await served.submit(attacker.noop({ nonce: 9 }));
    const problem = expectProblem(more, 429, "RATE_LIMITED", "LANE_FULL");
    expect([problem.retryable, problem.retryAfterMs]).toEqual([false, undefined]);
  });
});

describe("a flood of many owners", () => {
  test("derived accounts with dust in them keep no other client out, in any part of the pool", async () => {
    const { host, served, victim } = await openFlooded();
    const flood = async (of: TestClient, nonceDomain: "trading" | "risk") => {
      for (let nonce = 1; nonce < 5; nonce++) await served.submit(of.noop({ nonce, nonceDomain }));
    };
    const owners = Array.from({ length: 30 }, (_, at) => new TestClient(keyOf(1_000 + at), testGenesis));
    for (const owner of owners) {
      await served.claim(owner.address);
      for (const domain of ["trading", "risk"] as const) await flood(owner, domain);
    }
    expect(host.pool.size).toBe(60);
    await tradeAsUsual(served, host, victim, "40000");
    expect(host.pool.size).toBeLessThanOrEqual(60);
  });

  test("an evicted transaction ends as dropped, says why, and waiting for it ends; its nonce is free", async () => {
    const { host, served, attacker, victim } = await openFlooded();
    let evictions = 0;
    host.onEviction((count) => {
      evictions += count;
    });
    for (let nonce = 1; nonce < 9; nonce++) await served.submit(attacker.noop({ nonce }));
    const last = host.pool.inOrder().at(-1)!.id;
    const waiting = host.waitFor(last, 60_000);
    const first = attacker.noop({ nonce: 0 });
    expect((await served.submit(first)).status).toBe(202);
    expect(await waiting).toMatchObject({ status: "dropped", reason: "EVICTED" });
    const { body } = await createService(host).endpoint.request({
      method: "GET",
      path: `${API_PREFIX}/transactions/${last}/confirmation`,
    });
    expect(JSON.parse(body).data).toMatchObject({ status: "dropped", code: "EVICTED", nextAction: "resign" });
    expect(evictions).toBe(1);
    expect((await served.submit(attacker.noop({ nonce: 8, clientTxId: "again" }))).status).toBe(202);
    await tradeAsUsual(served, host, victim, "40000");
  });
});

test("a flood that a store kept is brought within the bounds at the next start", async () => {
  const directory = mkdtempSync(join(tmpdir(), "perplab-flood-"));
  folders.push(directory);
  const options = {
    directory,
    genesis: testGenesis,
    signing: signingKitAtHand(),
    roomBytes: 0,
    time: STEP,
    authorityKeys: DEVELOPMENT_AUTHORITY_KEYS,
  };
  const attacker = new TestClient(keyOf(1), testGenesis);
  const wide = await openHost({ ...options, pool: { ...BOUNDS, lanesMost: 500, ownersMost: 500, most: 500 } });
  await wide.submitSystem("oracleUpdate", oraclePrice("50000"));
  for (let nonce = 1; nonce < 100; nonce++) await wide.submit(attacker.noop({ nonce }), `key-of-the-flood-${nonce}`);
  const last = wide.pool.inOrder().at(-1)!.id;
  expect(wide.pool.size).toBe(99);
  await wide.close();

  for (const _ of ["first", "second"]) {
    const again = await openHost({ ...options, pool: BOUNDS });
    expect(again.pool.size).toBe(8);
    expect(again.transaction(last)).toMatchObject({ status: "dropped", reason: "EVICTED" });
    await again.close();
  }
  const host = await openHost({ ...options, pool: BOUNDS });
  await tradeAsUsual(serve(host), host, new TestClient(keyOf(2), testGenesis), "40000");
  await host.close();
});
