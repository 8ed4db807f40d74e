import type { Signed } from "../../protocol/codec.ts";
import type { Address, Bytes32 } from "../../protocol/fields.ts";
import type { State } from "../../venue/engine/state/state.ts";
import type { BlockEntry } from "./host.ts";
import type { Ending, Found, KeyUse, Ledger, Taken } from "./ledger.ts";
import { KEY_BLOCKS } from "./options.ts";

/** A transaction of the ledger, with the names of its keys. */
interface Entry {
  readonly receivedAtMs: number;
  readonly keys: string[];
  /** Undefined for a committed transaction: its block has it. */
  signed: Signed | undefined;
  height: number;
  index: number;
  ending: Ending | undefined;
  reverted: boolean;
}

export interface MemoryLedgerOptions {
  readonly keepBlocks: number;
  readonly keyMs: number;
  readonly clock: () => number;
}

/** Stores everything in memory, and only the newest blocks and keys. */
export class MemoryLedger implements Ledger {
  readonly #options: MemoryLedgerOptions;
  readonly #blocks = new Map<number, BlockEntry>();
  readonly #entries = new Map<Bytes32, Entry>();
  /** In order of arrival, so the oldest are first. */
  readonly #keys = new Map<string, KeyUse>();
  #oldest: number;
  #head: number;

  /** @param height first height of the venue */
  constructor(height: number, options: MemoryLedgerOptions) {
    this.#options = options;
    this.#oldest = height + 1;
    this.#head = height;
  }

  get oldestHeight(): number {
    return this.#oldest;
  }

  take({ id, signed, key, receivedAtMs }: Taken): void {
    const { header } = signed.transaction;
    this.#entries.set(id, {
      receivedAtMs,
      keys: [],
      signed,
      height: -1,
      index: -1,
      ending: undefined,
      reverted: false,
    });
    this.bind(header.signer, key, { id, receivedAtMs, validUntil: header.validUntil, code: undefined });
  }

  bind(signer: Address, key: string, use: KeyUse): void {
    const name = `${signer} ${key}`;
    this.#keys.set(name, use);
    this.#entries.get(use.id)?.keys.push(name);
  }

  decide(): void {}

  record(entry: BlockEntry): void {
    this.#blocks.set(entry.height, entry);
    this.#head = entry.height;
    for (const [index, id] of entry.ids.entries()) {
      const known = this.#entries.get(id);
      if (known === undefined || entry.receipts[index]!.status === "invalid") continue;
      known.height = entry.height;
      known.index = index;
      known.signed = undefined;
    }
    this.#prune();
  }

  write(): undefined {
    return undefined;
  }

  end(ending: Ending): void {
    const entry = this.#entries.get(ending.id);
    if (entry !== undefined) entry.ending = ending;
  }

  branch(height: number): void {
    for (const [id, entry] of this.#entries) {
      const at = entry.ending?.atHeight ?? entry.height;
      if (entry.reverted || (at >= 0 && at <= height)) continue;
      entry.signed ??= this.#signedAt(entry);
      entry.ending = { id, status: "dropped", atHeight: Math.max(height, 0), reason: undefined, replacedBy: undefined };
      entry.height = -1;
      entry.reverted = true;
      for (const name of entry.keys) this.#keys.delete(name);
      entry.keys.length = 0;
    }
    // No refusal is permanent now: nonces are free again, and heights repeat.
    for (const [name, { code }] of this.#keys) if (code !== undefined) this.#keys.delete(name);
    for (let above = this.#head; above > height; above--) this.#blocks.delete(above);
    this.#head = height;
  }

  load({ state }: { readonly state: State }): void {
    this.branch(-1);
    this.#blocks.clear();
    this.#oldest = state.height + 1;
    this.#head = state.height;
  }

  commit(): undefined {
    return undefined;
  }

  keyUse(signer: Address, key: string): KeyUse | undefined {
    return this.#keys.get(`${signer} ${key}`);
  }

  find(id: Bytes32): Found | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const { receivedAtMs, height, index, ending, signed, reverted } = entry;
    if (ending !== undefined) return { status: "ended", receivedAtMs, ending, signed: signed!, reverted };
    if (height >= 0) return { status: "committed", receivedAtMs, height, index };
    return { status: "pending", receivedAtMs };
  }

  block(height: number): BlockEntry | undefined {
    return this.#blocks.get(height);
  }

  stateBelow(): undefined {
    return undefined;
  }

  async close(): Promise<void> {}

  #signedAt({ height, index }: Entry): Signed {
    const { transactions, signatures } = this.#blocks.get(height)!;
    return { transaction: transactions[index]!, signature: signatures[index]! };
  }

  /** Old blocks are removed with their transactions, unless a key still needs those. */
  #prune(): void {
    const { keepBlocks, keyMs, clock } = this.#options;
    for (; this.#oldest <= this.#head - keepBlocks; this.#oldest++) {
      const block = this.#blocks.get(this.#oldest);
      this.#blocks.delete(this.#oldest);
      for (const id of block?.ids ?? []) if (this.#entries.get(id)?.keys.length === 0) this.#entries.delete(id);
    }
    const before = clock() - keyMs;
    for (const [name, { id, receivedAtMs, validUntil }] of this.#keys) {
      if (receivedAtMs > before || validUntil + KEY_BLOCKS >= this.#head) break;
      this.#keys.delete(name);
      const entry = this.#entries.get(id);
      if (entry === undefined) continue;
      entry.keys.splice(entry.keys.indexOf(name), 1);
      const gone = entry.height >= 0 ? entry.height < this.#oldest : entry.ending !== undefined;
      if (gone && entry.keys.length === 0) this.#entries.delete(id);
    }
  }
}
