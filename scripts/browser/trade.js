// A page trades with another client over HTTP, follows the book by WebSocket and opens a session.
import { createVenueClient, http, privateKeyToAccount, storageOutbox, webSocket } from "../../src/client/sdk/index.ts";
import { runPage } from "./runPage.js";

await runPage(async ({ ws, base, key, other: otherKey }, see) => {
  const transport = webSocket(ws, { baseUrl: base });
  const account = privateKeyToAccount(key);
  const client = createVenueClient({ transport, account, outbox: storageOutbox(localStorage) });
  const followed = client.followBook({ market: "BTC-PERP" });
  await followed.ready();
  const bid = await client.placeOrder({ market: "BTC-PERP", side: "buy", size: "0.1", price: "50000" });
  see((await bid.wait()).status);
  see((await client.listOrders({ address: account.address })).data[0].price);
  while (followed.book.bids.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  see(followed.book.bids[0].slice(0, 2).join(" "));
  const other = privateKeyToAccount(otherKey);
  const taker = createVenueClient({ transport: http(base), account: other });
  const hit = { market: "BTC-PERP", side: "sell", size: "0.04", price: "50000", timeInForce: "IOC" };
  see((await (await taker.placeOrder(hit)).wait()).status);
  while (followed.book.bids[0]?.[1] !== "0.06") await new Promise((resolve) => setTimeout(resolve, 20));
  see((await taker.listPositions({ address: other.address })).data[0].size);
  await client.signIn();
  see("signed in");
});
