// A page ends between writing an order into its outbox and sending it; loaded again, it finds the order and sends it.
import { createVenueClient, http, indexedDbOutbox, privateKeyToAccount } from "../../src/client/sdk/index.ts";
import { runPage } from "./runPage.js";

await runPage(async ({ base, key }, see) => {
  const account = privateKeyToAccount(key);
  const outbox = indexedDbOutbox(indexedDB);
  const transport = http(base);
  const left = await outbox.list();
  if (left.length === 0) {
    const isSending = (request) => request.method === "POST";
    const request = (one) => (isSending(one) ? new Promise(() => {}) : transport.request(one));
    const client = createVenueClient({ transport: { ...transport, request }, account, outbox });
    void client.placeOrder({ market: "BTC-PERP", side: "buy", size: "0.3", price: "49000" });
    while ((await outbox.list()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    return "again";
  }
  see(left.length);
  const client = createVenueClient({ transport, account, outbox });
  see((await client.listOrders({ address: account.address })).data.length);
  for (const open of await client.recover()) see((await open.wait()).status);
  see((await client.listOrders({ address: account.address })).data[0].size);
  while ((await outbox.list()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  see("empty");
});
