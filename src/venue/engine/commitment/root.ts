import { createHash } from "node:crypto";
import type { Bytes32 } from "../../../protocol/fields.ts";
import type { State } from "../state/state.ts";
import { writeCanonical } from "./canonical.ts";

/** State root (DET-2): sha256 of the canonical form. Cost grows with the whole state. */
export function computeRoot(state: State): Bytes32 {
  return `0x${createHash("sha256").update(writeCanonical(state)).digest("hex")}`;
}

/** Head of the effects chain at the present height. */
export function getHead(state: State): Bytes32 {
  return `0x${state.chain.headText(state.events)}`;
}
