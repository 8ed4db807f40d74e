import { ByteWriter } from "../../../ground/collections/byteWriter.ts";
import { StoreError } from "./errors.ts";
import type { OnFaultPoint } from "./faultPoints.ts";
import type { StoreFiles } from "./files.ts";
import { FRAME_BYTES, readFrame, writeFrame } from "./frame.ts";
import { syncBody } from "./records.ts";
import { byteOf, createSegment, locationOf, type Segment, type SegmentStart, segmentOf } from "./segments.ts";

export interface LogOptions {
  /** A segment that has grown to this is followed by another. */
  readonly segmentBytes: number;
  /**
   * By so many bytes a file grows at a time, in zeros: making bytes durable where the file has room already takes a
   * fraction of the time, because the file system has nothing to write down of its own. 0 for none.
   */
  readonly roomBytes: number;
  readonly onPoint?: OnFaultPoint;
}

/**
 * The log as it is written: records are gathered, written together, and made durable by `commit`, a group at a time.
 * After a write or a sync has failed it takes nothing more, because nobody knows then what is on disk.
 */
export class Log {
  readonly #files: StoreFiles;
  readonly #options: LogOptions;
  readonly #segments: Map<number, Segment>;
  #current: Segment;
  /** Bytes of the current segment that are written, and what is to follow them. */
  #written: number;
  /** Bytes of the current segment as far as there is room. */
  #room: number;
  readonly #out = new ByteWriter(1 << 20);
  #group: number;
  #open = false;
  #appended = 0;
  #failure: Error | undefined;

  /** @param written bytes of the last segment; what is behind them is overwritten */
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

  /** Place of the next record. */
  get end(): number {
    return locationOf(this.#current.number, this.#written + this.#out.length);
  }

  /** Bytes of records since the log was opened. */
  get appended(): number {
    return this.#appended;
  }

  /** Whether there is something that is not durable yet and must be. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Gathers a record and says where it will be. */
  append(body: Uint8Array): number {
    this.#check();
    const location = this.end;
    writeFrame(this.#out, this.#group, body);
    this.#open = true;
    this.#appended += FRAME_BYTES + body.length;
    return location;
  }

  /** Hands over to the system what was gathered: it outlives the process then, but not the machine. */
  write(): void {
    this.#check();
    if (this.#out.length === 0) return;
    const { file } = this.#current;
    try {
      file.write(this.#out.view8(), this.#written);
      const end = this.#written + this.#out.length;
      if (end > this.#room && this.#options.roomBytes > 0) {
        this.#room = end + this.#options.roomBytes;
        file.write(new Uint8Array(this.#options.roomBytes), end);
      }
    } catch (cause) {
      throw this.#fail("could not be written", cause);
    }
    this.#written += this.#out.length;
    this.#out.reset();
  }

  /**
   * Makes everything so far durable. What is appended meanwhile belongs to the next group.
   *
   * @param next where a new segment would take up
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

  /** Body of the record at a place. */
  read(location: number): Uint8Array {
    if (segmentOf(location) === this.#current.number && byteOf(location) >= this.#written) {
      // Not written yet, or never: what is gathered can be read also where the disk takes nothing more.
      return readFrame(this.#out.view8(), byteOf(location) - this.#written)!.body.slice();
    }
    const segment = this.#segments.get(segmentOf(location));
    if (segment === undefined) throw new StoreError("STORE_CLOSED", "the store is closed");
    const at = byteOf(location);
    // Most records are small: one read gets the length and the record.
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
      hint: "see to the disk, then start again",
    });
    return this.#failure;
  }
}
