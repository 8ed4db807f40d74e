import { setImmediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { readImage, writeImage } from "../../../venue/engine/commitment/image.ts";
import { computeRoot, getHead } from "../../../venue/engine/commitment/root.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { OnFaultPoint } from "./faultPoints.ts";
import { type FileKind, isHeaderFault, readHeader, writeHeader } from "./fileHeader.ts";
import type { StoreFiles } from "./files.ts";

const SNAPSHOT: FileKind = { magic: "perpstat", version: 1 };
const TEMPORARY = "state.tmp";
/** Number of the newest states that are always kept: if one is damaged, another is left. */
const NEWEST = 2;
/** Approximate number of further states, spread over the kept blocks. */
const SPREAD = 4;
/** Upper bound of a header. */
const HEADER_BYTES_MOST = 4_096;
/** Bytes written at once; other work runs in between. */
const PIECE_BYTES = 1 << 22;

interface SnapshotHead {
  readonly height: number;
  readonly hash: Bytes32;
  readonly root: Bytes32;
  readonly bytes: number;
  readonly crc: number;
}

/** A venue read from a snapshot. */
export interface Snapshot {
  readonly height: number;
  readonly state: State;
}

/** Name of the file with the state at a height. */
export const nameOfState = (height: number): string => `state-${String(height).padStart(12, "0")}.perpstor`;

/**
 * States of the venue in separate files, so that a restart does not begin at genesis. They only save time: a state that
 * is damaged, of another build or of a discarded chain is skipped.
 */
export class Snapshots {
  readonly #files: StoreFiles;
  readonly #onPoint: OnFaultPoint | undefined;

  constructor(files: StoreFiles, onPoint?: OnFaultPoint) {
    this.#files = files;
    this.#onPoint = onPoint;
  }

  /** Heights of the files, highest first. */
  heights(): number[] {
    return this.#files
      .list()
      .map((name) => /^state-(\d{12})\.perpstor$/.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
      .sort((a, b) => b - a);
  }

  /** Writes the present state; the venue may advance meanwhile. */
  async write(state: State): Promise<void> {
    const image = writeImage(state);
    const { height } = state;
    const head: SnapshotHead = {
      height,
      hash: getHead(state),
      root: computeRoot(state),
      bytes: image.length,
      crc: crc32(image),
    };
    const out = new ByteWriter(1 << 10);
    writeHeader(out, SNAPSHOT, JSON.stringify(head));
    this.#files.remove(TEMPORARY);
    const file = this.#files.open(TEMPORARY, "create");
    try {
      file.write(out.view8(), 0);
      for (let at = 0; at < image.length; at += PIECE_BYTES) {
        file.write(image.subarray(at, at + PIECE_BYTES), out.length + at);
        await setImmediate();
      }
      await file.sync();
    } finally {
      file.close();
    }
    this.#onPoint?.("beforeSnapshotRename");
    this.#files.rename(TEMPORARY, nameOfState(height));
    this.#files.syncFolder();
    this.#onPoint?.("afterSnapshot");
  }

  /**
   * Removes states that are not needed to reach the newest blocks with a short replay.
   *
   * @returns height of the lowest remaining state; undefined for none
   */
  thin(keepBlocks: number): number | undefined {
    const heights = this.heights();
    const lowest = (heights[0] ?? 0) - keepBlocks;
    let last: number | undefined;
    for (const [place, height] of heights.entries()) {
      const isNeeded =
        place < NEWEST || (last! > lowest && (height <= lowest || last! - height >= keepBlocks / SPREAD));
      if (isNeeded) last = height;
      else this.#files.remove(nameOfState(height));
    }
    return last;
  }

  remove(height: number): void {
    this.#files.remove(nameOfState(height));
  }

  /** Removes states of a discarded chain, above a height. */
  removeAbove(height: number): void {
    for (const at of this.heights()) if (at > height) this.#files.remove(nameOfState(at));
  }

  /**
   * The newest whole state of the chain at or below a height.
   *
   * @param isOnChain whether the head of the effects chain at a height is this one
   */
  readBelow(height: number, isOnChain: (height: number, hash: Bytes32) => boolean): Snapshot | undefined {
    for (const at of this.heights()) {
      if (at > height) continue;
      const found = this.#read(at);
      if (found !== undefined && isOnChain(at, found.hash)) return found;
    }
    return undefined;
  }

  /** Head of the effects chain in a file's header; undefined if the header is damaged. */
  hashAt(height: number): Bytes32 | undefined {
    const file = this.#files.open(nameOfState(height), "read");
    const bytes = new Uint8Array(Math.min(file.size(), HEADER_BYTES_MOST));
    file.read(bytes, 0);
    file.close();
    const header = readHeader(bytes, SNAPSHOT);
    if (isHeaderFault(header)) return undefined;
    const head = JSON.parse(header.text) as SnapshotHead;
    return head.height === height ? head.hash : undefined;
  }

  #read(height: number): (Snapshot & { readonly hash: Bytes32 }) | undefined {
    const file = this.#files.open(nameOfState(height), "read");
    const bytes = new Uint8Array(file.size());
    file.read(bytes, 0);
    file.close();
    const header = readHeader(bytes, SNAPSHOT);
    if (isHeaderFault(header)) return undefined;
    const head = JSON.parse(header.text) as SnapshotHead;
    const image = bytes.subarray(header.size);
    if (head.height !== height || image.length !== head.bytes || crc32(image) !== head.crc) return undefined;
    try {
      const state = readImage(image);
      // An image follows the columns of the build that wrote it. The root does not.
      if (computeRoot(state) !== head.root || getHead(state) !== head.hash) return undefined;
      return { height, state, hash: head.hash };
    } catch {
      return undefined;
    }
  }
}
