/** A host over a venue that generated flows drive: their transactions carry verdicts in place of signatures. */

import { Flow } from "../../../src/proof/fuzz/flow/flow.ts";
import type { Bytes32 } from "../../../src/protocol/fields.ts";
import type { Genesis } from "../../../src/protocol/genesis.ts";
import type { Block } from "../../../src/protocol/transaction.ts";
import { createDigester, type Digester } from "../../../src/protocol/typedDataDigest.ts";
import type { BlockEntry, TransactionEntry, VenueHost } from "../../../src/server/host/host.ts";
import { applyBlock } from "../../../src/venue/engine/applyBlock.ts";
import { getHead } from "../../../src/venue/engine/commitment/root.ts";
import { createVenue } from "../../../src/venue/engine/genesis.ts";
import { forkState } from "../../../src/venue/engine/state/forkState.ts";
import { computeGenesisHash } from "../../../src/venue/engine/state/genesisHash.ts";
import type { State } from "../../../src/venue/engine/state/state.ts";
import { PendingPool } from "../../../src/venue/simulation/pool/pendingPool.ts";

type ReadHost = Pick<
  VenueHost,
  | "genesis"
  | "domain"
  | "state"
  | "pool"
  | "epoch"
  | "oldestHeight"
  | "block"
  | "past"
  | "transaction"
  | "onBlock"
  | "onEpoch"
  | "waitFor"
>;

export class FlowHost implements ReadHost {
  readonly genesis: Genesis;
  readonly domain: VenueHost["domain"];
  state: State;
  readonly pool = new PendingPool();
  epoch = 1;
  oldestHeight = 0;
  /** State that is kept for those who ask for the past. */
  kept: State | undefined;
  readonly entries: (BlockEntry | undefined)[] = [];
  readonly #digester: Digester;
  readonly #committed = new Map<Bytes32, { block: BlockEntry; index: number }>();
  readonly #blockListeners = new Set<(entry: BlockEntry) => void>();
  readonly #epochListeners = new Set<(reason: string) => void>();

  constructor(genesis: Genesis) {
    this.genesis = genesis;
    this.domain = { chainId: genesis.chainId, genesisHash: computeGenesisHash(genesis) };
    this.state = createVenue(genesis);
    this.#digester = createDigester(this.domain);
  }

  /** What every user of a host takes; what reads do not need is missing. */
  get asHost(): VenueHost {
    return this as unknown as VenueHost;
  }

  apply(block: Block): BlockEntry {
    const parentHash = getHead(this.state);
    const result = applyBlock(this.state, block);
    const shift = result.from;
    const entry: BlockEntry = {
      height: block.height,
      timeMs: block.timeMs,
      hash: getHead(this.state),
      parentHash,
      stateRoot: undefined,
      ids: block.transactions.map((transaction) => this.#idOf(transaction)),
      transactions: block.transactions,
      signatures: block.transactions.map(() => undefined),
      receipts: block.transactions.map((_, index) => {
        const receipt = result.receipts.at(index);
        return { ...receipt, eventsFrom: receipt.eventsFrom - shift, eventsTo: receipt.eventsTo - shift };
      }),
      events: result.events.slice(result.from, result.to),
      texts: [...result.texts],
    };
    this.entries[entry.height] = entry;
    entry.ids.forEach((id, index) => {
      if (entry.receipts[index]!.status !== "invalid") this.#committed.set(id, { block: entry, index });
    });
    for (const listener of this.#blockListeners) listener(entry);
    return entry;
  }

  prune(below: number): void {
    for (let height = this.oldestHeight; height < below; height++) this.entries[height] = undefined;
    this.oldestHeight = below;
  }

  raiseEpoch(reason: string): void {
    this.epoch++;
    for (const listener of this.#epochListeners) listener(reason);
  }

  block(height: number): BlockEntry | undefined {
    return this.entries[height];
  }

  /** From the state that is kept, or else from genesis. */
  past(height: number): State | undefined {
    const { kept } = this;
    if (kept !== undefined && kept.height <= height) return forkState(kept);
    return this.oldestHeight > 1 ? undefined : createVenue(this.genesis);
  }

  transaction(id: Bytes32): TransactionEntry | undefined {
    const pending = this.pool.get(id);
    if (pending !== undefined) {
      const signed = { transaction: pending.transaction, signature: pending.signature ?? new Uint8Array(65) };
      return { status: "pending", id, signed, sinceHeight: pending.sinceHeight };
    }
    const found = this.#committed.get(id);
    if (found === undefined || found.block.height < this.oldestHeight) return undefined;
    return { status: "committed", id, ...found, receipt: found.block.receipts[found.index]! };
  }

  onBlock(listener: (entry: BlockEntry) => void): () => void {
    this.#blockListeners.add(listener);
    return () => void this.#blockListeners.delete(listener);
  }

  onEpoch(listener: (reason: string) => void): () => void {
    this.#epochListeners.add(listener);
    return () => void this.#epochListeners.delete(listener);
  }

  async waitFor(id: Bytes32, timeoutMs: number): Promise<TransactionEntry | undefined> {
    if (this.transaction(id)?.status !== "pending") return this.transaction(id);
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(), timeoutMs);
      const off = this.onBlock(() => {
        if (this.transaction(id)?.status !== "pending") end();
      });
      const end = () => {
        clearTimeout(timer);
        off();
        resolve(this.transaction(id));
      };
    });
  }

  // A damaged header may hold values that no digest accepts; such a transaction is never requested.
  #idOf(transaction: Block["transactions"][number]): Bytes32 {
    try {
      return this.#digester.digestOf(transaction);
    } catch {
      return `0x${"f".repeat(64)}`;
    }
  }
}

/** A venue after so many blocks of a flow. */
export function hostOfFlow(seed: number, blocks: number): { host: FlowHost; flow: Flow } {
  const flow = new Flow(seed);
  const host = new FlowHost(flow.genesis);
  for (let count = 0; count < blocks; count++) host.apply(flow.next(host.state));
  return { host, flow };
}
