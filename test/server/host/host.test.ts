import { setImmediate as setTurn, setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { decodePayload } from "../../../src/protocol/codec.ts";
import type { Address } from "../../../src/protocol/fields.ts";
import { BATCH_MODE } from "../../../src/protocol/words.ts";
import type { BlockEntry, VenueHost } from "../../../src/server/host/host.ts";
import { computeRoot } from "../../../src/venue/engine/commitment/root.ts";
import { readEvents } from "../../../src/venue/engine/events/readEvents.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";
import { delayTakers } from "../../../src/venue/simulation/pool/policy.ts";
import { Simulation } from "../../../src/venue/simulation/simulation.ts";
import { keyOf, openTestHost, oraclePrice, orderOf, submit, TestClient } from "../../helpers/host.ts";
import { WHOLE_GRANT } from "../../helpers/words.ts";

const mint = (to: Address, amount: string) => decodePayload("faucetMint", { to, toSubaccount: 0, amount });

const grantTo = (agent: Address, host: VenueHost) => ({
  ...WHOLE_GRANT,
  agent,
  scopes: "trade",
  expiresAt: host.state.timeMs + 86_400_000,
});

/** A replay of a host's blocks gives the same hashes, and the same state. */
function expectReplay(host: VenueHost): void {
  const replay = new Simulation(createVenue(host.genesis));
  for (let height = 1; height <= host.state.height; height++) replay.apply(host.block(height)!);
  expect(computeRoot(replay.state)).toBe(computeRoot(host.state));
}

describe("auto blocks", () => {
  test("a transaction is in a block when its submission is answered", async () => {
    const { host, clients } = openTestHost();
    const signed = clients[0]!.noop();
    const heard: BlockEntry[] = [];
    host.onBlock((entry) => heard.push(entry));
    expect(await submit(host, signed)).toMatchObject({ accepted: true, id: signed.id, replayed: false });
    const found = host.transaction(signed.id)!;
    expect(found).toMatchObject({ status: "committed", id: signed.id, index: 0, receipt: { status: "applied" } });
    expect(heard).toEqual([host.block(1)]);
    expect(host.block(1)).toMatchObject({ height: 1, timeMs: 1_700_000_001_000, ids: [signed.id] });
    expect(host.pool.size).toBe(0);
  });

  test("transactions submitted together enter one block, in the order of the policy", async () => {
    const { host, clients } = openTestHost();
    const all = clients.map((client) => client.noop());
    await Promise.all(all.map((signed) => submit(host, signed)));
    expect(host.state.height).toBe(1);
    expect(host.block(1)!.ids).toEqual(all.map(({ id }) => id));
  });

  test("orders trade, blocks are chained by their hashes, and the kept blocks replay to the same venue", async () => {
    const { host, clients } = openTestHost();
    const [alice, bob] = clients as [TestClient, TestClient];
    expect((await host.submitSystem("oracleUpdate", oraclePrice("50000"))).accepted).toBe(true);
    await submit(host, alice.order("sell", "0.5", "50000"));
    const bid = bob.order("buy", "0.2", "50000");
    await submit(host, bid);
    const { block, receipt } = host.transaction(bid.id) as { block: BlockEntry; receipt: BlockEntry["receipts"][0] };
    const kinds = readEvents(block.events, receipt.eventsFrom, receipt.eventsTo).map(({ kind }) => kind);
    expect(kinds).toContain("fill");
    expect(block.height).toBe(3);
    for (const height of [2, 3]) expect(host.block(height)!.parentHash).toBe(host.block(height - 1)!.hash);
    expectReplay(host);
  });

  test("a transaction that waits for an earlier nonce makes no block until that nonce comes", async () => {
    const { host, clients } = openTestHost();
    const [first, second] = [clients[0]!.noop(), clients[0]!.noop()];
    await submit(host, second);
    expect(host.state.height).toBe(0);
    expect(host.transaction(second.id)).toMatchObject({ status: "pending", sinceHeight: 0 });
    await submit(host, first);
    expect(host.block(1)!.ids).toEqual([first.id, second.id]);
  });

  test("a policy that holds takers back lets blocks pass meanwhile", async () => {
    const { host, clients } = openTestHost({ policy: delayTakers(2) });
    await host.submitSystem("oracleUpdate", oraclePrice("50000"));
    const order = clients[0]!.order("buy", "0.2", "49000");
    await submit(host, order);
    expect(host.transaction(order.id)).toMatchObject({ status: "committed", block: { height: 4 } });
  });

  test("a block holds no more than it may; the rest goes into the next", async () => {
    const { host, clients } = openTestHost({ blockMost: 3 });
    const all = [0, 1].flatMap((place) => [1, 2].map(() => clients[place]!.noop()));
    await Promise.all(all.map((signed) => submit(host, signed)));
    for (const { id } of all) await host.waitFor(id, 1_000);
    expect([1, 2].map((height) => host.block(height)!.ids.length)).toEqual([3, 1]);
  });

  test("a block holds no more order operations than it may, and a request is answered before the next", async () => {
    const { host, clients } = openTestHost({ operationsMost: 5 });
    await host.submitSystem("oracleUpdate", oraclePrice("50000"));
    const orders = [1, 2].map(() => orderOf("buy", "0.1", "40000"));
    const batches = [0, 1, 2].map((place) => {
      return clients[place]!.sign("placeOrders", { mode: BATCH_MODE.each, orders });
    });
    const heights: number[] = [];
    host.onBlock(() => setImmediate(() => heights.push(host.state.height)));
    for (const batch of batches) void submit(host, batch);
    for (const { id } of batches) await host.waitFor(id, 1_000);
    expect([2, 3].map((height) => host.block(height)!.ids.length)).toEqual([2, 1]);
    expect(heights[0]).toBe(2);
  });

  test("a batch of blocks that order operations bound continues in the next block", async () => {
    const { host, clients } = openTestHost({ operationsMost: 3, blocks: { mode: "batch", size: 2 } });
    const orders = [1, 2].map(() => orderOf("buy", "0.1", "40000"));
    const sign = (place: number) => clients[place]!.sign("placeOrders", { mode: BATCH_MODE.each, orders });
    for (const place of [0, 1, 2]) await submit(host, sign(place));
    for (let height = 0; height < 2; height++) await setTurn();
    expect([1, 2].map((height) => host.block(height)!.ids.length)).toEqual([1, 1]);
    expect(host.pool.size).toBe(1);
  });
});

describe("other ways to make blocks", () => {
  test("manual: a submission waits until a block is requested, which may be empty", async () => {
    const { host, clients } = openTestHost({ blocks: { mode: "manual" } });
    const signed = clients[0]!.noop();
    await submit(host, signed);
    expect(host.transaction(signed.id)).toMatchObject({ status: "pending" });
    expect(await host.mine()).toMatchObject({ height: 1, ids: [signed.id] });
    expect(await host.mine()).toMatchObject({ height: 2, ids: [] });
    expect(await Promise.all([host.mine(), host.mine()])).toMatchObject([{ height: 3 }, { height: 4 }]);
  });

  test("batch: a block is made when its number of transactions can enter it, not counting those that must wait", async () => {
    const { host, clients } = openTestHost({ blocks: { mode: "batch", size: 3 } });
    clients[0]!.noop();
    const all = [clients[0]!.noop(), clients[1]!.noop(), clients[2]!.noop()];
    for (const signed of all) await submit(host, signed);
    expect(host.state.height).toBe(0);
    await submit(host, clients[3]!.noop());
    expect(host.block(1)!.ids).toHaveLength(3);
    expect(host.pool.size).toBe(1);
  });

  test("at an interval: also empty ones, until it is closed", async () => {
    const { host, clients } = openTestHost({ blocks: { mode: "interval", everyMs: 5 } });
    const signed = clients[0]!.noop();
    await submit(host, signed);
    const found = await host.waitFor(signed.id, 5_000);
    expect(found).toMatchObject({ status: "committed" });
    while (host.state.height < 3) await sleep(1);
    await host.close();
    const { height } = host.state;
    await sleep(20);
    expect(host.state.height).toBe(height);
  });

  test("the way can be changed while it runs", async () => {
    const { host, clients } = openTestHost({ blocks: { mode: "manual" } });
    await submit(host, clients[0]!.noop());
    host.blockMode = { mode: "auto" };
    await Promise.resolve();
    expect(host.state.height).toBe(1);
  });
});

describe("a key and its transaction", () => {
  test("the same transaction under the same key, or another, is the first answer again", async () => {
    const { host, clients } = openTestHost();
    const signed = clients[0]!.noop();
    const first = await submit(host, signed);
    expect(await submit(host, signed)).toEqual({ ...first, replayed: true });
    expect(await host.submit(signed, "another-key-of-this-one")).toEqual({ ...first, replayed: true });
    expect(host.state.height).toBe(1);
  });

  test("two at the same time are one", async () => {
    const { host, clients } = openTestHost();
    const signed = clients[0]!.noop();
    const answers = await Promise.all([submit(host, signed), submit(host, signed)]);
    expect(answers).toMatchObject([
      { accepted: true, replayed: false },
      { accepted: true, replayed: true },
    ]);
    expect(host.block(1)!.ids).toEqual([signed.id]);
  });

  test("another transaction under a key that was used is refused, be it of an accepted, replayed or refused one", async () => {
    const { host, clients } = openTestHost();
    const [alice, bob] = clients as [TestClient, TestClient];
    const signed = alice.noop();
    await submit(host, signed);
    await host.submit(signed, "the-second-key-of-it");
    for (const key of [signed.key, "the-second-key-of-it"]) {
      const other = await host.submit(alice.noop({ nonce: 1 }), key);
      expect(other).toMatchObject({ accepted: false, refusal: { kind: "keyReused", otherId: signed.id } });
    }
    const late = alice.noop({ nonce: 0, clientTxId: "late" });
    expect(await submit(host, late)).toMatchObject({ refusal: { kind: "admission", code: "NONCE_TOO_LOW" } });
    expect(await submit(host, late)).toMatchObject({ refusal: { kind: "admission", code: "NONCE_TOO_LOW" } });
    expect(await host.submit(alice.noop({ nonce: 1 }), late.key)).toMatchObject({
      refusal: { kind: "keyReused", otherId: late.id },
    });
    // A key is its signer's own.
    expect(await host.submit(bob.noop(), signed.key)).toMatchObject({ accepted: true, replayed: false });
  });

  test("a refusal that may end with time does not use up the key", async () => {
    const { host } = openTestHost();
    const stranger = new TestClient(keyOf(99), host.genesis);
    const early = stranger.noop();
    expect(await submit(host, early)).toMatchObject({ refusal: { kind: "admission", code: "ACCOUNT_NOT_FOUND" } });
    await host.submitSystem("faucetMint", mint(stranger.address, "1"));
    expect(await submit(host, early)).toMatchObject({ accepted: true, replayed: false });
  });
});

describe("refused submissions", () => {
  test("an invalid signature; another network or version is reported first", async () => {
    const { host, clients } = openTestHost();
    const signed = clients[0]!.noop();
    const forged = clients[0]!.sign("noop", {}, { nonce: 0 }, keyOf(99));
    expect(await submit(host, forged)).toMatchObject({ refusal: { kind: "signature", reason: "SIGNER_MISMATCH" } });
    const signature = signed.signature.slice();
    signature[64] = 29;
    expect(await submit(host, { ...signed, signature })).toMatchObject({
      id: signed.id,
      refusal: { kind: "signature", reason: "SIGNATURE_V" },
    });
    const elsewhere = clients[0]!.sign("noop", {}, { network: "elsewhere", nonce: 0 }, keyOf(99));
    expect(await submit(host, elsewhere)).toMatchObject({ refusal: { kind: "admission", code: "WRONG_NETWORK" } });
    // None of these has used up the nonce, the id or the key.
    expect(await submit(host, signed)).toMatchObject({ accepted: true, replayed: false });
  });

  test("a nonce that is pending, unless the transaction replaces it", async () => {
    const { host, clients } = openTestHost({ blocks: { mode: "manual" } });
    const [first, clash] = [clients[0]!.noop(), clients[0]!.noop({ nonce: 0, clientTxId: "clash" })];
    await submit(host, first);
    expect(await submit(host, clash)).toMatchObject({
      refusal: { kind: "pool", code: "NONCE_PENDING", pending: first.id },
    });
    const next = clients[0]!.noop({ nonce: 0, replaces: first.id });
    const waiting = host.waitFor(first.id, 5_000);
    expect(await submit(host, next)).toMatchObject({ accepted: true });
    await host.mine();
    expect(await waiting).toMatchObject({ status: "replaced", replacedBy: next.id });
    expect(host.transaction(next.id)).toMatchObject({ status: "committed" });
  });

  test("more transactions than the pool holds", async () => {
    const { host, clients } = openTestHost({ blocks: { mode: "manual" }, pool: { most: 1 } });
    await submit(host, clients[0]!.noop());
    expect(await submit(host, clients[1]!.noop())).toMatchObject({ refusal: { kind: "pool", code: "POOL_FULL" } });
  });

  test("everything, once it is closed", async () => {
    const { host, clients } = openTestHost();
    const last = submit(host, clients[0]!.noop());
    await host.close();
    expect(await last).toMatchObject({ accepted: true });
    expect(host.failure).toBe("the host is closed");
    expect(await submit(host, clients[0]!.noop())).toMatchObject({
      refusal: { kind: "unavailable", maybeSubmitted: false },
    });
    await expect(host.mine()).rejects.toMatchObject({ name: "HostError", code: "HOST_STOPPED" });
  });
});

describe("the outcome of an accepted transaction", () => {
  test("it expires, and a waiting client is informed", async () => {
    const { host, clients } = openTestHost({ blocks: { mode: "manual" } });
    clients[0]!.noop();
    const gap = clients[0]!.noop({ validUntil: 2 });
    await submit(host, gap);
    const waiting = host.waitFor(gap.id, 5_000);
    await host.mine();
    expect(host.transaction(gap.id)).toMatchObject({ status: "pending" });
    await host.mine();
    expect(await waiting).toMatchObject({ status: "expired", atHeight: 2, reason: "EXPIRED" });
    expect(await submit(host, gap)).toMatchObject({ accepted: true, replayed: true });
  });

  test("a waiting client gets the known state after its time, and no state of an unknown one at once", async () => {
    const { host, clients } = openTestHost({ blocks: { mode: "manual" } });
    const signed = clients[0]!.noop();
    expect(await host.waitFor(signed.id, 5_000)).toBeUndefined();
    await submit(host, signed);
    expect(await host.waitFor(signed.id, 1)).toMatchObject({ status: "pending" });
  });

  test("one that another of its block makes inadmissible keeps waiting, or is dropped with the reason", async () => {
    const { host, clients } = openTestHost({ blocks: { mode: "manual" } });
    const [owner] = clients as [TestClient];
    const agent = keyOf(50);
    const grant = owner.sign("grantAuthorization", grantTo(new TestClient(agent, host.genesis).address, host), {
      nonceDomain: "admin",
    });
    await submit(host, grant);
    await host.mine();
    expect(host.transaction(grant.id)).toMatchObject({ receipt: { status: "applied" } });
    const { address: signer } = new TestClient(agent, host.genesis);
    const byAgent = [0, 1].map((nonce) => owner.sign("noop", {}, { signer, authorization: grant.id, nonce }, agent));
    for (const signed of byAgent) expect(await submit(host, signed)).toMatchObject({ accepted: true });
    await submit(
      host,
      owner.sign(
        "revokeAuthorization",
        { authorization: grant.id, cancelOrders: false },
        {
          nonceDomain: "admin",
        },
      ),
    );
    await host.mine();
    for (const { id } of byAgent) {
      expect(host.transaction(id)).toMatchObject({ status: "dropped", reason: "AUTHORIZATION_REVOKED" });
    }
  });
});
