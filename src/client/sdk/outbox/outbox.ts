import type { Domain } from "../../../protocol/action.ts";
import type { Address, Bytes32 } from "../../../protocol/fields.ts";

/**
 * A signed transaction without a known outcome, with all data needed to find the outcome or to send the same bytes
 * again. It is recorded before it is first sent and removed when its outcome is final.
 */
export interface OutboxEntry {
  readonly txId: Bytes32;
  /** Idempotency key: one for each logical submission. */
  readonly key: string;
  /** The network that the signature is bound to. */
  readonly chainId: number;
  readonly genesisHash: Bytes32;
  readonly account: Address;
  readonly subaccount: number;
  readonly signer: Address;
  readonly domain: Domain;
  readonly nonce: number;
  /** Last block that may include it. */
  readonly validUntil: number;
  /** The request's body. */
  readonly body: string;
}

/** Storage of a client's unconfirmed transactions. One outbox belongs to one client at a time. */
export interface Outbox {
  /** Resolves when the entry is stored; it is not sent before. */
  put(entry: OutboxEntry): Promise<void>;
  remove(txId: Bytes32): Promise<void>;
  /** In the order in which they were put. */
  list(): Promise<readonly OutboxEntry[]>;
  /** Releases open handles; the entries stay stored. */
  close?(): Promise<void>;
}

/** Keeps entries as long as the process lives. */
export function memoryOutbox(): Outbox {
  const entries = new Map<Bytes32, OutboxEntry>();
  return {
    async put(entry) {
      entries.set(entry.txId, entry);
    },
    async remove(txId) {
      entries.delete(txId);
    },
    list: async () => [...entries.values()],
  };
}

const FIELDS: Readonly<Record<keyof OutboxEntry, "string" | "number">> = {
  txId: "string",
  key: "string",
  chainId: "number",
  genesisHash: "string",
  account: "string",
  subaccount: "number",
  signer: "string",
  domain: "string",
  nonce: "number",
  validUntil: "number",
  body: "string",
};

/** True if a value read from disk or a browser's storage is an entry. */
export function isOutboxEntry(value: unknown): value is OutboxEntry {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return Object.entries(FIELDS).every(([name, type]) => typeof fields[name] === type);
}
