import { formatCommand } from "../../../ground/collections/commandLine.ts";
import { StoreError } from "./errors.ts";
import type { StoreFiles } from "./files.ts";
import { SECRET_NAME } from "./secret.ts";
import { nameOfState, type Snapshots } from "./snapshots.ts";

/** How far a log goes. */
export interface LogEnd {
  /** Height of the last block in it. */
  readonly height: number;
  /** The highest block that was ever in it, left ones included. */
  readonly highest: number;
  /** No group was ever written to it. */
  readonly isEmpty: boolean;
}

/** Blocks that the folder shows and the log does not have. */
export interface Loss {
  readonly reason: string;
  /** What it would mean to go on regardless. */
  readonly goesOn: string;
}

/**
 * What a log has lost, by the other files of its folder: a state above every block of the log, or a secret, which is made
 * after the chain has begun. A state below is no evidence: a revert leaves blocks without removing them from the log.
 *
 * @param end undefined where there is no log
 */
export function findLoss(files: StoreFiles, snapshots: Snapshots, end: LogEnd | undefined): Loss | undefined {
  const state = snapshots.heights()[0];
  if (state !== undefined && state > (end?.highest ?? -1)) {
    const whole = snapshots.readBelow(Number.MAX_SAFE_INTEGER, (height) => height > (end?.highest ?? -1))?.height;
    const shows = `${nameOfState(state)} shows block ${state}${whole === state ? "" : " and cannot be read"}`;
    const rest = end === undefined ? "begin a new chain" : `go on with the log up to block ${end.height}`;
    const goesOn = whole === undefined ? rest : `go on from block ${whole} without the blocks below it`;
    if (end === undefined) return { reason: `the log is missing or empty, and ${shows}`, goesOn };
    const missing = state - end.height;
    return { reason: `the log ends at block ${end.height}, and ${shows}: ${missing} blocks are missing`, goesOn };
  }
  if (end !== undefined && !end.isEmpty) return undefined;
  if (!files.list().includes(SECRET_NAME)) return undefined;
  const reason = `the log is missing or empty, and the file ${SECRET_NAME} shows that a chain was here; how many blocks it had is not known`;
  return { reason, goesOn: "begin a new chain" };
}

/** A log that has taken the place of the folder's own: a state names another block at its height. */
export function lossOfForeignLog(height: number): Loss {
  const reason = `the log is of another chain: ${nameOfState(height)} has another block ${height}`;
  return { reason, goesOn: "go on with the chain of the log and drop the states of the other" };
}

/** @throws {StoreError} STORE_CORRUPT */
export function refuseLoss({ reason, goesOn }: Loss, path: string): never {
  throw new StoreError("STORE_CORRUPT", reason, {
    file: path,
    hint: `take the folder from a copy; to ${goesOn}: ${formatCommand(["serve", "--store", path, "--accept-loss"])}`,
  });
}
