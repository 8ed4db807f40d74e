/** A thread of the pool: reads transactions as bytes, answers with one fixed-size finding each. */
import { parentPort, workerData } from "node:worker_threads";
import { ByteReader } from "../../ground/collections/byteReader.ts";
import { AccountKeys, readTransaction } from "../../protocol/codecBinary.ts";
import { writeHex } from "../../protocol/codecHex.ts";
import type { SigningDomain } from "../../protocol/typedData.ts";
import { BackendMissingError, type BackendName } from "./backends.ts";
import { SIGNATURE_FAULTS } from "./recover.ts";
import { type Batch, FINDING_BYTES, type Findings, type Greeting } from "./verifierMessages.ts";
import { createVerifier } from "./verify.ts";

const port = parentPort!;
const { domain, backend } = workerData as { domain: SigningDomain; backend: BackendName | "auto" };
const noSignature = new Uint8Array(0);

try {
  const verifier = await createVerifier(domain, { backend });
  const keys = new AccountKeys();
  port.on("message", ({ bytes, count }: Batch) => {
    const reader = new ByteReader(bytes);
    const findings = new Uint8Array(count * FINDING_BYTES);
    for (let index = 0, at = 0; index < count; index++, at += FINDING_BYTES) {
      const { transaction, signature } = readTransaction(reader, keys);
      const { reason, digest, recovered } = verifier.verify({ transaction, signature: signature ?? noSignature });
      findings[at] = reason === undefined ? 0 : 1 + SIGNATURE_FAULTS.indexOf(reason);
      writeHex(digest, findings, at + 1);
      if (recovered !== undefined) writeHex(recovered, findings, at + 33);
    }
    port.postMessage(findings satisfies Findings, [findings.buffer]);
  });
  port.postMessage({ backend: verifier.backend } satisfies Greeting);
} catch (error) {
  if (!(error instanceof BackendMissingError)) throw error;
  port.postMessage({ missing: error.backend } satisfies Greeting);
}
