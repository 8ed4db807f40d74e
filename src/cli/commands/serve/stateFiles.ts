import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import type { VenueHost } from "../../../server/host/host.ts";
import type { HostOptions } from "../../../server/host/options.ts";

/** Files that a served venue begins with, and leaves at its end. */
export interface StateFiles {
  /** Both: read if it is there, written at the end. */
  readonly state?: string;
  readonly loadState?: string;
  readonly dumpState?: string;
  readonly blockLog?: string;
}

/**
 * The venue that the options begin with; nothing where they name none, or `--state` one that is not there yet.
 *
 * @throws {StoreError} DUMP_FORMAT, DUMP_VERSION, DUMP_CORRUPT, and the system's error where there is no such file
 */
export async function loadState({ state, loadState }: StateFiles): Promise<Pick<HostOptions, "from">> {
  const path = loadState ?? (state !== undefined && existsSync(state) ? state : undefined);
  if (path === undefined) return {};
  const { readDump } = await import("../../../server/host/store/dump.ts");
  return { from: readDump(readFileSync(path), path) };
}

/** Writes the files of the options. No client reaches the host any more, and its blocks can still be read. */
export async function saveState(host: VenueHost, { state, dumpState, blockLog }: StateFiles): Promise<void> {
  const path = dumpState ?? state;
  if (path !== undefined) {
    const { writeDump } = await import("../../../server/host/store/dump.ts");
    replaceFile(path, writeDump(host));
  }
  if (blockLog !== undefined) {
    const { exportBlockLog } = await import("../../../server/host/store/exportBlockLog.ts");
    exportBlockLog(host, blockLog);
  }
}

/** The old file stays until the new bytes are on the disk. */
function replaceFile(path: string, bytes: Uint8Array): void {
  const draft = `${path}.${process.pid}.part`;
  const file = openSync(draft, "w");
  try {
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}
