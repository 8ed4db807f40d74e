import { english, generateMnemonic, mnemonicToAccount } from "viem/accounts";
import { expect, test } from "vitest";
import { formatHex } from "../../src/protocol/codecHex.ts";
import { DEVELOPMENT_ACCOUNTS, DEVELOPMENT_MNEMONIC } from "../../src/server/devnet/accounts.ts";
import { createDevnetGenesis, DEVNET_PRICES, openMarkets } from "../../src/server/devnet/venue.ts";
import { createService } from "../../src/server/face/service.ts";
import { createHost } from "../../src/server/host/createHost.ts";
import { DEVELOPMENT_AUTHORITY_KEYS } from "../../src/server/host/development.ts";

test("the development accounts are those of the mnemonic that every wallet knows", () => {
  const derived = DEVELOPMENT_ACCOUNTS.map((_, addressIndex) => {
    const account = mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex });
    return { address: account.address.toLowerCase(), privateKey: formatHex(account.getHdKey().privateKey!) };
  });
  expect(DEVELOPMENT_ACCOUNTS).toEqual(derived);
  expect(DEVELOPMENT_MNEMONIC).not.toBe(generateMnemonic(english));
});

const open = (genesis = createDevnetGenesis()) => createHost({ genesis, authorityKeys: DEVELOPMENT_AUTHORITY_KEYS });

test("a new devnet has markets with prices and funded accounts, and the same genesis hash every time", async () => {
  const host = open();
  await openMarkets(host, DEVNET_PRICES);
  expect(host.domain.genesisHash).toBe(open().domain.genesisHash);
  const { endpoint } = createService(host);
  const read = async (path: string) =>
    JSON.parse((await endpoint.request({ method: "GET", path: `/api/v1${path}` })).body);
  for (const [market, price] of Object.entries(DEVNET_PRICES)) {
    expect((await read(`/markets/${market}/prices`)).data, market).toMatchObject({ oracle: { value: price } });
  }
  for (const { address } of DEVELOPMENT_ACCOUNTS) {
    expect((await read(`/accounts/${address}/balances`)).data).toMatchObject([{ subaccount: 0, total: "100000" }]);
  }
  // A second start changes nothing.
  await openMarkets(host, DEVNET_PRICES);
  expect(host.state.height).toBe(1);
});

test("prices are there in every block mode", async () => {
  for (const blocks of [{ mode: "manual" }, { mode: "batch", size: 100 }, { mode: "auto" }] as const) {
    const host = createHost({ genesis: createDevnetGenesis(), authorityKeys: DEVELOPMENT_AUTHORITY_KEYS, blocks });
    await openMarkets(host, DEVNET_PRICES);
    expect([host.state.height, host.pool.size]).toEqual([1, 0]);
  }
});

test("a given genesis keeps its accounts in addition to those of development", () => {
  const [first] = DEVELOPMENT_ACCOUNTS;
  const own = { address: first!.address, subaccount: 0, role: "normal", balance: "7" } as const;
  const { accounts, markets } = createDevnetGenesis({
    accounts: 2,
    balance: "5",
    genesis: { accounts: [own], markets: [] },
  });
  expect(accounts.map(({ balance }) => balance)).toEqual(["7", "5"]);
  expect(markets).toEqual([]);
});
