import type { Bytes32 } from "../../../protocol/fields.ts";
import { ClientError } from "../errors.ts";
import { isOutboxEntry, type Outbox, type OutboxEntry } from "./outbox.ts";

/** The used part of a browser's `localStorage`. */
export interface TextStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * Stores entries in a browser's storage, each under its own key, so that they survive a reload.
 *
 * @param name separates the clients of one page
 */
export function storageOutbox(storage: TextStorage, name = "perplab"): Outbox {
  const indexKey = `${name}:outbox`;
  const keyOf = (txId: string) => `${indexKey}:${txId}`;

  function read(key: string): unknown {
    const text = storage.getItem(key);
    if (text === null) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw corrupt(key);
    }
  }

  function readIndex(): Bytes32[] {
    const ids = read(indexKey) ?? [];
    if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string")) throw corrupt(indexKey);
    return ids as Bytes32[];
  }

  return {
    async put(entry) {
      // The entry first: an index without an entry would be worse than an entry without an index.
      storage.setItem(keyOf(entry.txId), JSON.stringify(entry));
      const ids = readIndex();
      if (!ids.includes(entry.txId)) storage.setItem(indexKey, JSON.stringify([...ids, entry.txId]));
    },
    async remove(txId) {
      storage.setItem(indexKey, JSON.stringify(readIndex().filter((id) => id !== txId)));
      storage.removeItem(keyOf(txId));
    },
    async list() {
      return readIndex().map((id): OutboxEntry => {
        const entry = read(keyOf(id));
        if (!isOutboxEntry(entry)) throw corrupt(keyOf(id));
        return entry;
      });
    },
  };
}

function corrupt(place: string): ClientError<"OUTBOX_CORRUPT"> {
  return new ClientError("OUTBOX_CORRUPT", `${place} in the storage is no outbox; inspect it, then remove it`, {
    place,
  });
}
