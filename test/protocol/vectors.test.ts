// The committed vectors are what other languages are written against. Each value is computed here on another path than
// the generator's: from the file's own pieces, from its JSON through the codec, and by viem.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { concat, hashDomain, hashTypedData, keccak256, recoverAddress, toBytes } from "viem";
import { describe, expect, test } from "vitest";
import { outputs } from "../../scripts/generate/vectors.ts";
import { render as renderWire } from "../../scripts/generate/wire.ts";
import { API_PREFIX } from "../../src/client/api/endpoint.ts";
import { routes } from "../../src/client/api/routes.ts";
import { KEY_LEAST, KEY_MOST } from "../../src/client/api/schemas/submission.ts";
import { signTransaction } from "../../src/client/signing/sign.ts";
import { createVerifier } from "../../src/client/signing/verify.ts";
import { ACTION_NAMES, type ActionName, actions } from "../../src/protocol/actions/index.ts";
import { decodeTransaction, encodeTransaction } from "../../src/protocol/codec.ts";
import { formatHex } from "../../src/protocol/codecHex.ts";
import type { Bytes32 } from "../../src/protocol/fields.ts";
import type { SignedTransaction } from "../../src/protocol/transaction.ts";
import { typedDataOf } from "../../src/protocol/typedData.ts";
import { digestOf } from "../../src/protocol/typedDataDigest.ts";
import { projectRoot } from "../helpers/project.ts";

interface VectorFile {
  readonly action: ActionName;
  readonly domain: {
    readonly chainId: number;
    readonly salt: Bytes32;
    readonly name: string;
    readonly version: string;
  };
  readonly domainType: string;
  readonly domainSeparator: Bytes32;
  readonly primaryType: string;
  readonly encodeType: string;
  readonly types: Record<string, { name: string; type: string }[]>;
  readonly vectors: readonly {
    readonly privateKey: Bytes32;
    readonly transaction: SignedTransaction;
    readonly encodeData: Readonly<Record<"header" | "message", Readonly<Record<string, Bytes32>>>>;
    readonly structHash: Bytes32;
    readonly digest: Bytes32;
    readonly signature: Bytes32;
    readonly txId: Bytes32;
  }[];
}

const folder = join(projectRoot, "test/vectors");
const read = (action: ActionName) => readFileSync(join(folder, `${action}.json`), "utf8");

test("there is a file for every action, and none besides", () => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json"));
  expect(names.sort()).toEqual(ACTION_NAMES.map((name) => `${name}.json`).sort());
});

describe.each(ACTION_NAMES)("%s", (action) => {
  const file = JSON.parse(read(action)) as VectorFile;
  const domain = { chainId: file.domain.chainId, genesisHash: file.domain.salt };

  test("is what the generator writes", () => {
    expect(outputs.find(({ path }) => path === `test/vectors/${action}.json`)!.render()).toBe(read(action));
  });

  test("holds together from type text to digest", () => {
    expect(file.vectors.length).toBeGreaterThanOrEqual(3);
    expect(new Set(file.vectors.map(({ txId }) => txId)).size).toBe(file.vectors.length);
    const domainMembers = [...file.domainType.matchAll(/(\w+) (\w+)/g)].map(([, type, name]) => ({ type, name }));
    const types = { EIP712Domain: domainMembers as { type: string; name: string }[] };
    expect(hashDomain({ domain: file.domain, types } as never)).toBe(file.domainSeparator);
    for (const { encodeData, structHash, digest, txId } of file.vectors) {
      expect(encodeData.message.typeHash).toBe(keccak256(toBytes(file.encodeType)));
      expect(encodeData.message.header).toBe(keccak256(concat(Object.values(encodeData.header))));
      expect(structHash).toBe(keccak256(concat(Object.values(encodeData.message))));
      expect(digest).toBe(keccak256(concat(["0x1901", file.domainSeparator, structHash])));
      expect(txId).toBe(digest);
    }
  });

  test("is read, hashed, signed and verified with the results that it states", async () => {
    const { verify } = await createVerifier(domain);
    for (const { privateKey, transaction: json, digest, signature } of file.vectors) {
      expect(json.signature).toBe(signature);
      const signed = decodeTransaction(json);
      expect(encodeTransaction(signed)).toEqual(json);
      expect(digestOf(signed.transaction, domain)).toBe(digest);
      const typed = typedDataOf(json, domain);
      expect(typed).toMatchObject({ domain: file.domain, types: file.types, primaryType: file.primaryType });
      expect(hashTypedData({ ...typed, types: file.types } as never)).toBe(digest);
      expect(formatHex(signTransaction(signed.transaction, privateKey, domain).signature)).toBe(signature);
      expect(verify(signed)).toMatchObject({ verdict: true, digest, recovered: json.header.signer });
      expect((await recoverAddress({ hash: digest, signature })).toLowerCase()).toBe(json.header.signer);
    }
  });

  test("is described in the reference page with its fields in order and its type text", () => {
    const page = readFileSync(join(projectRoot, "docs/reference/wire.md"), "utf8");
    const section = page.split(/^### /m).find((part) => part.startsWith(`${action}\n`))!;
    // The first table; the next one has the rows of ACT-3.
    const [table] = section.split(/^Fields that are needed or refused:|^In each entry of /m);
    const fields = [...table!.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(fields).toEqual(Object.keys(actions[action].fields));
    expect(section).toContain(`\n${file.encodeType}\n`);
  });
});

test("the reference page names the request of a submission, its key, and the query for the next nonce", () => {
  const page = readFileSync(join(projectRoot, "docs/reference/wire.md"), "utf8");
  const { submitTransaction, getNonce } = routes;
  expect(page).toContain(`\`${submitTransaction.method} ${API_PREFIX}${submitTransaction.path}\``);
  expect(page).toContain(`\`Idempotency-Key\`: ${KEY_LEAST} to ${KEY_MOST} `);
  const [, query = ""] = page.split(`${getNonce.method} ${API_PREFIX}${getNonce.path}?`);
  const members = [...query.split("\n")[0]!.matchAll(/(\w+)=</g)].map(([, name]) => name);
  expect(members).toEqual(Object.keys(getNonce.query.properties));
});

test("the reference page is what the generator writes", () => {
  expect(readFileSync(join(projectRoot, "docs/reference/wire.md"), "utf8")).toBe(renderWire());
});
