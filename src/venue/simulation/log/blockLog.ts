import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { writeTransaction } from "../../../protocol/codecBinary.ts";
import { bytesOfHex } from "../../../protocol/codecHex.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { genesisText } from "../../../protocol/genesis.ts";
import type { BlockResult } from "../../engine/applyBlock.ts";
import { computeRoot, getHead } from "../../engine/commitment/root.ts";
import type { State } from "../../engine/state/state.ts";
import type { Observer, SealedBlock } from "../observer.ts";
import {
  BLOCK_FLAG,
  checksumOfEvents,
  FORMAT_VERSION,
  HEAD_EVERY,
  HEADER_BYTES,
  MAGIC,
  RECORD,
  RECORD_BYTES,
  ROOT_EVERY,
} from "./format.ts";

export interface BlockLogOptions {
  /** Heights between two recorded heads. Default: 64. */
  readonly headEvery?: number;
  /** Heights between two recorded state roots. Default: 1,000. */
  readonly rootEvery?: number;
}

/** Bytes gathered before they are handed to the system. */
const BUFFER_BYTES = 1 << 20;

/**
 * Writes a block log, as an observer. Append-only: what is on disk is never touched again. `onEnd` records the last
 * head and root, makes the file durable and closes it. A run that fails calls `abandon`, which removes the file.
 */
export class BlockLog implements Observer {
  readonly path: string;
  readonly #headEvery: number;
  readonly #rootEvery: number;
  #file: number | undefined;
  readonly #out = new ByteWriter(BUFFER_BYTES * 2);
  readonly #body = new ByteWriter(1 << 14);
  #rootHeight = -1;

  /**
   * Creates the file.
   *
   * @throws the system's error where a file of that name exists or cannot be made
   */
  constructor(path: string, { headEvery = HEAD_EVERY, rootEvery = ROOT_EVERY }: BlockLogOptions = {}) {
    this.path = path;
    this.#headEvery = headEvery;
    this.#rootEvery = rootEvery;
    this.#file = openSync(path, "wx");
  }

  onStart(state: State): void {
    const text = new TextEncoder().encode(genesisText(state.genesis));
    const header = new ByteWriter(HEADER_BYTES + text.length);
    header.raw(new TextEncoder().encode(MAGIC));
    header.u32(FORMAT_VERSION);
    header.u32(state.genesis.protocolVersion);
    header.u32(text.length);
    header.u32(crc32(text));
    header.raw(text);
    this.#out.raw(header.view8());
    this.#writeRoot(state);
  }

  onBlock(state: State, block: SealedBlock, result: BlockResult): void {
    const body = this.#body;
    body.reset();
    const withHead = block.height % this.#headEvery === 0;
    const { parentHash, transactions, signatures } = block;
    body.u8(RECORD.block);
    body.f64(block.height);
    body.f64(block.timeMs);
    body.u8((parentHash === undefined ? 0 : BLOCK_FLAG.parent) | (withHead ? BLOCK_FLAG.head : 0));
    if (parentHash !== undefined) writeHash(body, parentHash);
    body.u32(transactions.length);
    for (let at = 0; at < transactions.length; at++) writeTransaction(body, transactions[at]!, signatures?.[at]);
    body.u32(checksumOfEvents(result.events, result.from, result.to));
    if (withHead) writeHash(body, getHead(state));
    this.#append();
    if (block.height % this.#rootEvery === 0) this.#writeRoot(state);
  }

  onEnd(state: State): void {
    if (this.#rootHeight !== state.height) this.#writeRoot(state);
    this.#flush();
    if (this.#file === undefined) return;
    fsyncSync(this.#file);
    closeSync(this.#file);
    this.#file = undefined;
  }

  /** Closes and removes the file of a run that failed. */
  abandon(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    rmSync(this.path, { force: true });
  }

  #writeRoot(state: State): void {
    this.#rootHeight = state.height;
    const body = this.#body;
    body.reset();
    body.u8(RECORD.root);
    body.f64(state.height);
    writeHash(body, computeRoot(state));
    this.#append();
  }

  /** Frames the body and takes it into the buffer. */
  #append(): void {
    const body = this.#body.view8();
    const head = new Uint8Array(RECORD_BYTES);
    const view = new DataView(head.buffer);
    view.setUint32(0, body.length, true);
    view.setUint32(4, crc32(body), true);
    view.setUint32(8, crc32(head.subarray(0, 8)), true);
    this.#out.raw(head);
    this.#out.raw(body);
    if (this.#out.length >= BUFFER_BYTES) this.#flush();
  }

  #flush(): void {
    const bytes = this.#out.view8();
    let done = 0;
    try {
      while (this.#file !== undefined && done < bytes.length) done += writeSync(this.#file, bytes, done);
    } catch (error) {
      // A write by handle does not name its file.
      throw Object.assign(error as Error, { path: this.path });
    }
    this.#out.reset();
  }
}

function writeHash(writer: ByteWriter, hash: Bytes32): void {
  writer.raw(bytesOfHex(hash));
}
