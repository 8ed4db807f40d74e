import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { StoreError } from "./errors.ts";
import type { OnFaultPoint } from "./faultPoints.ts";
import type { StoreFiles } from "./files.ts";
import { FRAME_BYTES, readFrame, writeFrame } from "./frame.ts";
import { syncBody } from "./records.ts";
import { byteOf, createSegment, locationOf, type Segment, type SegmentStart, segmentOf } from "./segments.ts";

export interface LogOptions {
  /** Size at which a segment is closed and the next one begins. */
  readonly segmentBytes: number;
  /**
   * Step in which a file grows, filled with zeros. Syncing bytes within allocated space is several times faster, since
   * the file system has no metadata to write. 0 for none.
   */
  readonly roomBytes: number;
  readonly onPoint?: OnFaultPoint;
}

/**
 * The writer of the log: records are buffered, written together, and made durable by `commit`, a group at a time. After
 * a failed write or sync the log accepts nothing more, since the content of the disk is unknown.
 */
export class Log {
  readonly #files: StoreFiles;
  readonly #options: LogOptions;
  readonly #segments: Map<number, Segment>;
  #current: Segment;
  /** Written bytes of the current segment, and the buffer that follows them. */
  #written: number;
  /** Allocated bytes of the current segment. */
  #room: number;
  readonly #out = new ByteWriter(1 << 20);
  /** Bytes of the buffer that the operating system already has. */
  #ahead = 0;
  #group: number;
  #open = false;
  #appended = 0;
  #failure: Error | undefined;

  /** @param written bytes of the last segment; later bytes are overwritten */
  constructor(files: StoreFiles, segments: readonly Segment[], written: number, group: number, options: LogOptions) {
    this.#files = files;
    this.#options = options;
    this.#segments = new Map(segments.map((segment) => [segment.number, segment]));
    this.#current = segments.at(-1)!;
    this.#written = written;
    this.#room = written;
    this.#group = group;
  }

  /** Segments by number, oldest first. */
  segments(): Segment[] {
    return [...this.#segments.values()];
  }

  /** Location of the next record. */
  get end(): number {
    return locationOf(this.#current.number, this.#written + this.#out.length);
  }

  /** Bytes of records since the log was opened. */
  get appended(): number {
    return this.#appended;
  }

  /** Whether any write is not durable yet and must be. */
  get isOpen(): boolean {
    return this.#open;
  }

  /**
   * Buffers a record and returns its future location.
   *
   * @param tail the rest of a large body
   */
  append(body: Uint8Array, tail?: Uint8Array): number {
    this.#check();
    const location = this.end;
    writeFrame(this.#out, this.#group, body, tail);
    this.#open = true;
    this.#appended += FRAME_BYTES + body.length + (tail?.length ?? 0);
    return location;
  }

  /** Bytes that are buffered. */
  get buffered(): number {
    return this.#out.length;
  }

  /** Hands a part of the buffer to the operating system; `write` or `commit` hand over the rest. */
  writeAhead(most: number): void {
    this.#check();
    const to = Math.min(this.#out.length, this.#ahead + most);
    try {
      this.#current.file.write(this.#out.view8().subarray(this.#ahead, to), this.#written + this.#ahead);
    } catch (cause) {
      throw this.#fail("could not be written", cause);
    }
    this.#ahead = to;
  }

  /** Hands the buffer to the operating system: it then outlives the process, but not the machine. */
  write(): void {
    this.#check();
    if (this.#out.length === 0) return;
    const { file } = this.#current;
    try {
      file.write(this.#out.view8().subarray(this.#ahead), this.#written + this.#ahead);
      const end = this.#written + this.#out.length;
      if (end > this.#room && this.#options.roomBytes > 0) {
        this.#room = end + this.#options.roomBytes;
        file.write(new Uint8Array(this.#options.roomBytes), end);
      }
    } catch (cause) {
      throw this.#fail("could not be written", cause);
    }
    this.#written += this.#out.length;
    this.#ahead = 0;
    this.#out.reset();
  }

  /**
   * Makes all records so far durable. Records appended meanwhile belong to the next group.
   *
   * @param next start of a new segment
   */
  async commit(next: () => Omit<SegmentStart, "group">): Promise<void> {
    const { onPoint } = this.#options;
    if (!this.#open) return;
    this.append(syncBody());
    this.#open = false;
    onPoint?.("beforeWrite");
    this.write();
    this.#group++;
    onPoint?.("afterWrite");
    const full = this.#current;
    try {
      if (this.#written >= this.#options.segmentBytes) this.#startSegment(next());
      await full.file.sync();
      if (full !== this.#current) {
        await this.#current.file.sync();
        this.#files.syncFolder();
      }
    } catch (cause) {
      throw this.#fail("could not be made durable", cause);
    }
    onPoint?.("afterSync");
  }

  /** Body of the record at a location. */
  read(location: number): Uint8Array {
    if (segmentOf(location) === this.#current.number && byteOf(location) >= this.#written) {
      // Buffered records can be read even if the disk accepts no more writes.
      return readFrame(this.#out.view8(), byteOf(location) - this.#written)!.body.slice();
    }
    const segment = this.#segments.get(segmentOf(location));
    if (segment === undefined) throw new StoreError("STORE_CLOSED", "the store is closed");
    const at = byteOf(location);
    // Most records are small: one read returns the length and the record.
    let bytes = new Uint8Array(2048);
    bytes = bytes.subarray(0, segment.file.read(bytes, at));
    const length = bytes.length < 4 ? 0 : new DataView(bytes.buffer).getUint32(0, true);
    if (FRAME_BYTES + length > bytes.length) {
      bytes = new Uint8Array(FRAME_BYTES + length);
      segment.file.read(bytes, at);
    }
    const frame = readFrame(bytes, 0);
    if (frame !== undefined) return frame.body;
    throw new StoreError("STORE_CORRUPT", "a record that was whole is damaged", {
      file: `${this.#files.path}/${segment.name}`,
      offset: at,
    });
  }

  /** Removes the segments below a number. */
  removeBelow(number: number): void {
    for (const segment of this.segments()) {
      if (segment.number >= number) break;
      this.#segments.delete(segment.number);
      segment.file.close();
      this.#files.remove(segment.name);
    }
    this.#files.syncFolder();
  }

  close(): void {
    if (this.#failure === undefined && this.#room > this.#written) this.#current.file.truncate(this.#written);
    for (const { file } of this.#segments.values()) file.close();
    this.#segments.clear();
    this.#failure ??= new StoreError("STORE_CLOSED", "the store is closed");
  }

  #startSegment(start: Omit<SegmentStart, "group">): void {
    const { number, genesis } = this.#current;
    if (this.#room > this.#written) this.#current.file.truncate(this.#written);
    this.#current = createSegment(this.#files, number + 1, genesis, { ...start, group: this.#group });
    this.#segments.set(number + 1, this.#current);
    this.#written = this.#current.headerBytes;
    this.#room = this.#written;
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  #fail(reason: string, cause: unknown): Error {
    const file = `${this.#files.path}/${this.#current.name}`;
    this.#failure ??= new StoreError("STORE_WRITE", `${reason}: ${(cause as Error).message}`, {
      file,
      cause,
      hint: "repair the disk, then start again",
    });
    return this.#failure;
  }
}
