/**
 * A dump: a whole venue in one file, to begin another from. Canonical and compressed, so that it is small and does not
 * depend on the build; checksum and state root are in it, so that what is loaded is what was dumped, or nothing.
 */
import { crc32, gunzipSync, gzipSync } from "node:zlib";
import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import type { Bytes32 } from "../../../protocol/fields.ts";
import { computeRoot } from "../../../venue/engine/commitment/root.ts";
import { readSnapshot, writeSnapshot } from "../../../venue/engine/commitment/snapshot.ts";
import { computeGenesisHash } from "../../../venue/engine/genesisHash.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import { StoreError } from "./errors.ts";
import { type FileKind, type HeaderFault, isHeaderFault, readHeader, writeHeader } from "./fileHeader.ts";

const DUMP: FileKind = { magic: "perpdump", version: 1 };

/** What a dump says of itself. */
export interface DumpHead {
  readonly network: string;
  readonly genesisHash: Bytes32;
  readonly height: number;
  readonly timeMs: number;
  readonly root: Bytes32;
  /** Of the host that was dumped; whoever goes on from it has a higher one. */
  readonly epoch: number;
  /** Of the bytes behind the header, and their checksum. */
  readonly bytes: number;
  readonly crc: number;
}

/** What a dump holds. */
export interface Dumped {
  readonly state: State;
  readonly epoch: number;
}

/** The dump of a venue, a host for example, as it is now. What is pending is no part of it. */
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
 * The venue of a dump.
 *
 * @param file what to call it in an error
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
  if (packed.length > head.bytes || crc32(packed) !== head.crc) throw corrupt("the checksum does not fit its bytes");
  let state: State;
  try {
    state = readSnapshot(gunzipSync(packed));
  } catch (cause) {
    throw corrupt(`cannot be read (${(cause as Error).message})`, cause);
  }
  if (computeRoot(state) !== head.root) throw corrupt("the venue in it is not the one that it says");
  return { state, epoch: head.epoch };
}

function errorOf(fault: HeaderFault, file: string): StoreError {
  switch (fault.fault) {
    case "version":
      return new StoreError(
        "DUMP_VERSION",
        `was written for ${fault.what} version ${fault.found}, this is version ${fault.wanted}`,
        { file, hint: "load it with a release that speaks that version" },
      );
    case "corrupt":
      return new StoreError("DUMP_CORRUPT", "the checksum of the header does not fit its bytes", { file });
    default:
      return new StoreError("DUMP_FORMAT", fault.fault === "short" ? "ends in its header" : "is no dump of a venue", {
        file,
      });
  }
}
