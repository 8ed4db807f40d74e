import fc from "fast-check";
import { expect, test } from "vitest";
import { plainDigest } from "../../../../src/proof/invariants/admission/plainDigest.ts";
import { findUnbound } from "../../../../src/proof/invariants/admission/signatureBindsFields.ts";
import { ACTION_NAMES } from "../../../../src/protocol/actions/index.ts";
import { type Transaction, ZERO_BYTES32 } from "../../../../src/protocol/transaction.ts";
import { createDigester } from "../../../../src/protocol/typedDataDigest.ts";
import { arbitraryDomain, arbitraryTransaction } from "../../../helpers/arbitraries.ts";
import { CLIENT_KEYS, TestClient, testGenesis } from "../../../helpers/host.ts";

test.each([0, 1, 2 ** 53 - 1, 2 ** 53, 1e17])("a digest binds an amount of %d", (amount) => {
  const { transaction } = new TestClient(CLIENT_KEYS[0]!, testGenesis).sign("withdraw", { amount } as never);
  expect(findUnbound(createDigester({ chainId: 1, genesisHash: ZERO_BYTES32 }), transaction)).toBeUndefined();
});

// Goal: the plain encoder is the standard, for every action. Method: compare the fast encoder, which viem checks
// elsewhere.
test.each(ACTION_NAMES)("%s has the id that the plain encoder gives it", (action) => {
  fc.assert(
    fc.property(arbitraryTransaction(action), arbitraryDomain, (transaction, domain) => {
      expect(plainDigest(transaction, domain)).toBe(createDigester(domain).digestOf(transaction));
    }),
    { numRuns: 15 },
  );
});

test("a writer that drops a zero after the decimal point is found", () => {
  const { transaction } = new TestClient(CLIENT_KEYS[0]!, testGenesis).sign("withdraw", { amount: 500_000 } as never);
  const digester = createDigester({ chainId: 1, genesisHash: ZERO_BYTES32 });
  const digestOf = (given: Transaction) => {
    let { amount } = given.payload as { amount: number };
    while (amount % 10 === 0 && amount !== 0) amount /= 10;
    return digester.digestOf({ ...given, payload: { amount } } as never);
  };
  expect(findUnbound({ digestOf }, transaction)).toBe("withdraw.amount");
});
