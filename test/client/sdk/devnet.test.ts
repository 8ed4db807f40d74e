import { expect, test } from "vitest";
import {
  createClient,
  createVenueClient,
  devnetActions,
  inProcess,
  privateKeyToAccount,
} from "../../../src/client/sdk/index.ts";
import { createDevnet } from "../../../src/server/devnet/createDevnet.ts";

test("a client controls a development venue: blocks, prices, snapshots", async () => {
  const devnet = await createDevnet({ blocks: { mode: "manual" } });
  const control = createClient({ transport: inProcess(devnet) }).extend(devnetActions());
  const account = privateKeyToAccount(devnet.accounts[0]!.privateKey);
  const client = createVenueClient({ transport: inProcess(devnet), account, statusMaxAgeMs: 0 });
  const { height } = devnet.host.state;

  const snapshot = await control.takeSnapshot({ name: "before" });
  expect(snapshot.data.height).toBe(height);
  const order = await client.placeOrder({ market: "BTC-PERP", side: "buy", size: "0.1", price: "50000" });
  await order.accepted;
  await control.mineBlocks({ blocks: 3 });
  expect(devnet.host.state.height).toBe(height + 3);
  expect((await order.wait()).status).toBe("applied");

  await control.revert({ to: "before" });
  await expect(client.cancelAll({})).rejects.toMatchObject({ code: "NETWORK_CHANGED" });
  client.network.accept();
  expect((await client.listOrders({ address: account.address })).data).toEqual([]);
  await expect(control.revert({ to: "none" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await devnet.close();
});
