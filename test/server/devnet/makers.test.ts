import { expect, test } from "vitest";
import { createDevnet, type Devnet } from "../../../src/server/devnet/createDevnet.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const bookOf = async (devnet: Devnet, market = "BTC-PERP") =>
  sidesOf(await devnet.endpoint.request({ method: "GET", path: `/api/v1/markets/${market}/book?depth=50` }));
function sidesOf({ body }: { readonly body: string }) {
  const { bids, asks } = JSON.parse(body).data as { bids: [string, string][]; asks: [string, string][] };
  return { bids, asks };
}

async function open(seed = 1, count = 2): Promise<Devnet> {
  const devnet = await createDevnet({ networkSalt: "makers", makers: { count, seed } });
  await settled();
  return devnet;
}

test("makers quote both sides of every market around the index, and then stop changing quotes", async () => {
  const devnet = await open();
  for (const [market, index] of [
    ["BTC-PERP", 60_000],
    ["ETH-PERP", 3_000],
    ["SOL-PERP", 150],
  ] as const) {
    const { bids, asks } = await bookOf(devnet, market);
    expect(Math.min(bids.length, asks.length), market).toBeGreaterThan(0);
    expect(Number(bids[0]![0])).toBeLessThan(Number(asks[0]![0]));
    expect(Math.abs(Number(bids[0]![0]) / index - 1)).toBeLessThan(0.02);
  }
  const { height } = devnet.host.state;
  await settled();
  expect(devnet.host.state.height).toBe(height);
});

test("quotes follow the index and the trades", async () => {
  const devnet = await open();
  const before = await bookOf(devnet);
  await devnet.setPrice("BTC-PERP", "50000");
  await settled();
  const after = await bookOf(devnet);
  expect(Number(after.asks[0]![0])).toBeLessThan(Number(before.bids.at(-1)![0]));
  await devnet.impersonate({ account: devnet.accounts[0]!.address }, "placeOrder", {
    ...{ market: "BTC-PERP", side: "buy", orderType: "limit", size: "0.1", price: "60000", timeInForce: "IOC" },
  });
  await settled();
  const traded = await bookOf(devnet);
  expect(traded.asks.reduce((sum, [, size]) => sum + Number(size), 0)).toBeCloseTo(
    after.asks.reduce((sum, [, size]) => sum + Number(size), 0),
    6,
  );
});

test("the same seed gives the same quotes, another seed others, and a revert starts from scratch", async () => {
  const [first, same, other] = [await open(7), await open(7), await open(8)];
  expect(await bookOf(first)).toEqual(await bookOf(same));
  expect(first.host.block(first.host.state.height)!.hash).toBe(same.host.block(same.host.state.height)!.hash);
  expect(await bookOf(first)).not.toEqual(await bookOf(other));
  const quoted = await bookOf(first);
  const { name } = first.snapshot();
  await first.setPrice("BTC-PERP", "50000");
  await settled();
  await first.revert(name);
  expect(await bookOf(first)).toEqual(quoted);
  await first.setPrice("BTC-PERP", "55000");
  await settled();
  expect(Number((await bookOf(first)).asks[0]![0])).toBeLessThan(56_000);
});

// Goal: a client that sets a price reads it back, and trades at the new quotes: in every mode, through any move, with
// orders of others in the book.
test.each([undefined, { mode: "manual" }, { mode: "batch", size: 50 }] as const)(
  "POST /devnet/prices ends at the price that was set, with the makers' quotes around it (blocks: %o)",
  async (blocks) => {
    const devnet = await createDevnet({ makers: { count: 2, seed: 3 }, ...(blocks === undefined ? {} : { blocks }) });
    await devnet.mine({ blocks: 2 });
    const read = async () => {
      const { body } = await devnet.endpoint.request({ method: "GET", path: "/api/v1/markets/BTC-PERP/prices" });
      const { mark, index, oracle } = JSON.parse(body).data;
      return [mark, index, oracle].map((price: { value: string }) => price.value);
    };
    for (const price of ["20000", "90000", "60000", "60001"]) {
      const answer = await devnet.endpoint.request({
        method: "POST",
        path: "/devnet/prices",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ market: "BTC-PERP", price }),
      });
      expect(JSON.parse(answer.body).data).toMatchObject({ status: "committed", height: devnet.host.state.height });
      expect(await read()).toEqual([price, price, price]);
      const book = await bookOf(devnet);
      for (const [quote] of [...book.bids, ...book.asks]) {
        expect(Math.abs(Number(quote) / Number(price) - 1), `quote ${quote} at ${price}`).toBeLessThan(0.01);
      }
      expect(book.bids.length).toBeGreaterThan(3);
      // Nothing is left to do: later blocks change neither.
      await devnet.mine({ blocks: 3 });
      expect(await read()).toEqual([price, price, price]);
      expect(await bookOf(devnet)).toEqual(book);
    }
  },
);

test("a liquidation after a set price trades with the new quotes, never with the old ones", async () => {
  const devnet = await open(3);
  const [alice] = devnet.accounts;
  await devnet.setCollateral({ account: alice!.address }, "10000");
  await devnet.setPosition({ account: alice!.address }, "BTC-PERP", "1");
  await devnet.setPrice("BTC-PERP", "50500");
  const from = devnet.host.state.height;
  await devnet.mine({ blocks: 5 });
  const { body } = await devnet.endpoint.request({
    method: "GET",
    path: `/api/v1/accounts/${alice!.address}/fills`,
  });
  const fills = (JSON.parse(body).data as { price: string; height: number }[]).filter(({ height }) => height > from);
  expect(fills.length).toBeGreaterThan(0);
  for (const { price } of fills) expect(Number(price)).toBeLessThan(51_000);
});

test("a price that the venue refuses leaves the quotes where they were", async () => {
  const devnet = await open(3);
  const before = await bookOf(devnet);
  await expect(devnet.setPrice("BTC-PERP", "89999999")).rejects.toMatchObject({ code: "TRANSACTION_REJECTED" });
  await devnet.mine({ blocks: 2 });
  expect((await bookOf(devnet)).bids).toEqual(before.bids);
});
