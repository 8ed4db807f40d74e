import { ByteReader } from "../../../ground/collections/byteReader.ts";
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { EngineError } from "../../../protocol/engineError.ts";
import type { State } from "../state/state.ts";
import { readCanonical, writeCanonical } from "./canonical.ts";

const MAGIC = "perplab snapshot 1";

/**
 * The canonical form with the effects chain: a venue restored from it continues elsewhere with the same heads. Effects
 * that are not yet folded into the chain's base are included.
 */
export function writeSnapshot(state: State): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter(1 << 16);
  out.text(MAGIC);
  out.blob(writeCanonical(state));
  out.blob(state.chain.base);
  out.u32(state.chain.pending);
  out.blob(new Uint8Array(state.events.data.buffer, 0, state.events.length * 8));
  return out.view8();
}

/**
 * A venue from a snapshot.
 *
 * @throws EngineError INVALID_SNAPSHOT
 */
export function readSnapshot(bytes: Uint8Array): State {
  try {
    const input = new ByteReader(bytes);
    if (input.text() !== MAGIC) throw new Error(`does not start with "${MAGIC}"`);
    const state = readCanonical(input.blob());
    state.chain.base = input.blob().slice();
    state.chain.pending = input.u32();
    state.events.data = new Float64Array(input.blob().slice().buffer as ArrayBuffer);
    state.events.length = state.events.data.length;
    if (input.left() !== 0) throw new Error(`${input.left()} bytes too many`);
    return state;
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const fault = `not a snapshot, or cut short (${(error as Error).message})`;
    throw new EngineError("INVALID_SNAPSHOT", fault, { fault }, { cause: error });
  }
}
