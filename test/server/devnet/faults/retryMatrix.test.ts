import { expect, test } from "vitest";
import { type FaultRequest, REQUEST_FAULTS, type RequestFault } from "../../../../src/client/api/schemas/faults.ts";
import { isVenueError } from "../../../../src/client/sdk/errors.ts";
import { createVenueClient, http, inProcess, privateKeyToAccount } from "../../../../src/client/sdk/index.ts";
import { createDevnet } from "../../../../src/server/devnet/createDevnet.ts";
import { FakeClock } from "../../../client/sdk/helpers/fakeVenue.ts";

// Goal: every row of the retry matrix against every fault, with the real client and the real venue: whatever goes wrong
// on the way, a transaction commits once. Method: each fault, and each pair, strikes the first attempts to submit;
// blocks show what committed.

const order = { market: "BTC-PERP", side: "buy", orderType: "limit", size: "0.01", price: "59000" } as const;

async function open(rules: readonly FaultRequest[]) {
  const devnet = await createDevnet({ sleep: async () => {} });
  for (const rule of rules) devnet.faults.add(rule);
  const account = privateKeyToAccount(devnet.accounts[0]!.privateKey);
  const client = createVenueClient({ transport: inProcess(devnet), account, clock: new FakeClock() });
  return { devnet, client };
}

/** Ids of the transactions of an account that are in blocks, each as often as it is there. */
function committedOf({ host }: Awaited<ReturnType<typeof createDevnet>>): string[] {
  const ids: string[] = [];
  for (let height = 2; height <= host.state.height; height++) ids.push(...host.block(height)!.ids);
  return ids;
}

const strike = (kind: RequestFault, skip = 0): FaultRequest => ({
  kind,
  operation: "submitTransaction",
  times: 1,
  skip,
  ...(kind === "latency" || kind === "late" ? { ms: 50 } : {}),
});

test.each(REQUEST_FAULTS)("a submission under %s commits once", async (kind) => {
  const { devnet, client } = await open([strike(kind)]);
  const submission = await client.placeOrder(order);
  expect(await submission.wait()).toMatchObject({ status: "applied", txId: submission.txId });
  expect(committedOf(devnet)).toEqual([submission.txId]);
  expect(devnet.faults.list()).toMatchObject([{ struck: 1 }]);
  expect(await client.core.outbox.list()).toEqual([]);
});

test.each(REQUEST_FAULTS.flatMap((first) => REQUEST_FAULTS.map((second) => [first, second] as const)))(
  "a submission under %s and then %s commits once",
  async (first, second) => {
    const { devnet, client } = await open([strike(first), strike(second, 1)]);
    const submissions = [await client.placeOrder(order), await client.placeOrder(order)];
    for (const submission of submissions) expect((await submission.wait()).status).toBe("applied");
    expect(committedOf(devnet).sort()).toEqual(submissions.map(({ txId }) => txId).sort());
    expect(devnet.faults.list()).toMatchObject([{ struck: 1 }, { struck: 1 }]);
  },
);

test.each(REQUEST_FAULTS)("the question for the outcome survives %s", async (kind) => {
  const { devnet, client } = await open([{ ...strike(kind), operation: "getConfirmation", times: 2 }]);
  const submission = await client.placeOrder(order);
  expect((await submission.wait()).status).toBe("applied");
  expect(committedOf(devnet)).toEqual([submission.txId]);
});

test("if half of all requests fail, every order still commits once", async () => {
  const kinds = ["reset", "lost", "unavailableAfter", "unavailableMaybe", "gateway", "limited"] as const;
  const { devnet, client } = await open(kinds.map((kind, seed) => ({ kind, probability: 0.1, seed })));
  const submissions = [];
  for (let count = 0; count < 40; count++) {
    for (;;) {
      // Reads before the first signature may fail for good; nothing was signed then.
      const submission = await client.placeOrder(order).catch((error: unknown) => error as Error);
      if (submission instanceof Error) continue;
      submissions.push(submission);
      break;
    }
  }
  for (const submission of submissions) {
    const outcome = await submission.wait();
    expect(outcome.status).toBe("applied");
  }
  expect(committedOf(devnet).sort()).toEqual(submissions.map(({ txId }) => txId).sort());
  for (const { struck } of devnet.faults.list()) expect(struck).toBeGreaterThan(0);
});

test.each(["reset", "lost", "late", "gateway"] as const)(
  "over the network, a submission under %s commits once",
  async (kind) => {
    const devnet = await createDevnet();
    const { url } = await devnet.listen();
    devnet.faults.add({ ...strike(kind), ...(kind === "late" ? { ms: 600 } : {}) });
    const account = privateKeyToAccount(devnet.accounts[1]!.privateKey);
    const transport = http(url, { timeoutMs: kind === "late" ? 300 : 10_000 });
    const client = createVenueClient({ transport, account });
    const submission = await client.placeOrder(order);
    expect((await submission.wait()).status).toBe("applied");
    expect(committedOf(devnet)).toEqual([submission.txId]);
    await devnet.close();
  },
);

test("a transaction that the venue refuses is not sent again, whatever else fails", async () => {
  const { devnet, client } = await open([strike("lost", 1)]);
  const refused = await client.placeOrder({ ...order, size: "90" });
  expect(await refused.wait()).toMatchObject({ status: "rejected", code: "INSUFFICIENT_MARGIN" });
  const met = () => devnet.faults.list()[0]!.met;
  expect(met()).toBe(1);
  const stranger = createVenueClient({
    transport: inProcess(devnet),
    account: privateKeyToAccount(`0x${"77".repeat(32)}`),
    clock: new FakeClock(),
  });
  const error = await (await stranger.placeOrder(order)).wait().catch((thrown: unknown) => thrown);
  expect(isVenueError(error, "TRANSACTION_REJECTED")).toBe(true);
});
