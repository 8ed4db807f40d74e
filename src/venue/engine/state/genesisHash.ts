import { createHash } from "node:crypto";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { type Genesis, genesisText } from "../../../protocol/genesis.ts";

/**
 * Identifies a network (NET-1): sha256 of the one text of its genesis. Also the salt of the signing domain. A fork
 * keeps that of the network it came from, whatever it changed (TX-1).
 */
export function computeGenesisHash(genesis: Genesis): Bytes32 {
  return genesis.origin ?? `0x${createHash("sha256").update(genesisText(genesis)).digest("hex")}`;
}
