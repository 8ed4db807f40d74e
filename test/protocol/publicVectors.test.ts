// Vectors of the standard and of a widely used wallet library. They are not part of the project: where the files are
// absent, the tests are skipped and say so.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recoverAddress } from "viem";
import { describe, expect, test } from "vitest";
import { BACKENDS, loadBackend } from "../../src/client/signing/backends.ts";
import { createRecovery } from "../../src/client/signing/recover.ts";
import { addressFromKey, signDigest } from "../../src/client/signing/sign.ts";
import { bytesOfHex } from "../../src/protocol/codecHex.ts";
import type { Bytes32 } from "../../src/protocol/fields.ts";
import { encodeType } from "../../src/protocol/typedData.ts";
import { plainKeccak } from "../../src/protocol/typedDataDigest.ts";
import { projectRoot } from "../helpers/project.ts";
import * as reference from "../reference/typedData.ts";

interface Vector {
  readonly id: string;
  readonly title: string;
  readonly function: string;
  readonly inputs: reference.Message & { readonly private_key?: Bytes32 };
  readonly expect: Readonly<Record<string, string | true>>;
}

const folder = join(projectRoot, "..", "shared", "data", "vectors");

describe.each(["eip712.json", "eth_sig_util.json"])("%s", (name) => {
  const file = join(folder, name);
  if (!existsSync(file)) {
    console.log(`skipped: ${name} is not next to the clone`);
    test.skip("the vectors are not next to the clone", () => {});
    return;
  }
  const { vectors } = JSON.parse(readFileSync(file, "utf8")) as { vectors: Vector[] };

  test.each(vectors.map((vector) => [vector.id, vector.title, vector] as const))(
    "%s %s",
    async (_id, _title, vector) => {
      const { inputs, expect: wanted } = vector;
      const { types, primaryType, message } = inputs;
      if (wanted.rejected === true) {
        expect(() => reference.hashStruct(primaryType, message, types)).toThrow();
        return;
      }
      const found: Record<string, () => string> = {
        encode_type: () => reference.encodeType(primaryType, types),
        type_hash: () => reference.toHex(reference.hashType(primaryType, types)),
        encode_data: () => reference.toHex(reference.encodeData(primaryType, message, types)),
        struct_hash: () => reference.toHex(reference.hashStruct(primaryType, message, types)),
        domain_separator: () => reference.toHex(reference.hashStruct("EIP712Domain", inputs.domain, types)),
        digest: () => reference.toHex(reference.hashMessage(inputs)),
        signer: () => addressFromKey(inputs.private_key!),
        signature: () => reference.toHex(signDigest(reference.hashMessage(inputs), inputs.private_key!)),
        r: () => found.signature!().slice(0, 66),
        s: () => `0x${found.signature!().slice(66, 130)}`,
        v: () => String(Number.parseInt(found.signature!().slice(130), 16)),
      };
      for (const [what, value] of Object.entries(wanted)) expect(found[what]?.(), what).toBe(value);
      if (wanted.encode_type !== undefined) expect(encodeType(primaryType, types)).toBe(wanted.encode_type);
      if (inputs.private_key === undefined) return;
      const digest = reference.hashMessage(inputs);
      const signature = bytesOfHex(found.signature!());
      const signer = addressFromKey(inputs.private_key);
      const theirs = await recoverAddress({ hash: digest, signature });
      expect(theirs.toLowerCase()).toBe(signer);
      for (const backend of BACKENDS) {
        const recovery = createRecovery(await loadBackend(backend), plainKeccak);
        expect(recovery.recoverSigner(digest, signature), backend).toBe(signer);
      }
    },
  );
});
