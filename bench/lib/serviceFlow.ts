/**
 * Signed orders for the benches of the service: pairs that meet, so that every second one fills. Signed before anything
 * is timed.
 */

import { addressFromKey, type PrivateKey, signTransaction } from "../../src/client/signing/sign.ts";
import type { PriceE8, SizeE8 } from "../../src/ground/math/fixed.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import type { Payloads } from "../../src/protocol/actions/index.ts";
import { decodePayload, type Signed } from "../../src/protocol/codec.ts";
import { createTransaction } from "../../src/protocol/createTransaction.ts";
import type { Bytes32 } from "../../src/protocol/fields.ts";
import type { Genesis } from "../../src/protocol/genesis.ts";
import { PLAIN_ORDER } from "../../src/protocol/plainOrder.ts";
import type { Transaction } from "../../src/protocol/transaction.ts";
import type { Digester } from "../../src/protocol/typedDataDigest.ts";
import { SIDE } from "../../src/protocol/words.ts";
import { developmentGenesis } from "../../src/server/host/development.ts";

const CLIENTS = 64;
const keys: readonly PrivateKey[] = Array.from(
  { length: CLIENTS },
  (_, place): PrivateKey => `0x${(0xbe0c00 + place).toString(16).padStart(64, "0")}`,
);

export const benchGenesis: Genesis = developmentGenesis({
  timeMs: 1_700_000_000_000,
  validityMax: 1_000_000,
  accounts: keys.map((key) => ({
    address: addressFromKey(key),
    subaccount: 0,
    role: "normal",
    balance: "1000000000",
  })),
});

const accounts = keys.map((key) => new AccountKey(addressFromKey(key), 0));

export const oraclePayload = (price: string): Payloads["oracleUpdate"] =>
  decodePayload("oracleUpdate", {
    market: "BTC-PERP",
    price,
    sources: [],
    mark: "",
    fundingRate: "",
    settleFunding: false,
  });

const payloads = [SIDE.sell, SIDE.buy].map((side): Payloads["placeOrder"] => ({
  ...PLAIN_ORDER,
  market: "BTC-PERP",
  side,
  size: 1e6 as SizeE8,
  price: 50_000e8 as PriceE8,
}));

/** The orders from one place of the flow to another: clients in turn, the first half of them sells. */
export function* orders(from: number, to: number): Generator<{ client: number; transaction: Transaction }> {
  for (let place = from; place < to; place++) {
    const side = place % 2;
    const pair = Math.floor(place / 2);
    const client = (pair % (CLIENTS / 2)) * 2 + side;
    const nonce = Math.floor(pair / (CLIENTS / 2));
    const transaction = createTransaction({
      action: "placeOrder",
      network: benchGenesis.network,
      account: accounts[client]!,
      nonce,
      payload: payloads[side]!,
      validUntil: 1_000_000,
      verdict: false,
    });
    yield { client, transaction };
  }
}

export function signOrders(
  from: number,
  to: number,
  digester: Digester,
): { signed: Signed; key: string; id: Bytes32 }[] {
  return [...orders(from, to)].map(({ client, transaction }) => {
    const id = digester.digestOf(transaction);
    return { signed: signTransaction(transaction, keys[client]!, digester), key: id.slice(2), id };
  });
}

/** As many orders of each account from one place to another, whose nonces no other account uses. */
export function signOrdersOf(
  from: number,
  to: number,
  each: number,
  digester: Digester,
): { signed: Signed; key: string }[] {
  const signed: { signed: Signed; key: string }[] = [];
  for (const { client, transaction } of orders(0, each * CLIENTS)) {
    if (client < from || client >= to) continue;
    const id = digester.digestOf(transaction);
    signed.push({ signed: signTransaction(transaction, keys[client]!, digester), key: id.slice(2) });
  }
  return signed;
}
