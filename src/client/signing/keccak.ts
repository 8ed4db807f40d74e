import { createKeccak } from "hash-wasm";
import type { Keccak } from "../../protocol/typedDataDigest.ts";

/**
 * Loads Keccak-256 compiled to WebAssembly: the same bytes as the plain one, several times faster. The function is
 * synchronous once loaded, and belongs to the thread that loaded it.
 */
export async function loadKeccak(): Promise<Keccak> {
  const hasher = await createKeccak(256);
  return (bytes) => hasher.init().update(bytes).digest("binary");
}
