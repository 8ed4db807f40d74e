/**
 * A dump: a whole venue in one file, from which another can start. It is canonical and compressed, so it is small and
 * independent of the build. It has a checksum and the state root, so a damaged dump is never loaded.
 */
import { crc32, gunzipSync, gzipSync } from "node:zlib";
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { computeRoot } from "../../../venue/engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import { computeGenesisHash } from "../../../venue/engine/state/genesisHash.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { StoreError } from "./errors.ts";
import { type FileKind, type HeaderFault, isHeaderFault, readHeader, writeHeader } from "./fileHeader.ts";

const DUMP: FileKind = { magic: "perpdump", version: 1 };

/** Header of a dump. */
export interface DumpHead {
  readonly network: string;
  readonly genesisHash: Bytes32;
  readonly height: number;
  readonly timeMs: number;
  readonly root: Bytes32;
  /** Epoch of the dumped host; a host that starts from the dump has a higher one. */
  readonly epoch: number;
  /** Length of the bytes after the header, and their checksum. */
  readonly bytes: number;
  readonly crc: number;
}

/** Content of a dump. */
export interface Dumped {
  readonly state: State;
  readonly epoch: number;
}

/** Writes the dump of a venue, for example a host, at its present height, without pending transactions. */
export function writeDump({ state, epoch }: Dumped): Uint8Array {
  const packed = gzipSync(writeSnapshot(state));
  const { height, timeMs, genesis } = state;
  const head: DumpHead = {
    network: genesis.network,
    genesisHash: computeGenesisHash(genesis),
    height,
    timeMs,
    root: computeRoot(state),
    epoch,
    bytes: packed.length,
    crc: crc32(packed),
  };
  const out = new ByteWriter(packed.length + 1024);
  writeHeader(out, DUMP, JSON.stringify(head));
  out.raw(packed);
  return out.view8();
}

/**
 * Reads the venue of a dump.
 *
 * @param file name of the file, for errors
 * @throws {StoreError} DUMP_FORMAT, DUMP_VERSION, DUMP_CORRUPT
 */
export function readDump(bytes: Uint8Array, file = "dump"): Dumped {
  const header = readHeader(bytes, DUMP);
  if (isHeaderFault(header)) throw errorOf(header, file);
  const corrupt = (reason: string, cause?: unknown) =>
    new StoreError("DUMP_CORRUPT", reason, { file, hint: "take it from a copy", cause });
  const head = JSON.parse(header.text) as DumpHead;
  const packed = bytes.subarray(header.size);
  if (packed.length < head.bytes) {
    throw new StoreError("DUMP_FORMAT", `ends after ${packed.length} of ${head.bytes} bytes`, { file });
  }
  if (packed.length > head.bytes || crc32(packed) !== head.crc) throw corrupt("the checksum does not match its bytes");
  let state: State;
  try {
    state = readSnapshot(gunzipSync(packed));
  } catch (cause) {
    throw corrupt(`cannot be read (${(cause as Error).message})`, cause);
  }
  if (computeRoot(state) !== head.root) throw corrupt("its state does not have the root of its header");
  return { state, epoch: head.epoch };
}

function errorOf(fault: HeaderFault, file: string): StoreError {
  switch (fault.fault) {
    case "version":
      return new StoreError(
        "DUMP_VERSION",
        `was written for ${fault.what} version ${fault.found}, this is version ${fault.wanted}`,
        { file, hint: "load it with a release that supports that version" },
      );
    case "corrupt":
      return new StoreError("DUMP_CORRUPT", "the checksum of the header does not match its bytes", { file });
    default:
      return new StoreError("DUMP_FORMAT", fault.fault === "short" ? "ends in its header" : "is no dump of a venue", {
        file,
      });
  }
}
