import { formatCommand } from "../../../ground/collections/commandLine.ts";
import { StoreError } from "./errors.ts";
import type { StoreFiles } from "./files.ts";
import { SECRET_NAME } from "./secret.ts";
import { nameOfState, type Snapshots } from "./snapshots.ts";

/** Extent of a log. */
export interface LogEnd {
  /** Height of the last block in it. */
  readonly height: number;
  /** The highest block that was ever in it, including discarded ones. */
  readonly highest: number;
  /** No group was ever written to it. */
  readonly isEmpty: boolean;
}

/** Blocks that the folder proves and the log lacks. */
export interface Loss {
  readonly reason: string;
  /** Effect of continuing despite the loss. */
  readonly consequence: string;
}

/**
 * Blocks that a log has lost, according to the other files of its folder. Such a file is a state above every block of
 * the log, or a secret, which is created after the chain has begun. A lower state proves nothing: a revert discards
 * blocks without removing them from the log.
 *
 * @param end undefined if there is no log
 */
export function findLoss(files: StoreFiles, snapshots: Snapshots, end: LogEnd | undefined): Loss | undefined {
  const state = snapshots.heights()[0];
  if (state !== undefined && state > (end?.highest ?? -1)) {
    const whole = snapshots.readBelow(Number.MAX_SAFE_INTEGER, (height) => height > (end?.highest ?? -1))?.height;
    const shows = `${nameOfState(state)} shows block ${state}${whole === state ? "" : " and cannot be read"}`;
    const rest = end === undefined ? "begin a new chain" : `continue with the log up to block ${end.height}`;
    const consequence = whole === undefined ? rest : `continue from block ${whole} without the blocks below it`;
    if (end === undefined) return { reason: `the log is missing or empty, and ${shows}`, consequence };
    const missing = state - end.height;
    return { reason: `the log ends at block ${end.height}, and ${shows}: ${missing} blocks are missing`, consequence };
  }
  if (end !== undefined && !end.isEmpty) return undefined;
  if (!files.list().includes(SECRET_NAME)) return undefined;
  const reason = `the log is missing or empty, and the file ${SECRET_NAME} shows that a chain was here; how many blocks it had is not known`;
  return { reason, consequence: "begin a new chain" };
}

/** The loss if another log has replaced the folder's own: a state names another block at its height. */
export function lossOfForeignLog(height: number): Loss {
  const reason = `the log is of another chain: ${nameOfState(height)} has another block ${height}`;
  return { reason, consequence: "continue the chain of the log and drop the states of the other" };
}

/** @throws {StoreError} STORE_CORRUPT */
export function refuseLoss({ reason, consequence }: Loss, path: string): never {
  throw new StoreError("STORE_CORRUPT", reason, {
    file: path,
    hint: `take the folder from a copy; to ${consequence}: ${formatCommand(["serve", "--store", path, "--accept-loss"])}`,
  });
}
