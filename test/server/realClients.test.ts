import { createWalletClient, custom, recoverTypedDataAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { expect, onTestFinished, test } from "vitest";
import { createVenueClient, http } from "../../src/client/sdk/index.ts";
import { ZERO_BYTES32 } from "../../src/protocol/transaction.ts";
import { typedDataOf } from "../../src/protocol/typedData.ts";
import { createDevnet } from "../../src/server/devnet/createDevnet.ts";
import { LIMIT_ORDER } from "../helpers/words.ts";

async function openDevnet() {
  const devnet = await createDevnet();
  onTestFinished(() => devnet.close());
  const { url, restUrl } = await devnet.listen();
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${restUrl}${path}`, init);
    // biome-ignore lint/suspicious/noExplicitAny: a client without the types of this one.
    return { status: response.status, body: (await response.json()) as any };
  };
  return { devnet, url, restUrl, ask };
}

test("two wallets of viem sign by the typed data alone, submit over HTTP, and trade with each other", async () => {
  const { devnet, ask } = await openDevnet();
  const { data: status } = (await ask("/status")).body;
  const { chainId, salt } = status.signingDomain;
  const results: string[] = [];
  for (const [place, side] of (["buy", "sell"] as const).entries()) {
    const account = privateKeyToAccount(devnet.accounts[place]!.privateKey);
    const wallet = createWalletClient({ account, transport: custom({ request: async () => null }) });
    const address = account.address.toLowerCase() as `0x${string}`;
    const { data: nonce } = (
      await ask(`/accounts/${account.address}/nonce?signer=${account.address}&subaccount=0&domain=trading`)
    ).body;
    const transaction = {
      action: "placeOrder",
      header: {
        network: status.network.name,
        protocolVersion: status.versions.protocol[0],
        envelopeVersion: status.versions.envelope[0],
        account: address,
        subaccount: 0,
        signer: address,
        authorization: ZERO_BYTES32,
        nonceDomain: "trading",
        nonce: nonce.pendingNext,
        validFrom: 0,
        validUntil: 1_000,
        replaces: ZERO_BYTES32,
        clientTxId: "",
      },
      payload: { ...LIMIT_ORDER, side, size: "0.25", price: "60000" },
    } as const;
    const data = typedDataOf(transaction, { chainId, genesisHash: salt }) as Parameters<typeof wallet.signTypedData>[0];
    const signature = await wallet.signTypedData(data);
    expect(await recoverTypedDataAddress({ ...data, signature } as never)).toBe(account.address);
    const taken = await ask("/transactions", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": `wallet-${place}-of-viem-1` },
      body: JSON.stringify({ ...transaction, signature }),
    });
    expect(taken.status, JSON.stringify(taken.body)).toBe(202);
    const { data: confirmed } = (await ask(`/transactions/${taken.body.txId}/confirmation?waitMs=5000`)).body;
    results.push(confirmed.status, (await ask(`/accounts/${address}/positions`)).body.data[0]?.size ?? "none");
  }
  expect(results).toEqual(["committed", "none", "committed", "-0.25"]);
  const { data: trades } = (await ask("/markets/BTC-PERP/trades")).body;
  expect(trades).toMatchObject([{ price: "60000", size: "0.25" }]);
});

test("an account of viem trades and opens a session through the client, as it is", async () => {
  const { devnet, url } = await openDevnet();
  const account = privateKeyToAccount(devnet.accounts[2]!.privateKey);
  const client = createVenueClient({ transport: http(url), account: account as never });
  const outcome = await (
    await client.placeOrder({ market: "BTC-PERP", side: "buy", size: "0.1", price: "59000" })
  ).wait();
  expect(outcome.status).toBe("applied");
  expect((await client.signIn()).address).toBe(account.address.toLowerCase());
  const { data: orders } = await client.listOrders({ address: account.address.toLowerCase() });
  expect(orders).toMatchObject([{ price: "59000", size: "0.1", status: "open" }]);
});
