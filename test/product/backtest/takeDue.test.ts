import { expect, test } from "vitest";
import { addressFromKey } from "../../../src/client/signing/sign.ts";
import type { DueTransaction } from "../../../src/product/backtest/outbox.ts";
import { listKeys, STRATEGIES } from "../../../src/product/backtest/participants.ts";
import { takeDue } from "../../../src/product/backtest/takeDue.ts";
import { HOUSE } from "../../../src/product/replay/house.ts";
import { createTransaction } from "../../../src/protocol/createTransaction.ts";

const source = (name: string, ...times: number[]) => ({
  take: (): DueTransaction[] =>
    times.map((dueMs, at) => ({
      dueMs,
      transaction: createTransaction({
        action: "cancelAll",
        account: HOUSE,
        nonce: at,
        payload: { market: "", intents: false },
        clientTxId: `${name}${at}`,
      }),
    })),
});

const idsOf = (transactions: readonly { readonly header: { readonly clientTxId: string } }[]) =>
  transactions.map(({ header }) => header.clientTxId);

test("transactions come by the time from which a block could carry them, then by source, then as they were sent", () => {
  const { transactions, places } = takeDue([source("a", 5, 7, 7), source("b", 3, 7), source("c")], 1, 10, 4);
  expect(idsOf(transactions)).toEqual(["b0", "a0", "a1", "a2", "b1"]);
  expect(places).toEqual([[5, 6, 7], [4, 8], []]);
});

test("one source keeps its order", () => {
  const { transactions, places } = takeDue([source("a", 1, 1)], 1, 10, 2);
  expect(idsOf(transactions)).toEqual(["a0", "a1"]);
  expect(places).toEqual([[2, 3]]);
});

test("each account of a strategy is that of its key", () => {
  const keys = listKeys(STRATEGIES.length);
  expect(keys).toHaveLength(4 + STRATEGIES.length);
  expect(STRATEGIES.map(({ address }) => address)).toEqual(keys.slice(4).map((key) => addressFromKey(key)));
});
