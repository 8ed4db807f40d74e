import { expect, expectTypeOf, test } from "vitest";
import { isVenueError } from "../../../src/client/sdk/errors.ts";
import { privateKeyToAccount } from "../../../src/client/sdk/index.ts";
import { ZERO_BYTES32 } from "../../../src/protocol/transaction.ts";
import { alice, bob, keyOf, openVenue } from "./helpers/liveVenue.ts";

// Goal: the client and the venue's own service understand each other, from the first status to the last fill.
// Method: the service in this process, over the same texts as on the wire.

const bid = { market: "BTC-PERP", side: "buy", size: "0.5", price: "59900" } as const;

test("two clients trade, and each reads its outcome", async () => {
  const { clientOf } = await openVenue();
  const [maker, taker] = [clientOf(alice), clientOf(bob)];
  const rest = await (await maker.placeOrder({ ...bid, clientOrderId: "mine" })).wait();
  expect(rest.status).toBe("applied");
  const book = await taker.getMarketBook({ market: "BTC-PERP", depth: 5 });
  expect(book.data.bids).toEqual([["59900", "0.5", 1]]);
  expectTypeOf(book.data.seq).toEqualTypeOf<number>();

  const hit = await (await taker.placeOrder({ ...bid, side: "sell", timeInForce: "IOC", size: "0.2" })).wait();
  expect(hit.status).toBe("applied");
  const positions = await taker.listPositions({ address: bob.address });
  expect(positions.data.map(({ market, size }) => [market, size])).toEqual([["BTC-PERP", "-0.2"]]);
  const orders = await maker.listOrders({ address: alice.address });
  expect(orders.data).toMatchObject([{ clientOrderId: "mine", remaining: "0.3", status: "partiallyFilled" }]);
  expect(orders.asOf.height).toBe(positions.asOf.height);
});

test("a trade that the venue's rules reject is an outcome with its numbers, and the lane continues", async () => {
  const { clientOf } = await openVenue();
  const client = clientOf(alice);
  const outcome = await (await client.placeOrder({ ...bid, size: "90" })).wait();
  expect(outcome).toMatchObject({ status: "rejected", code: "INSUFFICIENT_MARGIN" });
  expect((await (await client.placeOrder(bid)).wait()).status).toBe("applied");
});

test("many submissions at a time take nonces in order, and all of them commit", async () => {
  const { clientOf } = await openVenue();
  const client = clientOf(alice);
  const sent = await Promise.all(
    Array.from({ length: 40 }, (_, place) => client.placeOrder({ ...bid, price: String(50_000 + place) })),
  );
  expect(sent.map(({ nonce }) => nonce)).toEqual(Array.from({ length: 40 }, (_, place) => place));
  const outcomes = await Promise.all(sent.map((submission) => submission.wait()));
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["applied"]));
  const seen: string[] = [];
  for await (const order of client.each("listOrders", { address: alice.address, limit: 7 })) seen.push(order.price!);
  expect(seen.sort()).toEqual(Array.from({ length: 40 }, (_, place) => String(50_000 + place)));
});

test("an unknown account is reported at submission, and its nonce stays free", async () => {
  const { clientOf, host } = await openVenue();
  const stranger = privateKeyToAccount(keyOf(99));
  const client = clientOf(stranger);
  const first = await client.placeOrder(bid);
  const error = await first.wait().catch((error: unknown) => error);
  expect(isVenueError(error, "TRANSACTION_REJECTED") && error.reason).toBe("ACCOUNT_NOT_FOUND");
  const claim = await client.claimFaucet({ amount: "5000" });
  expect(claim).toMatchObject({ address: stranger.address, simulated: true });
  await host.waitFor(claim.txId as `0x${string}`, 1_000);
  const second = await client.placeOrder({ ...bid, size: "0.01" });
  expect(second.nonce).toBe(first.nonce);
  expect((await second.wait()).status).toBe("applied");
});

test("an agent acts within its grant until the grant is revoked", async () => {
  const { clientOf } = await openVenue();
  const owner = clientOf(alice);
  const key = privateKeyToAccount(keyOf(21));
  const { authorization, submission } = await owner.grantAgent({
    agent: key.address,
    scopes: ["trade", "cancel"],
    markets: ["BTC-PERP"],
    maxOrderNotional: "40000",
    expiresAtMs: Date.now() + 3_600_000,
  });
  expect((await submission.wait()).status).toBe("applied");
  const agent = owner.forAgent(key, authorization);
  expect((await (await agent.placeOrder({ ...bid, clientOrderId: "a1" })).wait()).status).toBe("applied");
  const tooLarge = await (await agent.placeOrder({ ...bid, size: "1" })).wait();
  expect(tooLarge).toMatchObject({ status: "rejected", code: "AUTHORIZATION_ORDER_LIMIT" });
  await expect(agent.setLeverage({ market: "BTC-PERP", leverage: 2 })).rejects.toMatchObject({
    code: "PREFLIGHT_FAILED",
    details: { failures: [{ code: "AUTHORIZATION_SCOPE" }] },
  });
  await expect(agent.withdraw({ amount: "1" } as never)).rejects.toMatchObject({ code: "PREFLIGHT_FAILED" });

  expect((await (await owner.revokeAgent(authorization, { cancelOrders: true })).wait()).status).toBe("applied");
  await expect(agent.placeOrder(bid)).rejects.toMatchObject({
    details: { failures: [{ code: "AUTHORIZATION_NOT_ACTIVE" }] },
  });
  expect((await owner.listOrders({ address: alice.address })).data).toEqual([]);
});

test("a session lets an account read its own resources, and no other's", async () => {
  const { clientOf } = await openVenue({ service: { accountReads: "session" } });
  const client = clientOf(alice);
  const read = () => client.listBalances({ address: alice.address });
  await expect(read()).rejects.toMatchObject({ code: "SESSION_REQUIRED" });
  const session = await client.signIn();
  expect(session.address).toBe(alice.address);
  expect((await read()).data[0]!.collateral).toBe("100000");
  await expect(client.listBalances({ address: bob.address })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  await client.signOut();
  await expect(read()).rejects.toMatchObject({ code: "SESSION_REQUIRED" });
});

test("an order before the session has its outcome after it, and does not hold up the next order", async () => {
  const { clientOf } = await openVenue({ service: { accountReads: "session" } });
  const client = clientOf(alice);
  const early = await client.placeOrder(bid);
  const error = (await early.wait().catch((error: unknown) => error)) as Error;
  expect(error).toMatchObject({ code: "OUTCOME_UNKNOWN", cause: { code: "SESSION_REQUIRED" } });
  expect(error.message).toContain("call signIn()");
  await client.signIn();
  expect((await (await client.placeOrder(bid)).wait()).status).toBe("applied");
  expect((await client.listOrders({ address: alice.address })).data).toHaveLength(2);
});

test("a transaction that waits can be replaced under its nonce", async () => {
  const { clientOf, host } = await openVenue({ blocks: { mode: "manual" } });
  const client = clientOf(alice);
  const first = await client.placeOrder(bid);
  await first.accepted;
  const second = await client.placeOrder({ ...bid, size: "0.1" }, { replaces: first });
  await second.accepted;
  expect(second.nonce).toBe(first.nonce);
  await host.mine();
  expect((await first.wait()).status).toBe("replaced");
  expect((await second.wait()).status).toBe("applied");
  expect((await (await mined(client.placeOrder(bid), host)).wait()).status).toBe("applied");
});

test("a transaction that lapses in the pool is reported as expired", async () => {
  const { clientOf, host } = await openVenue({ blocks: { mode: "manual" } });
  const client = clientOf(alice);
  // A nonce of the future waits for the one before it, which never comes.
  const nothing = { txId: ZERO_BYTES32, nonce: 1 };
  const waits = await client.placeOrder(bid, { replaces: nothing, validUntil: host.state.height + 2 });
  await waits.accepted;
  await host.mine();
  await host.mine();
  expect(await waits.wait()).toMatchObject({ status: "expired", confirmation: { status: "expired" } });
  const next = await mined(client.placeOrder(bid), host);
  expect([next.nonce, (await next.wait()).status]).toEqual([0, "applied"]);
});

test("a reverted chain is noticed before the next signature", async () => {
  const { clientOf, host } = await openVenue();
  const client = clientOf(alice, { statusMaxAgeMs: 0 });
  const height = host.checkpoint();
  expect((await (await client.placeOrder(bid)).wait()).status).toBe("applied");
  await host.revert(height);
  await expect(client.placeOrder(bid)).rejects.toMatchObject({ code: "NETWORK_CHANGED", details: { field: "epoch" } });
});

async function mined<T>(sending: Promise<T & { accepted: Promise<void> }>, host: { mine(): Promise<unknown> }) {
  const sent = await sending;
  await sent.accepted;
  await host.mine();
  return sent;
}
