import { expect, test } from "vitest";
import { findUnbound } from "../../../src/invariants/admission/signatureBindsFields.ts";
import { ZERO_BYTES32 } from "../../../src/protocol/transaction.ts";
import { createDigester } from "../../../src/protocol/typedDataDigest.ts";
import { CLIENT_KEYS, TestClient, testGenesis } from "../../helpers/host.ts";

test.each([0, 1, 2 ** 53 - 1, 2 ** 53, 1e17])("a digest binds an amount of %d", (amount) => {
  const { transaction } = new TestClient(CLIENT_KEYS[0]!, testGenesis).sign("withdraw", { amount } as never);
  expect(findUnbound(createDigester({ chainId: 1, genesisHash: ZERO_BYTES32 }), transaction)).toBeUndefined();
});
