/** What a flooding client sends, by kind; and the signed orders of one group of the accounts of `benchGenesis`. */
import type { Signed } from "../../src/protocol/codec.ts";
import { encodeTransaction } from "../../src/protocol/codec.ts";
import type { Digester } from "../../src/protocol/typedDataDigest.ts";
import { signOrdersOf } from "./serviceFlow.ts";
import { maskedText, postRequest } from "./wireClient.ts";

export const FLOODS = ["valid", "invalid", "largeBodies", "slowBodies", "messages"] as const;
export type FloodName = (typeof FLOODS)[number];

/** Accounts of the flooding client; the others are those of the client that is measured. */
export const FLOODING = 62;
const PATH = "/api/v1/transactions";

const requestOf = (signed: Signed, key: string): Buffer =>
  postRequest(PATH, JSON.stringify(encodeTransaction(signed)), `idempotency-key: ${key}\r\n`);

/** Signed orders as requests, each valid. */
export function validRequests(from: number, to: number, pairs: number, digester: Digester): Buffer[] {
  return signOrdersOf(from, to, pairs, digester).map(({ signed, key }) => requestOf(signed, key));
}

/** The same orders, each with the signature of the one before: it costs a recovery, and is of another address. */
export function invalidRequests(pairs: number, digester: Digester): Buffer[] {
  const all = signOrdersOf(0, FLOODING, pairs, digester);
  return all.map(({ signed, key }, place) =>
    requestOf({ ...signed, signature: all.at(place - 1)!.signed.signature }, key),
  );
}

/** A body of the longest length that is read in full and fails at its last order only. */
export function largeRequest(): Buffer {
  const order = { market: "BTC-PERP", side: "buy", orderType: "limit", size: "0.01", price: "50000" };
  const orders = Array.from({ length: 600 }, () => order);
  const body = JSON.stringify({ action: "placeOrders", payload: { mode: "each", orders } });
  return postRequest(PATH, body.padEnd(65_536), "idempotency-key: large\r\n");
}

/** The head of a request whose body comes a byte at a time. */
export const SLOW_HEAD = Buffer.from(
  `POST ${PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 60000\r\n\r\n`,
  "latin1",
);

/** Messages that open and close a stream, in one write: each opening is answered with a snapshot. */
export function messages(count: number): Buffer {
  const opened = { op: "subscribe", id: 1, channel: "book", market: "BTC-PERP" };
  const closed = { op: "unsubscribe", id: 2, stream: "book/BTC-PERP/50" };
  return Buffer.concat(
    Array.from({ length: count }, (_, place) => maskedText(JSON.stringify(place % 2 === 0 ? opened : closed))),
  );
}
