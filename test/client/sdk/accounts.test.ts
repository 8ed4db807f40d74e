import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import fc from "fast-check";
import { hashTypedData as hashTypedWithViem, hashMessage as hashWithViem } from "viem";
import { privateKeyToAccount as viemAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import type { Signer } from "../../../src/client/sdk/account/account.ts";
import { toAccount } from "../../../src/client/sdk/account/account.ts";
import { hashTypedData } from "../../../src/client/sdk/account/hashTypedData.ts";
import { hashMessage, privateKeyToAccount } from "../../../src/client/sdk/account/privateKey.ts";
import { type WalletProvider, walletAccount } from "../../../src/client/sdk/account/provider.ts";
import { signFor } from "../../../src/client/sdk/submission/submit.ts";
import type { ActionName } from "../../../src/protocol/actions/index.ts";
import { decodeTransaction, encodeTransaction } from "../../../src/protocol/codec.ts";
import { bytesOfHex, formatHex } from "../../../src/protocol/codecHex.ts";
import type { Bytes32 } from "../../../src/protocol/fields.ts";
import type { SignedTransaction } from "../../../src/protocol/transaction.ts";
import { type TypedData, typedDataOf } from "../../../src/protocol/typedData.ts";
import { createDigester } from "../../../src/protocol/typedDataDigest.ts";
import { projectRoot } from "../../helpers/project.ts";
import { createFake, KEY, order } from "./helpers/fakeClient.ts";

interface VectorFile {
  readonly domain: { readonly chainId: number; readonly salt: Bytes32 };
  readonly vectors: readonly {
    readonly privateKey: Bytes32;
    readonly transaction: SignedTransaction<ActionName>;
    readonly digest: Bytes32;
    readonly txId: Bytes32;
    readonly signature: string;
  }[];
}

const files = globSync("test/vectors/*.json", { cwd: projectRoot }).sort();
const wallets = {
  "a private key": (key: Bytes32): Signer => privateKeyToAccount(key),
  "typed data, signed by a private key": (key: Bytes32): Signer => {
    const { address, signTypedData } = privateKeyToAccount(key);
    return { address, signTypedData };
  },
  "an account of viem": (key: Bytes32): Signer => viemAccount(key),
};

// Goal: the client makes the bytes that every other client makes, with any signer. Method: the golden vectors.
describe.each(Object.entries(wallets))("with %s", (_, make) => {
  test.each(files)("the client reproduces %s", async (file) => {
    const { domain, vectors } = JSON.parse(readFileSync(join(projectRoot, file), "utf8")) as VectorFile;
    const signingDomain = { chainId: domain.chainId, genesisHash: domain.salt };
    const parts = { domain: signingDomain, digester: createDigester(signingDomain) };
    for (const { privateKey, transaction, txId, digest, signature } of vectors) {
      const decoded = decodeTransaction(transaction).transaction;
      const { txId: ours, signed } = await signFor(decoded, toAccount(make(privateKey)), parts);
      expect(ours).toBe(txId);
      expect(encodeTransaction(signed)).toEqual({ ...transaction, signature });
      expect(formatHex(hashTypedData(typedDataOf(transaction, signingDomain)))).toBe(digest);
    }
  });
});

test("typed data and texts hash as an independent library hashes them", () => {
  fc.assert(
    fc.property(fc.string(), (message) => {
      expect(formatHex(hashMessage(message))).toBe(hashWithViem(message));
    }),
  );
  const data: TypedData = {
    domain: { name: "perplab", version: "1", chainId: 1, salt: `0x${"01".repeat(32)}` },
    types: {
      Mail: [
        { name: "to", type: "Person[]" },
        { name: "n", type: "uint64" },
      ],
      Person: [{ name: "a", type: "address" }],
    },
    primaryType: "Mail",
    message: { to: [{ a: `0x${"0a".repeat(20)}` }, { a: `0x${"0b".repeat(20)}` }], n: 7n },
  };
  expect(formatHex(hashTypedData(data))).toBe(hashTypedWithViem(data as Parameters<typeof hashTypedWithViem>[0]));
});

describe("a wallet's signature", () => {
  const signer = privateKeyToAccount(KEY);
  const signing = (change: (signature: Uint8Array) => Uint8Array | string, address = signer.address): Signer => ({
    address,
    async signTypedData(data) {
      const changed = change(bytesOfHex(await signer.signTypedData(data)));
      return typeof changed === "string" ? changed : formatHex(changed);
    },
  });
  const submitWith = async (account: Signer) => {
    const { venue, client } = createFake({ account });
    await (await client.placeOrder(order)).wait();
    return (JSON.parse(venue.attempts[0]!.body) as { signature: string }).signature;
  };
  const canonical = submitWith(signing((signature) => signature));

  test("with v of 0 or 1, or the high twin of s, is sent in its canonical form", async () => {
    const lowV = signing((signature) => signature.with(64, signature[64]! - 27));
    expect(await submitWith(lowV)).toBe(await canonical);
    const high = signing((signature) => {
      const { r, s } = secp256k1.Signature.fromBytes(signature.subarray(0, 64), "compact");
      const twin = new secp256k1.Signature(r, secp256k1.Point.Fn.ORDER - s).toBytes("compact");
      return Uint8Array.from([...twin, signature[64] === 27 ? 28 : 27]);
    });
    expect(await submitWith(high)).toBe(await canonical);
  });

  test.each([
    ["of another account", (signature: Uint8Array) => signature, `0x${"22".repeat(20)}`, "SIGNER_MISMATCH"],
    ["that is too short", (signature: Uint8Array) => signature.subarray(0, 64), signer.address, "SIGNATURE_LENGTH"],
    ["that is no hexadecimal text", () => "yes", signer.address, "SIGNATURE_LENGTH"],
    ["with another v", (signature: Uint8Array) => signature.with(64, 29), signer.address, "SIGNATURE_V"],
    ["of no key", (signature: Uint8Array) => signature.fill(0, 0, 32), signer.address, "SIGNATURE_UNRECOVERABLE"],
  ] as const)("%s is not sent", async (_, change, address, fault) => {
    const { venue, client } = createFake({ account: signing(change, address as typeof signer.address) });
    await expect(client.placeOrder(order)).rejects.toMatchObject({ code: "SIGNATURE_INVALID", details: { fault } });
    expect(venue.attempts).toEqual([]);
  });
});

test("a browser wallet is shown typed data with its domain, and signs as the key does", async () => {
  const wallet = viemAccount(KEY);
  const provider: WalletProvider = {
    async request({ method, params = [] }) {
      if (method === "eth_requestAccounts") return [wallet.address];
      if (method === "personal_sign") return wallet.signMessage({ message: { raw: params[0] as Bytes32 } });
      const data = JSON.parse(params[1] as string) as Parameters<typeof wallet.signTypedData>[0];
      expect(data.types).toHaveProperty("EIP712Domain");
      return wallet.signTypedData(data);
    },
  };
  const account = await walletAccount(provider);
  expect(account.address).toBe(wallet.address.toLowerCase());
  const { client } = createFake({ account });
  expect((await (await client.placeOrder(order)).wait()).status).toBe("applied");
  expect(await account.signMessage!({ message: "hello é" })).toBe(
    await privateKeyToAccount(KEY).signMessage({ message: "hello é" }),
  );
});

test("an invalid address is refused, and a key is never shown", () => {
  expect(() => toAccount({ address: "0x12", signTypedData: async () => "0x" })).toThrow(RangeError);
  expect(() => privateKeyToAccount(`0x${"0".repeat(64)}`)).toThrow(/^not a private key/);
  expect(JSON.stringify(privateKeyToAccount(KEY))).not.toContain(KEY.slice(-64));
});
