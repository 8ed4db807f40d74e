import type { ByteReader } from "../../../ground/collections/byteReader.ts";
import type { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import type { State } from "../state/state.ts";

/**
 * Used nonces of trading lanes with a window (NON-2): of accounts in their order, then of agents' lanes in theirs. A
 * row is N bits in words of 32; bit `n % N` says whether nonce n, of the N up to the highest used one, is used. Nothing
 * is written where lanes are sequential.
 */
export function writeUsedNonces(out: ByteWriter, state: State): void {
  for (const [nonces, rows] of listTables(state)) {
    for (let row = 0; row < rows; row++) {
      for (let place = 0; place < nonces.words; place++) out.u32(nonces.word(row, place));
    }
  }
}

/** Reads the output of `writeUsedNonces`; accounts and lanes must exist. */
export function readUsedNonces(input: ByteReader, state: State): void {
  for (const [nonces, rows] of listTables(state)) {
    for (let row = 0; row < rows; row++) {
      for (let place = 0; place < nonces.words; place++) nonces.setWord(row, place, input.u32());
    }
  }
}

function listTables({ nonceWindow, ownerNonces, agentNonces, accounts, lanes }: State) {
  if (nonceWindow === 0) return [];
  return [[ownerNonces, accounts.rows.high] as const, [agentNonces, lanes.rows.high] as const];
}
