import { expect, test } from "vitest";
import type { Amount } from "../../src/ground/math/fixed.ts";
import { AccountKey } from "../../src/protocol/accountKey.ts";
import { ACTION_NAMES, actions } from "../../src/protocol/actions/index.ts";
import { decodeTransaction, encodeTransaction, withVerdict } from "../../src/protocol/codec.ts";
import { createTransaction } from "../../src/protocol/createTransaction.ts";

const account = new AccountKey(`0x${"12".repeat(20)}`, 5);
const payload = { amount: 1 as Amount };

test("fields that are left out have their defaults, and the result is valid on the wire", () => {
  const made = createTransaction({ action: "withdraw", account, nonce: 3, payload, validFrom: 40 });
  expect(made.header).toMatchObject({
    network: "perplab",
    signer: account.address,
    nonceDomain: "funds",
    nonce: 3,
    validFrom: 40,
    validUntil: 1240,
  });
  expect(made.verdict).toBe(true);
  const signed = decodeTransaction(encodeTransaction({ transaction: made, signature: new Uint8Array(65) }));
  expect(withVerdict(signed.transaction, true)).toEqual(made);
});

test("given fields are used", () => {
  const given = {
    network: "other",
    signer: `0x${"34".repeat(20)}`,
    authorization: `0x${"56".repeat(32)}`,
    nonceDomain: "admin",
    validFrom: 1,
    validUntil: 2,
    replaces: `0x${"78".repeat(32)}`,
    clientTxId: "mine",
  } as const;
  const made = createTransaction({ action: "withdraw", account, nonce: 3, payload, verdict: false, ...given });
  expect(made.header).toMatchObject(given);
  expect(made.verdict).toBe(false);
});

test("every action counts in the lane that its descriptor names, and a noop in any", () => {
  for (const action of ACTION_NAMES) {
    const { header, code } = createTransaction({ action, account, nonce: 1, payload: {} as never });
    const { domain } = actions[action];
    expect(header.nonceDomain).toBe(domain === "any" ? "trading" : domain);
    expect(ACTION_NAMES[code]).toBe(action);
  }
});
