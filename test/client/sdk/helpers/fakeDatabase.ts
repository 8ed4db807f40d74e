/** As much of IndexedDB as an outbox uses: what a transaction did is there when it has ended, and not before. */
import type { DatabaseFactory } from "../../../../src/client/sdk/outbox/indexedDbOutbox.ts";

type Rows = Map<string, Readonly<Record<string, unknown>>>;
type Handler = (() => void) | null;

interface Asked {
  result: unknown;
  error: unknown;
  onsuccess: Handler;
  onerror: Handler;
  onupgradeneeded: Handler;
}

export class FakeDatabases {
  readonly stores = new Map<string, Rows>();
  /** What the next transaction that writes ends with, instead of being kept. */
  failure: Error | undefined;
  /** The page is gone: nothing that is under way ends. */
  isCrashed = false;
  #tail: Promise<void> = Promise.resolve();

  /** As a page that is opened now sees them. */
  get factory(): DatabaseFactory {
    return { open: (name: string) => this.#open(name) } as unknown as DatabaseFactory;
  }

  #open(name: string): Asked {
    const database = {
      onversionchange: null,
      createObjectStore: () => void this.stores.set(name, new Map()),
      transaction: (_: string, mode: string) => this.#transact(name, mode),
      close() {},
    };
    const asked = newAsked();
    asked.result = database;
    queueMicrotask(() => {
      if (!this.stores.has(name)) asked.onupgradeneeded?.();
      asked.onsuccess?.();
    });
    return asked;
  }

  #transact(name: string, mode: string) {
    let rows: Rows = new Map();
    const waiting: (() => void)[] = [];
    const transaction = { error: undefined as unknown, oncomplete: null as Handler, onabort: null as Handler };
    const ask = (work: () => unknown): Asked => {
      const asked = newAsked();
      waiting.push(() => {
        asked.result = work();
        asked.onsuccess?.();
      });
      return asked;
    };
    const store = {
      put: (row: Readonly<Record<string, unknown>>) => ask(() => rows.set(String(row["txId"]), structuredClone(row))),
      delete: (key: string) => ask(() => rows.delete(key)),
      getAll: () => ask(() => [...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)),
    };
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const turn = () => {
      if (this.isCrashed) return end();
      const next = waiting.shift();
      if (next !== undefined) {
        next();
        queueMicrotask(turn);
      } else if (mode === "readwrite" && this.failure !== undefined) {
        transaction.error = this.failure;
        transaction.onabort?.();
        end();
      } else {
        if (mode === "readwrite") this.stores.set(name, rows);
        transaction.oncomplete?.();
        end();
      }
    };
    // One after the other, as those that write must be.
    const before = this.#tail;
    this.#tail = ended;
    void before.then(() => {
      rows = new Map(this.stores.get(name));
      setImmediate(turn);
    });
    return Object.assign(transaction, { objectStore: () => store });
  }
}

function newAsked(): Asked {
  return { result: undefined, error: undefined, onsuccess: null, onerror: null, onupgradeneeded: null };
}
