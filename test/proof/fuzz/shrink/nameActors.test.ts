import { expect, test } from "vitest";
import { carriedOf } from "../../../../src/proof/fuzz/shrink/carried.ts";
import { createLine } from "../../../../src/proof/fuzz/shrink/createLine.ts";
import { nameActors } from "../../../../src/proof/fuzz/shrink/nameActors.ts";
import type { TransactionLine } from "../../../../src/proof/fuzz/shrink/script.ts";
import { AccountKey } from "../../../../src/protocol/accountKey.ts";
import type { ActionName } from "../../../../src/protocol/actions/index.ts";
import { decodePayload, encodePayload } from "../../../../src/protocol/codec.ts";
import type { Address } from "../../../../src/protocol/fields.ts";
import { createGenesis, DEVELOPMENT_AUTHORITIES } from "../../../../src/protocol/genesis.ts";
import { ZERO_ADDRESS } from "../../../../src/protocol/transaction.ts";
import { addressOfName } from "../../../../src/venue/simulation/accountNames.ts";

const person = (digit: number): Address => `0x${String(digit).repeat(40)}`;
const genesis = createGenesis({
  markets: ["M0", "M1"].map((name) => ({ name, preset: "minimal", parameters: {} })),
  accounts: [1000, 0, 2000].map((subaccount, at) => ({
    address: person(1 + at),
    subaccount,
    role: "normal",
    balance: "5",
  })),
});
const nameLines = (...lines: readonly TransactionLine[]) => nameActors({ genesis, lines }).all;

function payloadOf(action: ActionName, json: object, account = new AccountKey(person(1), 1000)): object {
  const payload = decodePayload(action, json as never);
  const [line] = nameLines(createLine({ number: 1, action, account, payload })).lines as TransactionLine[];
  return encodePayload(action, line!.payload as never);
}

const GRANT = {
  agent: person(9),
  label: "",
  scopes: "*",
  maxOrderNotional: "*",
  maxPositionNotional: "*",
  maxDailyNotional: "*",
  maxOpenOrders: "*",
  validFrom: 0,
  expiresAt: 5,
};

test("every account has a readable name, and all names differ", () => {
  const { accounts, markets } = nameLines().genesis;
  expect(accounts.map(({ address }) => address)).toEqual(["alice", "bob", "carol"].map(addressOfName));
  expect(accounts.map(({ subaccount }) => subaccount)).toEqual([1, 0, 2]);
  expect(markets.map(({ name }) => name)).toEqual(["BTC-PERP", "ETH-PERP"]);
});

test("shortened subaccount numbers stay distinct", () => {
  const named = nameLines(
    createLine({ number: 1, action: "noop", account: new AccountKey(person(1), 1), payload: {} }),
    createLine({ number: 2, action: "noop", account: new AccountKey(person(1), 3001), payload: {} }),
  );
  const numbers = [
    ...named.genesis.accounts.map(({ subaccount }) => subaccount),
    ...(named.lines as TransactionLine[]).map(({ account }) => account.subaccount),
  ];
  expect(numbers).toEqual([2, 0, 3, 1, 4]);
});

test("a grant covers the same markets and subaccounts under their new names, and all where it covers all", () => {
  expect(payloadOf("grantAuthorization", { ...GRANT, markets: "M1 M0", subaccounts: "0 1000" })).toMatchObject({
    markets: "ETH-PERP BTC-PERP",
    subaccounts: "0 1",
  });
  // Text that is not a subaccount number covers nothing.
  for (const words of ["*", "", "4294967296"]) {
    const covered = { markets: words, subaccounts: words };
    expect(payloadOf("grantAuthorization", { ...GRANT, ...covered })).toMatchObject(covered);
  }
});

test("an empty address stays empty", () => {
  const set = { what: "price", account: ZERO_ADDRESS, subaccount: 0, amount: "", market: "M1", price: "5" };
  expect(payloadOf("devnetSet", set)).toEqual({ ...set, market: "ETH-PERP" });
});

test("a carried transaction uses the same names", () => {
  const inner = encodePayload("transfer", decodePayload("transfer", { to: person(2), toSubaccount: 0, amount: "1" }));
  const bytes = Buffer.from(JSON.stringify(inner)).toString("hex");
  const json = { account: person(3), subaccount: 2000, action: "transfer", payload: `0x${bytes}` };
  const named = payloadOf("devnetImpersonate", json, new AccountKey(DEVELOPMENT_AUTHORITIES.operator, 0));
  expect(named).toMatchObject({ account: addressOfName("carol"), subaccount: 2 });
  const carried = carriedOf("devnetImpersonate", decodePayload("devnetImpersonate", named as never));
  expect(carried?.payload).toMatchObject({ to: addressOfName("bob") });
});

test("authorities get their keys of a scenario, and an invalid market name does not change", () => {
  const authorities = { oracle: person(5), faucet: person(6), operator: person(7) };
  const payload = { market: "no name", preset: "minimal", parameters: [] };
  const account = new AccountKey(person(7), 0);
  const line = createLine({ number: 1, action: "createMarket", account, payload });
  const { all } = nameActors({ genesis: { ...genesis, authorities }, lines: [line] });
  expect(all.genesis.authorities).toEqual(DEVELOPMENT_AUTHORITIES);
  expect(all.lines[0]).toMatchObject({ signer: DEVELOPMENT_AUTHORITIES.operator, payload: { market: "no name" } });
});
