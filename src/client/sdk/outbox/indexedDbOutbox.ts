import { ClientError } from "../errors.ts";
import { isOutboxEntry, type Outbox } from "./outbox.ts";

type Handler = ((this: never, event: never) => unknown) | null;

interface Request<T> {
  readonly result: T;
  readonly error: unknown;
  onsuccess: Handler;
  onerror: Handler;
}

interface ObjectStore {
  put(value: unknown): Request<unknown>;
  delete(key: string): Request<unknown>;
  getAll(): Request<unknown[]>;
}

interface Database {
  onversionchange: Handler;
  createObjectStore(name: string, options: { keyPath: string }): unknown;
  transaction(
    store: string,
    mode: "readonly" | "readwrite",
    options?: { durability: "strict" },
  ): { readonly error: unknown; oncomplete: Handler; onabort: Handler; objectStore(name: string): ObjectStore };
  close(): void;
}

/** The used part of a browser's `indexedDB`. */
export interface DatabaseFactory {
  open(name: string, version: number): Request<Database> & { onupgradeneeded: Handler };
}

const STORE = "entries";
const VERSION = 1;

/** An entry, and its place in the order in which entries were put. */
interface Row {
  readonly txId: string;
  readonly place: number;
  readonly entry: unknown;
}

/**
 * Stores entries in a browser's IndexedDB. They survive a reload or crash of the page, workers may use it, and it holds
 * more than `localStorage`. `put` resolves when the browser reports the entry as stored, on disk if the browser
 * supports that.
 *
 * @param name separates the clients of one page
 * @throws {ClientError} OUTBOX_CORRUPT if the database holds anything else
 */
export function indexedDbOutbox(factory: DatabaseFactory, name = "perplab"): Outbox {
  const title = `${name}:outbox`;
  let opened: Promise<Database> | undefined;

  function open(): Promise<Database> {
    if (opened !== undefined) return opened;
    const opening = new Promise<Database>((resolve, reject) => {
      const request = factory.open(title, VERSION);
      request.onupgradeneeded = () => void request.result.createObjectStore(STORE, { keyPath: "txId" });
      request.onsuccess = () => {
        // A page with a newer schema must not wait for this page to end.
        request.result.onversionchange = () => close();
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
    });
    opened = opening;
    opening.catch(() => {
      opened = undefined;
    });
    return opening;
  }

  async function close(): Promise<void> {
    const closing = opened;
    opened = undefined;
    (await closing?.catch(() => undefined))?.close();
  }

  /** Resolves when the transaction has ended: before that, the effect of a request may still be undone. */
  async function transact<T>(
    mode: "readonly" | "readwrite",
    work: (store: ObjectStore, keep: (result: T) => void) => void,
  ): Promise<T> {
    const database = await open();
    return new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      let result: T;
      transaction.oncomplete = () => resolve(result);
      transaction.onabort = () => reject(transaction.error);
      work(transaction.objectStore(STORE), (found) => {
        result = found;
      });
    });
  }

  return {
    put: (entry) =>
      transact("readwrite", (store) => {
        const known = store.getAll();
        known.onsuccess = () => {
          const rows = known.result as Row[];
          const same = rows.find(({ txId }) => txId === entry.txId);
          const place = same?.place ?? rows.reduce((most, row) => Math.max(most, row.place), 0) + 1;
          store.put({ txId: entry.txId, place, entry } satisfies Row);
        };
      }),
    remove: (txId) => transact("readwrite", (store) => void store.delete(txId)),
    async list() {
      const rows = await transact<unknown[]>("readonly", (store, keep) => {
        const all = store.getAll();
        all.onsuccess = () => keep(all.result);
      });
      return (rows as Row[])
        .sort((a, b) => a.place - b.place)
        .map(({ txId, entry }) => {
          if (isOutboxEntry(entry)) return entry;
          const words = `${txId} in the database ${title} is not an outbox entry; inspect it, then remove it`;
          throw new ClientError("OUTBOX_CORRUPT", words, { place: `${title}/${txId}` });
        });
    },
    close,
  };
}
