/** Checks that a stored venue is refused if its bytes are cut, renamed or forged. */

import { EngineError } from "../../../protocol/engineError.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import type { Block } from "../../../protocol/transaction.ts";
import { applyBlock } from "../../../venue/engine/applyBlock.ts";
import { writeCanonical } from "../../../venue/engine/commitment/canonical.ts";
import { readImage, writeImage } from "../../../venue/engine/commitment/image.ts";
import { readSnapshot, writeSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import { createVenue } from "../../../venue/engine/genesis.ts";
import { forkState } from "../../../venue/engine/state/forkState.ts";
import type { State } from "../../../venue/engine/state/state.ts";

/** Number of blocks of a case that are searched for a grant. */
const GRANT_WITHIN = 200;

interface Form {
  readonly name: string;
  readonly write: (from: State) => Uint8Array;
  readonly read: (bytes: Uint8Array) => State;
}

const SNAPSHOT: Form = { name: "snapshot", write: writeSnapshot, read: readSnapshot };
const IMAGE: Form = { name: "image", write: writeImage, read: readImage };

/** Forms of a venue that are cut, renamed, of another version, or read as another form. */
export function findFormTaken(state: State): string | undefined {
  const other = forkState(state, { ...state.genesis, protocolVersion: state.genesis.protocolVersion + 1 });
  for (const form of [SNAPSHOT, IMAGE]) {
    const { name, write, read } = form;
    const whole = write(state).slice();
    const renamed = whole.slice();
    // The name ends with the version of the layout.
    const digit = renamed.findIndex((byte, place) => place > 8 && byte >= 0x30 && byte <= 0x39);
    renamed[digit] = 0x39;
    const fault =
      findRead(form, whole.slice(0, -1)) ??
      findRead(form, whole.slice(0, 30)) ??
      findRead(form, new Uint8Array(0)) ??
      findRead(form, renamed, form === IMAGE ? 'is "perplab image" 9' : "does not start with") ??
      findRead(form, write(other).slice(), `of protocol version ${other.genesis.protocolVersion}`) ??
      findRead(form, (form === IMAGE ? SNAPSHOT : IMAGE).write(state).slice(), "does not start with");
    if (fault !== undefined) return fault;
    const back = writeCanonical(read(whole)).slice();
    const canonical = writeCanonical(state);
    if (back.length !== canonical.length || !back.every((byte, place) => byte === canonical[place]))
      return `a ${name} is read as another`;
  }
  return undefined;
}

/** @param words text that the refusal must contain; by default any refusal is right */
function findRead({ name, read }: Form, bytes: Uint8Array, words = ""): string | undefined {
  const error = catchError(() => read(bytes));
  const isReported = error instanceof EngineError && error.code === "INVALID_SNAPSHOT" && error.message !== "";
  return isReported && error.message.includes(words)
    ? undefined
    : `a ${name} of ${bytes.length} bytes is read, or not refused with "${words}": ${String(error)}`;
}

/** Texts of grants that name no market, or no subaccount, in a venue that has a grant. */
export function findGrantTaken(genesis: Genesis, blocks: readonly Block[]): string | undefined {
  const state = createVenue(genesis);
  for (const block of blocks.slice(0, GRANT_WITHIN)) {
    if (state.authorizations.rows.high > 0) break;
    applyBlock(state, block);
  }
  if (state.authorizations.rows.high === 0) return undefined;
  for (const list of ["markets", "subaccounts"] as const) {
    const forged = forkState(state);
    forged.grants[list][0] = "NO-SUCH-THING";
    for (const form of [SNAPSHOT, IMAGE]) {
      const fault = findRead(form, form.write(forged).slice(), "malformed");
      if (fault !== undefined) return `with other ${list} of a grant, ${fault}`;
    }
  }
  return undefined;
}

/** The value that a call throws; undefined if it does not throw. */
export function catchError(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return error;
  }
  return undefined;
}
