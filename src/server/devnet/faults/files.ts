import type { DiskFault, StoreFileKind } from "../../../client/api/schemas/faults.ts";
import type { StoreFile, StoreFiles } from "../../host/store/files.ts";
import type { FaultPlan } from "./plan.ts";

/** Their errors, as the operating system reports them. */
const ERRORS: Readonly<Record<DiskFault, { readonly code: string; readonly message: string }>> = {
  diskFull: { code: "ENOSPC", message: "ENOSPC: no space left on device" },
  syncFailure: { code: "EIO", message: "EIO: i/o error" },
};

/** The folder of a store, on a disk with injected faults. */
export class FaultyFiles implements StoreFiles {
  readonly path: string;
  readonly #inner: StoreFiles;
  readonly #plan: FaultPlan;

  constructor(inner: StoreFiles, plan: FaultPlan) {
    this.path = inner.path;
    this.#inner = inner;
    this.#plan = plan;
  }

  list(): string[] {
    return this.#inner.list();
  }

  open(name: string, mode: "create" | "write" | "read"): StoreFile {
    const inner = this.#inner.open(name, mode);
    const plan = this.#plan;
    const file: StoreFileKind = name.startsWith("log-") ? "log" : "state";
    const strikes = (kind: DiskFault) => plan.strikes([kind], { file }).length > 0;
    return {
      size: () => inner.size(),
      read: (into, at) => inner.read(into, at),
      write(bytes, at) {
        const isFull = strikes("diskFull");
        inner.write(isFull ? bytes.subarray(0, bytes.length >> 1) : bytes, at);
        if (isFull) throw errorOf("diskFull");
      },
      async sync() {
        if (strikes("syncFailure")) throw errorOf("syncFailure");
        await inner.sync();
      },
      syncNow() {
        if (strikes("syncFailure")) throw errorOf("syncFailure");
        inner.syncNow();
      },
      truncate: (size) => inner.truncate(size),
      close: () => inner.close(),
    };
  }

  rename(from: string, to: string): void {
    this.#inner.rename(from, to);
  }

  remove(name: string): void {
    this.#inner.remove(name);
  }

  syncFolder(): void {
    this.#inner.syncFolder();
  }
}

function errorOf(kind: DiskFault): Error {
  const { code, message } = ERRORS[kind];
  return Object.assign(new Error(`${message} (an injected fault)`), { code });
}
