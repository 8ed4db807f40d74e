import { isLiquidationStepCode } from "../../../protocol/liquidationStep.ts";
import type { Block } from "../../../protocol/transaction.ts";
import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { EVENT_WIDTHS } from "../../../venue/engine/events/readEvents.ts";
import type { AccountRow } from "../../../venue/engine/state/schema.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { Nearest } from "../../invariants/machinery/watching/watch.ts";
import { ContributorProbe } from "./contributorProbe.ts";
import { CoverageMap } from "./coverageMap.ts";
import { LABEL_RULES } from "./labels.ts";
import { placeOfLabel, placeOfNearest, placeOfOutcome, placeOfPair } from "./layout.ts";
import { countAccount, countBlock, countMarkets, countSlack } from "./stateBuckets.ts";

/** Label of an account without an event so far. */
const NOTHING = -1;

/**
 * Counts the places that a run reaches, from receipts, events and the state after each block. It allocates no objects.
 * One instance can serve several runs, one after another.
 */
export class Feedback {
  readonly map: CoverageMap = new CoverageMap();
  /** Counts sums that a second contributor decided, while a block is applied. */
  readonly probe: ContributorProbe = new ContributorProbe(this.map);
  /** Last label of each account. */
  #last = new Int16Array(64).fill(NOTHING);
  /** Accounts named by events of the block, and the block in which each was last named. */
  readonly #named: number[] = [];
  #stamps = new Uint32Array(64);
  #stamp = 0;

  /** Clears the previous run. */
  start(): void {
    this.map.clear();
    this.probe.start();
    this.#last.fill(NOTHING);
  }

  /** Counts the smallest slack of invariants in a run, from `Watch.nearest`. */
  observeNearest(nearest: ReadonlyMap<string, Nearest>): void {
    let slot = 0;
    for (const { distance, height } of nearest.values()) {
      this.map.now = height;
      const place = Number.isFinite(distance) ? placeOfNearest(slot, distance) : undefined;
      if (place !== undefined) this.map.count(place);
      slot++;
    }
  }

  observe(state: State, block: Block, result: BlockResult): void {
    this.#reserve(state.accounts.rows.high);
    this.map.now = block.height;
    this.#countReceipts(block, result);
    this.#countEvents(state, result);
    for (const account of this.#named) countAccount(this.map, state, account as AccountRow);
    countMarkets(this.map, state);
  }

  #countReceipts({ transactions }: Block, { receipts }: BlockResult): void {
    const { codes, outcomes, numbers } = receipts;
    for (let index = 0; index < transactions.length; index++) {
      this.map.count(placeOfOutcome(transactions[index]!.code, codes[index]!, outcomes[index]!));
    }
    for (const [index, compared] of numbers) {
      let first: number | undefined;
      for (const name in compared) {
        const value = compared[name];
        if (typeof value !== "number") continue;
        if (first === undefined) first = value;
        else {
          countSlack(this.map, codes[index]!, value - first);
          break;
        }
      }
    }
  }

  #countEvents({ accounts }: State, { events, from, to }: BlockResult): void {
    const high = accounts.rows.high;
    this.#named.length = 0;
    this.#stamp++;
    let count = 0;
    let liquidations = 0;
    for (let at = from; at < to; count++) {
      const kind = events[at]!;
      const rule = LABEL_RULES[kind]!;
      const word = rule.field === 0 ? 0 : events[at + rule.field]!;
      const label = rule.first + (word < rule.words ? word : 0);
      this.map.count(placeOfLabel(label));
      if (isLiquidationStepCode(kind)) liquidations++;
      if (!rule.isNoise) {
        for (const field of rule.accounts) {
          const account = events[at + field]!;
          if (account >= 0 && account < high) this.#follow(account, label);
        }
      }
      at += EVENT_WIDTHS[kind]!;
    }
    countBlock(this.map, count, liquidations);
  }

  #follow(account: number, label: number): void {
    const before = this.#last[account]!;
    if (before !== NOTHING) this.map.count(placeOfPair(before, label));
    this.#last[account] = label;
    if (this.#stamps[account] === this.#stamp) return;
    this.#stamps[account] = this.#stamp;
    this.#named.push(account);
  }

  #reserve(accounts: number): void {
    if (accounts <= this.#last.length) return;
    const last = new Int16Array(accounts * 2).fill(NOTHING);
    last.set(this.#last);
    this.#last = last;
    const stamps = new Uint32Array(accounts * 2);
    stamps.set(this.#stamps);
    this.#stamps = stamps;
  }
}
