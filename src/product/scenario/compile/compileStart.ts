import { dirname, join } from "node:path";
import type { Address } from "../../../protocol/fields.ts";
import type { Genesis } from "../../../protocol/genesis.ts";
import { readSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Names } from "../../../venue/simulation/accountNames.ts";
import type { Faults } from "../faults.ts";
import { type Cell, entriesOf, getCell, type MapCell, textOf } from "../parse/cell.ts";
import type { ReadText } from "../parse/include.ts";
import { decodeSnapshot } from "../start/snapshotText.ts";
import { declareNames } from "./compileGenesis.ts";
import type { CaseStart } from "./plan.ts";

/** A stored venue, and the accounts and markets that the file names in it. */
export interface StoredStart {
  readonly genesis: Genesis;
  readonly names: Names;
  /** Names of its markets. */
  readonly markets: readonly string[];
  readonly start: CaseStart;
}

/** Keys that describe genesis: a stored venue has one already. */
const OF_GENESIS = ["genesis", "markets", "prices"] as const;
const OF_ACCOUNTS = ["deposit", "role", "lossLimit"] as const;

/** The path of a stored venue, which is taken from the folder of the file that names it. */
export function snapshotPath(cell: Cell): string {
  return join(dirname(cell.place.file), textOf(cell) ?? "");
}

/** Reads the stored venue of `start`; undefined with a fault if it cannot be read. */
export function compileStart(root: MapCell, readText: ReadText, faults: Faults): StoredStart | undefined {
  const cell = getCell(root, "start")!;
  const hint = "leave it out: the stored venue has its own";
  for (const key of OF_GENESIS) {
    const given = getCell(root, key);
    if (given !== undefined) faults.add(given.place, `${key} is next to start`, hint);
  }
  for (const { key: name, value } of entriesOf(getCell(root, "accounts"))) {
    for (const key of OF_ACCOUNTS) {
      const given = getCell(value, key);
      if (given !== undefined) faults.add(given.place, `${key} of ${name} is next to start`, hint);
    }
  }
  const file = getCell(cell, "snapshot")!;
  const path = snapshotPath(file);
  let text: string;
  try {
    text = readText(path);
  } catch {
    return faults.add(file.place, `there is no file ${path}`, "the snapshot is taken from the folder of this file");
  }
  let snapshot: Uint8Array;
  let state: State;
  try {
    snapshot = decodeSnapshot(text);
    state = readSnapshot(snapshot);
  } catch (error) {
    const remedy = "freeze the blocks again from their log";
    return faults.add(file.place, `${path} is no snapshot of a venue: ${(error as Error).message}`, remedy);
  }
  const names = declareNames(root, faults);
  const { genesis } = state;
  for (const [name, address] of Object.entries(genesis.authorities)) names.nameAuthority(name, address as Address);
  return {
    genesis,
    names,
    markets: state.marketNames,
    start: { place: file.place, snapshot, expect: getCell(cell, "expect") },
  };
}
