import { createHash } from "node:crypto";
import type { Bytes32 } from "../protocol/fields.ts";
import { type Genesis, genesisText } from "../protocol/genesis.ts";

/** Identifies a genesis (NET-1): sha256 of its one text. Also the salt of the signing domain. */
export function computeGenesisHash(genesis: Genesis): Bytes32 {
  return `0x${createHash("sha256").update(genesisText(genesis)).digest("hex")}`;
}
