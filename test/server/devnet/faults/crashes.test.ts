import { expect, test } from "vitest";
import type { FaultRequest } from "../../../../src/client/api/schemas/faults.ts";
import { FAULT_POINTS } from "../../../../src/client/api/schemas/faults.ts";
import { createVenueClient, http, privateKeyToAccount } from "../../../../src/client/sdk/index.ts";
import { DEVELOPMENT_ACCOUNTS } from "../../../../src/server/devnet/accounts.ts";
import { createFolder } from "../../../helpers/project.ts";
import { serveProcess } from "../../../helpers/servedProcess.ts";

// Goal: whatever happens to the venue's process or its disk while a client submits, what it submitted commits once.
// Method: a venue in its own process has a fault that crashes it at a point of its store, or makes its disk fail. It
// ends for real, is started again at the same address, and the client, which is not informed, continues.

const order = { market: "BTC-PERP", side: "buy", orderType: "limit", size: "0.01", price: "59000" } as const;
/** Of a state that is written, which is at the end of an orderly stop. */
const AT_STOP = ["beforeSnapshotRename", "afterSnapshot"] as const;
const IN_TURN = FAULT_POINTS.filter((point) => !(AT_STOP as readonly string[]).includes(point));

const VENUE_STOPPED = 1;
const faults: readonly (FaultRequest & { readonly end: "SIGKILL" | number })[] = [
  ...IN_TURN.map((point) => ({ kind: "crash" as const, point, end: "SIGKILL" as const })),
  { kind: "diskFull", file: "log", end: VENUE_STOPPED },
  { kind: "syncFailure", file: "log", end: VENUE_STOPPED },
];

test.each(faults)(
  "a submission commits once although the venue ends or stops by $kind $point in the middle of it",
  async ({ end, ...rule }) => {
    const folder = createFolder();
    const venue = await serveProcess(folder);
    const account = privateKeyToAccount(DEVELOPMENT_ACCOUNTS[0]!.privateKey);
    const client = createVenueClient({ transport: http(venue.url), account, retry: { baseMs: 50, mostMs: 300 } });
    const first = await client.placeOrder(order);
    expect((await first.wait()).status).toBe("applied");
    await venue.control("/faults", { ...rule, times: 1 });
    const submission = await client.placeOrder(order);
    const outcome = submission.wait();
    if (end === VENUE_STOPPED) {
      const statusOf = async (path: string) => (await fetch(`${venue.url}${path}`)).status;
      while ((await statusOf("/health/ready")) === 200) await new Promise((resolve) => setTimeout(resolve, 20));
      // It takes nothing more, and reads are answered until it is stopped.
      for (const path of ["/status", "/blocks/latest", "/blocks/1/events", `/accounts/${account.address}/orders`]) {
        expect([path, await statusOf(`/api/v1${path}`)]).toEqual([path, 200]);
      }
      expect(await statusOf(`/api/v1/transactions/${submission.txId}`)).toBeLessThan(500);
      venue.kill("SIGTERM");
    }
    expect(await venue.ended).toBe(end);
    const again = await serveProcess(folder, venue.port);
    expect(await outcome).toMatchObject({ status: "applied", txId: submission.txId });
    const orders = await fetch(`${again.url}/api/v1/accounts/${account.address}/orders`);
    expect(((await orders.json()) as { data: unknown[] }).data).toHaveLength(2);
    again.kill("SIGTERM");
    expect(await again.ended).toBe(0);
  },
);

test.each(AT_STOP)("a venue that crashes at %s while it stops begins again where it was", async (point) => {
  const folder = createFolder();
  const venue = await serveProcess(folder);
  await venue.control("/mine", { blocks: 5 });
  const status = async (url: string) => (await (await fetch(`${url}/api/v1/status`)).json()) as never;
  const { data: before } = (await status(venue.url)) as { data: { head: object } };
  await venue.control("/faults", { kind: "crash", point, times: 1 });
  venue.kill("SIGTERM");
  expect(await venue.ended).toBe("SIGKILL");
  const again = await serveProcess(folder);
  const { data: after } = (await status(again.url)) as { data: { head: object } };
  expect(after.head).toEqual(before.head);
  again.kill("SIGTERM");
  expect(await again.ended).toBe(0);
});
