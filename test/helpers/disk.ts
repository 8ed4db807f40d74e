/** A folder in memory that loses what a power cut loses, and fails where a test wants it to. */
import type { StoreFile, StoreFiles } from "../../src/server/host/store/files.ts";

interface Content {
  bytes: Uint8Array;
  /** As it was when it was last made durable. */
  durable: Uint8Array;
}

export type DiskFault = "full" | "sync" | undefined;

export class TestDisk implements StoreFiles {
  readonly path = "disk";
  readonly files: Map<string, Content>;
  /** Names as they were when the folder was last made durable. */
  #durableNames: Map<string, Content>;
  /** What fails from now on: writes, after half of their bytes, or making durable. */
  fault: DiskFault;
  syncs = 0;

  constructor(files: Map<string, Content> = new Map()) {
    this.files = files;
    this.#durableNames = new Map(files);
  }

  list(): string[] {
    return [...this.files.keys()].sort();
  }

  open(name: string, mode: "create" | "write" | "read"): StoreFile {
    const known = this.files.get(name);
    if (mode === "create" && known !== undefined) throw new Error(`EEXIST ${name}`);
    if (mode !== "create" && known === undefined) throw new Error(`ENOENT ${name}`);
    const content = known ?? { bytes: new Uint8Array(), durable: new Uint8Array() };
    this.files.set(name, content);
    return this.#file(content);
  }

  rename(from: string, to: string): void {
    this.files.set(to, this.files.get(from)!);
    this.files.delete(from);
  }

  remove(name: string): void {
    this.files.delete(name);
  }

  syncFolder(): void {
    this.#check("sync");
    this.#durableNames = new Map(this.files);
  }

  /** What another process finds when this one was killed. */
  afterKill(): TestDisk {
    return new TestDisk(new Map([...this.files].map(([name, { bytes }]) => [name, copyOf(bytes)])));
  }

  /**
   * What is there after a power cut: of what was not durable, the bytes that `survives` keeps, zeros for the others.
   *
   * @param survives whether a page of 64 bytes had reached the disk
   */
  afterPowerCut(survives: () => boolean): TestDisk {
    const files = new Map<string, Content>();
    for (const [name, content] of this.#durableNames) files.set(name, copyOf(tearOf(content, survives)));
    return new TestDisk(files);
  }

  #file(content: Content): StoreFile {
    return {
      size: () => content.bytes.length,
      read(into, at) {
        const part = content.bytes.subarray(at, at + into.length);
        into.set(part);
        return part.length;
      },
      write: (bytes, at) => {
        const done = this.fault === "full" ? bytes.subarray(0, bytes.length >> 1) : bytes;
        if (at + done.length > content.bytes.length) {
          const grown = new Uint8Array(at + done.length);
          grown.set(content.bytes);
          content.bytes = grown;
        }
        content.bytes.set(done, at);
        this.#check("full");
      },
      sync: async () => {
        await Promise.resolve();
        this.#check("sync");
        this.syncs++;
        content.durable = content.bytes.slice();
      },
      syncNow: () => {
        this.#check("sync");
        content.durable = content.bytes.slice();
      },
      truncate(size) {
        content.bytes = content.bytes.slice(0, size);
      },
      close() {},
    };
  }

  #check(fault: DiskFault): void {
    if (this.fault === fault) throw Object.assign(new Error(fault === "full" ? "ENOSPC" : "EIO"), { code: fault });
  }
}

const copyOf = (bytes: Uint8Array): Content => ({ bytes: bytes.slice(), durable: bytes.slice() });

const PAGE = 64;

function tearOf({ bytes, durable }: Content, survives: () => boolean): Uint8Array {
  const torn = new Uint8Array(survives() ? bytes.length : Math.min(bytes.length, durable.length));
  torn.set(durable.subarray(0, torn.length));
  for (let at = 0; at < torn.length; at += PAGE) {
    if (survives()) torn.set(bytes.subarray(at, Math.min(at + PAGE, torn.length)), at);
  }
  return torn;
}
