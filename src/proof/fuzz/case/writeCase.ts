import { ByteReader } from "../../../ground/collections/byteReader.ts";
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { PROTOCOL_VERSION } from "../../../protocol/transaction.ts";
import { CaseError } from "./caseError.ts";
import type { FuzzCase } from "./fuzzCase.ts";

const MAGIC = "perplab case 1";

/** Returns the bytes of a case. Equal cases have equal bytes, so their hash names the case. */
export function writeCase({ protocolVersion, profile, genes }: FuzzCase): Uint8Array {
  const out = new ByteWriter(64 + 2 * (profile.length + genes.length));
  out.text(MAGIC);
  out.u32(protocolVersion);
  writeChoices(out, profile);
  writeChoices(out, genes);
  return out.view8().slice();
}

/**
 * Reads a case that `writeCase` wrote.
 *
 * @throws CaseError CASE_MALFORMED, or CASE_VERSION for another protocol version
 */
export function readCase(bytes: Uint8Array): FuzzCase {
  const input = new ByteReader(bytes);
  try {
    if (input.text() !== MAGIC) throw new RangeError(`the file does not start with "${MAGIC}"`);
    const protocolVersion = input.u32();
    if (protocolVersion !== PROTOCOL_VERSION) {
      throw new CaseError(
        "CASE_VERSION",
        `the case has protocol version ${protocolVersion}, this program has version ${PROTOCOL_VERSION}; replay its scenario instead`,
      );
    }
    const profile = readChoices(input);
    const genes = readChoices(input);
    if (input.left() > 0) throw new RangeError(`${input.left()} bytes follow its end`);
    return { protocolVersion, profile, genes };
  } catch (error) {
    if (error instanceof CaseError) throw error;
    throw new CaseError("CASE_MALFORMED", `the bytes are not a fuzz case: ${(error as Error).message}`);
  }
}

/** Writes the count, then two bytes per choice, the lower byte first. */
function writeChoices(out: ByteWriter, choices: Uint16Array): void {
  out.u32(choices.length);
  for (const choice of choices) {
    out.u8(choice & 0xff);
    out.u8(choice >>> 8);
  }
}

function readChoices(input: ByteReader): Uint16Array {
  const length = input.u32();
  const bytes = input.raw(2 * length);
  return Uint16Array.from({ length }, (_, at) => bytes[2 * at]! | (bytes[2 * at + 1]! << 8));
}
