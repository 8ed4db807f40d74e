import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BACKENDS, type BackendName } from "../../../src/client/signing/backends.ts";
import { accountFromKey, signTransaction } from "../../../src/client/signing/sign.ts";
import { createVerifierPool, type VerifierPool } from "../../../src/client/signing/verifierPool.ts";
import { createVerifier, describeVerification, verifyTransactions } from "../../../src/client/signing/verify.ts";
import type { ActionName } from "../../../src/protocol/actions/index.ts";
import { decodeTransaction, encodeTransaction, type Signed } from "../../../src/protocol/codec.ts";
import { createTransaction } from "../../../src/protocol/createTransaction.ts";
import type { Bytes32 } from "../../../src/protocol/fields.ts";
import type { Transaction } from "../../../src/protocol/transaction.ts";
import { createDigester, digestOf } from "../../../src/protocol/typedDataDigest.ts";
import { arbitraryTransaction } from "../../helpers/arbitraries.ts";

const domain = { chainId: 31337, genesisHash: `0x${"cd".repeat(32)}` } as const;
const keys = Array.from({ length: 4 }, (_, index): Bytes32 => `0x${(index + 1).toString(16).padStart(64, "0")}`);
const accounts = keys.map((key) => accountFromKey(key));
const digester = createDigester(domain);

const noop = (who: number, nonce: number) =>
  createTransaction({ action: "noop", account: accounts[who]!, nonce, payload: {} });

/** A transaction of any action, as signed by one of the keys. */
const arbitrarySigned: fc.Arbitrary<Signed<ActionName>> = fc
  .record({ transaction: arbitraryTransaction(), who: fc.nat(keys.length - 1) })
  .map(({ transaction, who }) => {
    const header = { ...transaction.header, account: accounts[who]!, signer: accounts[who]!.address };
    return signTransaction({ ...transaction, header } as Transaction, keys[who]!, digester);
  });

/** Good and bad ones in a fixed mixture, every reason among them. */
function mixture(size: number): Signed[] {
  return Array.from({ length: size }, (_, index) => {
    const signed = signTransaction(noop(index % 4, index), keys[index % 4]!, digester);
    const { transaction } = signed;
    const signature = signed.signature.slice();
    switch (index % 8) {
      case 1:
        return { transaction, signature: signature.subarray(0, 64) };
      case 2:
        signature[64] = 0;
        break;
      case 3:
        signature.fill(0, 0, 32);
        break;
      case 4:
        signature[32] = 0xf0;
        break;
      case 5: // An x that is not on the curve.
        signature.fill(0, 0, 32);
        signature[31] = 5;
        break;
      case 6:
        return { transaction: { ...transaction, header: { ...transaction.header, nonce: 1e6 } }, signature };
    }
    return { transaction, signature };
  });
}

const reasons = [
  undefined,
  "SIGNATURE_LENGTH",
  "SIGNATURE_V",
  "SIGNATURE_RANGE",
  "SIGNATURE_HIGH_S",
  "SIGNATURE_UNRECOVERABLE",
  "SIGNER_MISMATCH",
  undefined,
];

test("a signed transaction is verified, also after JSON encoding and decoding", async () => {
  const verifier = await createVerifier(domain);
  fc.assert(
    fc.property(arbitrarySigned, (signed) => {
      const { signer } = signed.transaction.header;
      const expected = {
        verdict: true,
        reason: undefined,
        digest: digestOf(signed.transaction, domain),
        expected: signer,
        recovered: signer,
      };
      expect(verifier.verify(signed)).toEqual(expected);
      expect(verifier.verify(decodeTransaction(encodeTransaction(signed)))).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test("a signature counts for one chain id and one genesis only", async () => {
  const signed = signTransaction(noop(0, 1), keys[0]!, domain);
  for (const other of [
    { ...domain, chainId: 1 },
    { ...domain, genesisHash: `0x${"ce".repeat(32)}` as const },
  ]) {
    const [finding] = await verifyTransactions([signed], other);
    expect(finding).toMatchObject({ verdict: false, reason: "SIGNER_MISMATCH" });
  }
});

test("an agent signs in its own name, not in that of the account", async () => {
  const { verify } = await createVerifier(domain);
  const acted = createTransaction({
    action: "noop",
    account: accounts[0]!,
    signer: accounts[1]!.address,
    nonce: 1,
    payload: {},
  });
  expect(verify(signTransaction(acted, keys[1]!, domain)).verdict).toBe(true);
  expect(verify(signTransaction(acted, keys[0]!, domain))).toMatchObject({
    verdict: false,
    reason: "SIGNER_MISMATCH",
    expected: accounts[1]!.address,
    recovered: accounts[0]!.address,
    digest: digestOf(acted, domain),
  });
});

test.each(BACKENDS)("every reason is found by %s", async (backend: BackendName) => {
  const { verifyTransactions: verifyAll } = await createVerifier(domain, { backend });
  const findings = verifyAll(mixture(16));
  expect(findings.map(({ reason }) => reason)).toEqual([...reasons, ...reasons]);
  for (const finding of findings) {
    expect(finding.verdict).toBe(finding.reason === undefined);
    const text = describeVerification(finding);
    expect(text).toContain(finding.digest);
    expect(text).toContain(finding.expected);
    if (finding.recovered !== undefined) expect(text).toContain(finding.recovered);
    if (finding.reason !== undefined) expect(text).toContain(finding.reason);
  }
});

describe("a pool", () => {
  const pools: VerifierPool[] = [];
  beforeAll(async () => {
    pools.push(await createVerifierPool({ domain, workers: 1 }));
    pools.push(await createVerifierPool({ domain, workers: 3, chunk: 5, backend: "wasm" }));
  });
  afterAll(() => Promise.all(pools.map((pool) => pool.close())));

  test("finds what one thread finds, in order, whatever the number of threads and the size of chunks", async () => {
    const verifier = await createVerifier(domain);
    const batches = [0, 1, 5, 6, 64].map(mixture);
    for (const pool of pools) {
      // All at once, so that the batches overlap.
      const findings = await Promise.all(batches.map((batch) => pool.verifyTransactions(batch)));
      expect(findings).toEqual(batches.map((batch) => verifier.verifyTransactions(batch)));
    }
  });

  test("verifies every action", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitrarySigned, { minLength: 1, maxLength: 20 }), async (batch) => {
        for (const pool of pools) {
          const findings = await pool.verifyTransactions(batch);
          expect(findings.map(({ verdict }) => verdict)).toEqual(batch.map(() => true));
        }
      }),
      { numRuns: 10 },
    );
  });

  test("fails a batch that cannot be encoded, and continues with the next", async () => {
    const bad = signTransaction(noop(0, 1), keys[0]!, domain);
    const header = { ...bad.transaction.header, network: "x".repeat(65) };
    for (const pool of pools) {
      const unfit = { ...bad, transaction: { ...bad.transaction, header } };
      await expect(pool.verifyTransactions([unfit])).rejects.toThrow(RangeError);
      expect((await pool.verifyTransactions(mixture(1)))[0]!.verdict).toBe(true);
    }
  });
});

test("a closed pool answers with an error, under way and after", async () => {
  const pool = await createVerifierPool({ domain, workers: 1, chunk: 1 });
  expect(pool).toMatchObject({ workers: 1 });
  const running = pool.verifyTransactions(mixture(8));
  const failed = expect(running).rejects.toThrow(expect.objectContaining({ code: "VERIFIER_POOL" }));
  await pool.close();
  await failed;
  await expect(pool.verifyTransactions(mixture(1))).rejects.toThrow(expect.objectContaining({ code: "VERIFIER_POOL" }));
  await pool.close();
});

test("a pool of no threads, and one with a backend that does not exist, are refused", async () => {
  await expect(createVerifierPool({ domain, workers: 0 })).rejects.toThrow(RangeError);
  await expect(createVerifierPool({ domain, chunk: 0.5 })).rejects.toThrow(RangeError);
  await expect(createVerifierPool({ domain, workers: 2, backend: "quick" as BackendName })).rejects.toThrow(
    expect.objectContaining({ code: "BACKEND_MISSING" }),
  );
});
