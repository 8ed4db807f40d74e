import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createVenueClient,
  inProcess,
  isVenueError,
  privateKeyToAccount,
  type VenueClient,
} from "../../../src/client/sdk/index.ts";
import { createDevnet, type Devnet } from "../../../src/server/devnet/index.ts";

let devnet: Devnet;
let alice: VenueClient;
let bob: VenueClient;

beforeAll(async () => {
  devnet = await createDevnet();
  [alice, bob] = devnet.accounts.map(({ privateKey }) =>
    createVenueClient({ transport: inProcess(devnet), account: privateKeyToAccount(privateKey) }),
  ) as [VenueClient, VenueClient];
});
afterAll(() => devnet.close());

describe("wait() returns the outcome of an order", () => {
  const order = { market: "BTC-PERP", size: "0.25" } as const;
  const round = async () =>
    String(Math.round(Number((await alice.getMarketPrices({ market: "BTC-PERP" })).data.index.value)));

  test("its id, its status and what it filled", async () => {
    const price = await round();
    const ask = await (await alice.placeOrder({ ...order, side: "sell", price })).wait();
    if (ask.status !== "applied") throw new Error(ask.status);
    expect(ask.order).toMatchObject({ status: "resting", filled: "0", code: null, numbers: null });
    const bid = await (await bob.placeOrder({ ...order, size: "0.1", side: "buy", price, timeInForce: "IOC" })).wait();
    if (bid.status !== "applied") throw new Error(bid.status);
    expect(bid.order).toMatchObject({ status: "filled", filled: "0.1" });
    expect(bid.orders).toEqual([bid.order]);
    const { data } = await alice.listReceipts({ txId: ask.txId });
    expect(data[0]?.results).toEqual(ask.orders);
    const gone = await (await alice.cancelOrder({ orderId: `${ask.order?.orderId}` })).wait();
    expect(gone).toMatchObject({ status: "applied" });
  });

  test("each leg of a batch, and the numbers of one that was rejected", async () => {
    const price = String(Number(await round()) - 100);
    const batch = await alice.placeOrders({
      mode: "each",
      orders: [
        { ...order, side: "buy", price },
        { ...order, side: "buy", price, size: "900" },
      ],
    });
    const outcome = await batch.wait();
    if (outcome.status !== "applied") throw new Error(outcome.status);
    expect(outcome.orders).toMatchObject([
      { status: "resting", filled: "0" },
      { status: "rejected", filled: "0", code: expect.any(String), numbers: expect.any(Object) },
    ]);
    expect(outcome.order).toBe(outcome.orders[0]);
  });

  test("a rejection with its numbers, and an action without an order", async () => {
    const price = await round();
    const refused = await (await alice.placeOrder({ ...order, side: "sell", price, size: "900" })).wait();
    if (refused.status !== "rejected") throw new Error(refused.status);
    const { data } = await alice.listReceipts({ txId: refused.txId });
    expect([refused.code, refused.numbers]).toEqual([data[0]?.code, data[0]?.numbers]);
    expect(Object.keys(refused.numbers).length).toBeGreaterThan(0);
    const leverage = await (await alice.setLeverage({ market: "BTC-PERP", leverage: 3 })).wait();
    expect(leverage).toMatchObject({ status: "applied", order: undefined, orders: [] });
  });
});

describe("a missing argument of a call is named", () => {
  test("previewAction without body, by the client and by the venue", async () => {
    const address = alice.account!.address;
    await expect(alice.previewAction({ address } as never)).rejects.toThrow(
      "previewAction needs body: { action, payload }",
    );
    await expect(alice.previewAction({ body: {} } as never)).rejects.toThrow("previewAction needs address");
    const error = await alice.previewAction({ address, body: {} } as never).catch((thrown: unknown) => thrown);
    if (!isVenueError(error)) throw error;
    expect(error.problem.errors?.map(({ pointer }) => pointer)).toEqual(["body.action", "body.payload"]);
    const answer = await devnet.endpoint.request({ method: "POST", path: `/api/v1/accounts/${address}/preview` });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.body)).toMatchObject({
      code: "MALFORMED_REQUEST",
      detail: "The body is missing; send a JSON object with action, payload.",
      errors: [{ pointer: "body" }, { pointer: "body.action" }, { pointer: "body.payload" }],
    });
  });

  test("fields that a preview leaves out are absent", async () => {
    const address = alice.account!.address;
    const body = {
      action: "placeOrder",
      payload: { market: "BTC-PERP", side: "buy", size: "0.1", price: "50000" },
    } as const;
    expect((await alice.previewAction({ address, body })).data).toMatchObject({
      status: "applied",
      results: [{ status: "resting", filled: "0" }],
    });
    const error = await alice
      .previewAction({ address, body: { ...body, payload: { size: "0.1" } } })
      .catch((thrown: unknown) => thrown);
    expect(isVenueError(error) && error.problem.detail).toContain("market");
  });

  test("a path without its id", async () => {
    await expect(alice.getTransaction({} as never)).rejects.toThrow("getTransaction needs txId");
  });
});
