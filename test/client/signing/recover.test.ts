import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { recoverAddress } from "viem";
import { describe, expect, test } from "vitest";
import { BACKENDS, BackendMissingError, type BackendName, loadBackend } from "../../../src/client/signing/backends.ts";
import { loadKeccak } from "../../../src/client/signing/keccak.ts";
import {
  createRecovery,
  findSignatureFault,
  isAddress,
  SIGNATURE_FAULTS,
} from "../../../src/client/signing/recover.ts";
import { accountFromKey, addressFromKey, signDigest } from "../../../src/client/signing/sign.ts";
import { bytesOfHex, formatHex } from "../../../src/protocol/codecHex.ts";
import { plainKeccak } from "../../../src/protocol/typedDataDigest.ts";

const { n: ORDER } = secp256k1.Point.CURVE();
const { p: PRIME } = secp256k1.Point.CURVE();

async function loadAll() {
  const loaded = [];
  for (const name of BACKENDS) {
    try {
      loaded.push(await loadBackend(name));
    } catch (error) {
      if (!(error instanceof BackendMissingError) || name !== "native") throw error;
      console.log("skipped: the native binding has no build for this machine");
    }
  }
  return loaded;
}

const backends = await loadAll();
const compiled = await loadKeccak();
const recoveries = backends.map((backend) => createRecovery(backend, compiled));

const word = (value: bigint) => bytesOfHex(`0x${value.toString(16).padStart(64, "0")}`);
const numberOf = (bytes: Uint8Array) => BigInt(formatHex(bytes));
const signatureOf = (r: bigint, s: bigint, v: number) => Uint8Array.of(...word(r), ...word(s), v);

/** What all backends say, which must be one thing. */
function recoverByAll(digest: Uint8Array, signature: Uint8Array) {
  const [first, ...others] = recoveries.map((recovery) => recovery.recoverSigner(digest, signature));
  for (const other of others) expect(other).toBe(first);
  return first!;
}

const arbitraryKey = fc.bigInt({ min: 1n, max: ORDER - 1n }).map(word);
const arbitraryDigest = fc.uint8Array({ minLength: 32, maxLength: 32 });

test("the two hashes are one, for every length", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 700 }), (bytes) => {
      expect(compiled(bytes)).toEqual(plainKeccak(bytes));
    }),
  );
});

test("every backend and viem recover the same signer from a signature", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryKey, arbitraryDigest, async (key, digest) => {
      const signature = signDigest(digest, key);
      expect(findSignatureFault(signature)).toBeUndefined();
      const signer = addressFromKey(key);
      expect(recoverByAll(digest, signature)).toBe(signer);
      expect((await recoverAddress({ hash: digest, signature })).toLowerCase()).toBe(signer);
      expect(signDigest(digest, formatHex(key))).toEqual(signature);
    }),
    { numRuns: 40 },
  );
});

describe("hostile signatures", () => {
  const digest = word(0x1234567890abcdefn << 100n);
  const key = word(42n);
  const good = signDigest(digest, key);
  const r = numberOf(good.subarray(0, 32));
  const s = numberOf(good.subarray(32, 64));
  const v = good[64]!;
  const half = ORDER >> 1n;

  test("the other form of a good one, with high s, is refused and not silently turned", () => {
    expect(recoverByAll(digest, good)).toBe(addressFromKey(key));
    expect(recoverByAll(digest, signatureOf(r, ORDER - s, 55 - v))).toBe("SIGNATURE_HIGH_S");
  });

  test("half the order is the greatest s", () => {
    expect(isAddress(recoverByAll(digest, signatureOf(r, half, 27)))).toBe(true);
    expect(recoverByAll(digest, signatureOf(r, half + 1n, 27))).toBe("SIGNATURE_HIGH_S");
    expect(recoverByAll(digest, signatureOf(r, ORDER - 1n, 27))).toBe("SIGNATURE_HIGH_S");
  });

  test.each([
    ["r of 0", 0n, s],
    ["s of 0", r, 0n],
    ["r of n", ORDER, s],
    ["s of n", r, ORDER],
    ["r of n + 1", ORDER + 1n, s],
    ["r of p", PRIME, s],
    ["r of p - 1", PRIME - 1n, s],
    ["greatest r", (1n << 256n) - 1n, s],
    ["greatest s", r, (1n << 256n) - 1n],
    ["both 0", 0n, 0n],
  ])("%s is out of range", (_name, r, s) => {
    for (const v of [27, 28]) expect(recoverByAll(digest, signatureOf(r, s, v))).toBe("SIGNATURE_RANGE");
  });

  test("every last byte but 27 and 28 is refused", () => {
    for (let byte = 0; byte < 256; byte++) {
      const fault = findSignatureFault(signatureOf(r, s, byte));
      expect(fault, String(byte)).toBe(byte === 27 || byte === 28 ? undefined : "SIGNATURE_V");
    }
  });

  test("every length but 65 is refused, the short form of 64 bytes included", () => {
    for (let size = 0; size <= 130; size++) {
      if (size === 65) continue;
      const other = new Uint8Array(size);
      other.set(good.subarray(0, Math.min(size, 65)));
      expect(recoverByAll(digest, other)).toBe("SIGNATURE_LENGTH");
    }
  });

  test("an r that is no x coordinate of the curve gives no signer", () => {
    let found = 0;
    for (let x = 1n; found < 10; x++) {
      try {
        secp256k1.Point.fromHex(`02${x.toString(16).padStart(64, "0")}`);
      } catch {
        found++;
        for (const v of [27, 28]) expect(recoverByAll(digest, signatureOf(x, s, v))).toBe("SIGNATURE_UNRECOVERABLE");
      }
    }
  });

  // With R = k G, r its x coordinate and s = e / k, the recovered key (s R - e G) / r is the point at infinity.
  test("a signature whose key would be the point at infinity gives no signer", () => {
    const { Fn } = secp256k1.Point;
    for (let k = 2n; k < 12n; k++) {
      const point = secp256k1.Point.BASE.multiply(k).toAffine();
      const exact = Fn.mul(Fn.create(numberOf(digest)), Fn.inv(k));
      const isHigh = exact > half;
      const odd = (point.y & 1n) === 1n;
      const signature = signatureOf(point.x, isHigh ? ORDER - exact : exact, odd !== isHigh ? 28 : 27);
      expect(findSignatureFault(signature)).toBeUndefined();
      expect(recoverByAll(digest, signature)).toBe("SIGNATURE_UNRECOVERABLE");
    }
  });

  test("digests of 0 and of n and more are recovered alike", () => {
    for (const value of [0n, 1n, ORDER - 1n, ORDER, ORDER + 1n, (1n << 256n) - 1n]) {
      const signature = signDigest(word(value), key);
      expect(recoverByAll(word(value), signature)).toBe(addressFromKey(key));
    }
  });

  // Goal: no bytes on which backends differ. Method: random bytes nearly always fail in one way, so half of the cases
  // start from a good signature and damage one byte of it or of the digest.
  test("garbage is answered alike by all backends", () => {
    const seen = new Map<string, number>();
    const garbage = fc.record({ digest: arbitraryDigest, signature: fc.uint8Array({ minLength: 63, maxLength: 66 }) });
    const damaged = fc
      .record({ key: arbitraryKey, digest: arbitraryDigest, at: fc.nat(64), byte: fc.nat(255) })
      .map(({ key, digest, at, byte }) => {
        const signature = signDigest(digest, key);
        signature[at] = byte;
        return { digest, signature };
      });
    fc.assert(
      fc.property(fc.oneof(garbage, damaged), ({ digest, signature }) => {
        const answer = recoverByAll(digest, signature);
        const kind = isAddress(answer) ? "address" : answer;
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }),
      { numRuns: 300 },
    );
    for (const kind of ["address", "SIGNATURE_LENGTH", "SIGNATURE_V", "SIGNATURE_UNRECOVERABLE"]) {
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(5);
    }
  });
});

test("backends are named, can be chosen, and the first that loads is taken", async () => {
  expect(recoveries.map(({ backend }) => backend)).toEqual(backends.map(({ name }) => name));
  expect((await loadBackend()).name).toBe(backends[0]!.name);
  expect((await loadBackend("auto")).name).toBe(backends[0]!.name);
  for (const { name } of backends) expect((await loadBackend(name)).name).toBe(name);
});

test("an unknown backend is an error; no other backend replaces it", async () => {
  await expect(loadBackend("quick" as BackendName)).rejects.toThrow(
    expect.objectContaining({ code: "BACKEND_MISSING", backend: "quick" }),
  );
});

test("where a backend does not load, the next is taken, and a chosen one is never replaced", async () => {
  const missing = () => {
    throw new Error("not built for this machine");
  };
  const js = await loadBackend("js");
  const wasm = await loadBackend("wasm");
  const loaders = { native: missing, wasm: async () => wasm, js: () => js };
  expect((await loadBackend("auto", loaders)).name).toBe("wasm");
  expect((await loadBackend("auto", { ...loaders, wasm: async () => missing() })).name).toBe("js");
  await expect(loadBackend("native", loaders)).rejects.toThrow(
    expect.objectContaining({
      code: "BACKEND_MISSING",
      backend: "native",
      cause: new Error("not built for this machine"),
    }),
  );
  await expect(loadBackend("auto", { native: missing, wasm: missing, js: missing })).rejects.toThrow(
    expect.objectContaining({ code: "BACKEND_MISSING" }),
  );
});

test("invalid keys are refused without showing them", () => {
  for (const key of [word(0n), word(ORDER), new Uint8Array(31), new Uint8Array(33).fill(1)]) {
    expect(() => addressFromKey(key)).toThrow(RangeError);
    expect(() => signDigest(word(1n), key)).toThrow(/^not a private key: 32 bytes, from 1 to n - 1$/);
  }
});

test("an account is the address of its key with a subaccount", () => {
  const key = word(1n);
  // Address of the private key 1, as published elsewhere.
  expect(addressFromKey(key)).toBe("0x7e5f4552091a69125d5dfcb7b8c2659029395bdf");
  expect(accountFromKey(key, 7)).toMatchObject({ address: addressFromKey(key), subaccount: 7 });
});

test("every fault has its name once", () => {
  expect(new Set(SIGNATURE_FAULTS).size).toBe(SIGNATURE_FAULTS.length);
});
