/** Clients of a host in tests: they have keys, sign, and count their nonces. */

import { addressFromKey, type PrivateKey, signTransaction } from "../../src/client/signing/sign.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import type { ActionName, Payloads } from "../../src/protocol/actions/index.ts";
import type { Signed } from "../../src/protocol/codec.ts";
import { decodePayload } from "../../src/protocol/codec.ts";
import { createTransaction, type TransactionInit } from "../../src/protocol/createTransaction.ts";
import type { Address, Bytes32 } from "../../src/protocol/fields.ts";
import type { Genesis } from "../../src/protocol/genesis.ts";
import { createDigester, type Digester } from "../../src/protocol/typedDataDigest.ts";
import { createHost } from "../../src/server/host/createHost.ts";
import { DEVELOPMENT_AUTHORITY_KEYS, developmentGenesis } from "../../src/server/host/development.ts";
import type { Submitted, VenueHost } from "../../src/server/host/host.ts";
import type { HostOptions } from "../../src/server/host/options.ts";
import type { RunningHost } from "../../src/server/host/runningHost.ts";
import { signingDomainOf } from "../../src/venue/simulation/signatures.ts";
import { LIMIT_ORDER } from "./words.ts";

export const keyOf = (number: number): PrivateKey => `0x${(0xc0ffee00 + number).toString(16).padStart(64, "0")}`;

/** Four funded clients. */
export const CLIENT_KEYS = [1, 2, 3, 4].map(keyOf);

export const testGenesis: Genesis = developmentGenesis({
  timeMs: 1_700_000_000_000,
  accounts: CLIENT_KEYS.map((key) => ({
    address: addressFromKey(key),
    subaccount: 0,
    role: "normal",
    balance: "1000000",
  })),
});

export class TestClient {
  readonly address: Address;
  readonly account: AccountKey;
  readonly key: PrivateKey;
  readonly digester: Digester;
  readonly network: string;
  readonly #nonces = new Map<string, number>();

  constructor(key: PrivateKey, genesis: Genesis) {
    this.key = key;
    this.address = addressFromKey(key);
    this.account = new AccountKey(this.address, 0);
    this.digester = createDigester(signingDomainOf(genesis));
    this.network = genesis.network;
  }

  /** Signs under the next nonce of its lane, unless the header says another. */
  sign<A extends ActionName>(
    action: A,
    payload: Payloads[A],
    header: Partial<TransactionInit<A>> = {},
    key = this.key,
  ): Signed & { readonly id: Bytes32; readonly key: string } {
    const lane = header.nonceDomain ?? "trading";
    const next = this.#nonces.get(lane) ?? 0;
    if (header.nonce === undefined) this.#nonces.set(lane, next + 1);
    const { network, account } = this;
    const transaction = createTransaction({
      action,
      payload,
      network,
      account,
      nonce: next,
      ...header,
      verdict: false,
    });
    const id = this.digester.digestOf(transaction);
    return { ...signTransaction(transaction, key, this.digester), id, key: id.slice(2) };
  }

  /** Burns a nonce: the cheapest transaction there is. */
  noop(header: Partial<TransactionInit<"noop">> = {}) {
    return this.sign("noop", {}, header);
  }

  order(side: "buy" | "sell", size: string, price: string, header: Partial<TransactionInit<"placeOrder">> = {}) {
    return this.sign("placeOrder", orderOf(side, size, price), header);
  }
}

export function orderOf(side: "buy" | "sell", size: string, price: string): Payloads["placeOrder"] {
  return decodePayload("placeOrder", { ...LIMIT_ORDER, side, size, price });
}

export const oraclePrice = (price: string) =>
  decodePayload("oracleUpdate", {
    market: "BTC-PERP",
    price,
    sources: [],
    mark: "",
    fundingRate: "",
    settleFunding: false,
  });

export const submit = (host: VenueHost, signed: Signed & { readonly key: string }): Promise<Submitted> =>
  host.submit(signed, signed.key);

export const STEP = { kind: "step", stepMs: 1000 } as const;

/** A host in memory, with clients. */
export function openTestHost(options: Partial<HostOptions> = {}): { host: RunningHost; clients: TestClient[] } {
  const genesis = options.genesis ?? testGenesis;
  const host = createHost({ time: STEP, authorityKeys: DEVELOPMENT_AUTHORITY_KEYS, ...options, genesis });
  return { host, clients: CLIENT_KEYS.map((key) => new TestClient(key, genesis)) };
}
