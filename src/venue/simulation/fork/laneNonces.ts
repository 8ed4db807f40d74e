import type { Transaction } from "../../../protocol/transaction.ts";
import { findActor, getNextNonce } from "../../engine/authorization/admission.ts";
import type { State } from "../../engine/state/state.ts";
import { laneOf } from "../pool/lanes.ts";
import { type Consumption, carriedLaneOf } from "./consumption.ts";

/** A transaction of a fork's block. */
export interface Entry {
  transaction: Transaction;
  /** Place in the recorded block; -1 for an injected one. */
  readonly record: number;
  /** Nonces that the recorded venue used for it; for an injected one, those that the fork will use. */
  readonly consumption: Consumption;
  /** Why the recorded venue did not admit it; undefined where it did. */
  readonly refusal: string | undefined;
}

/**
 * Nonces of a fork. A lane keeps those of the record until the fork uses another nonce of it, or one less. From then on
 * the recorded transactions get the next nonces of the lane in the fork, in their order. So a sequential lane
 * continues, and in a lane with a window, which has no order, no used nonce is requested again (NON-2).
 */
export class LaneNonces {
  /** Lanes whose nonces differ from the record. */
  readonly #apart = new Set<string>();

  /** Numbers the transactions of a block, in their order. */
  number(fork: State, entries: readonly Entry[]): void {
    const apart = new Set(this.#apart);
    for (const { transaction, record } of entries) {
      if (record >= 0) continue;
      apart.add(laneOf(transaction));
      const carried = carriedLaneOf(transaction);
      if (carried !== undefined) apart.add(carried);
    }
    if (apart.size === 0) return;
    const given = new Map<string, number>();
    const give = (lane: string) => given.set(lane, (given.get(lane) ?? 0) + 1);
    for (const entry of entries) {
      const { transaction, consumption } = entry;
      const lane = laneOf(transaction);
      if (apart.has(lane)) entry.transaction = withNonce(transaction, nonceOf(fork, entry, given.get(lane) ?? 0));
      if (consumption.own) give(lane);
      const carried = consumption.carried ? carriedLaneOf(transaction) : undefined;
      if (carried !== undefined) give(carried);
    }
  }

  /** Notes which nonces the fork used in a block. */
  note(entries: readonly Entry[], used: (place: number) => Consumption): void {
    entries.forEach(({ transaction, record, consumption }, place) => {
      const now = used(place);
      if (record < 0 ? now.own : now.own !== consumption.own) this.#apart.add(laneOf(transaction));
      const carried = carriedLaneOf(transaction);
      if (carried !== undefined && (record < 0 ? now.carried : now.carried !== consumption.carried))
        this.#apart.add(carried);
    });
  }
}

/** The next nonce of the lane; for one that the record refused for its nonce, one that is refused likewise. */
function nonceOf(fork: State, { transaction, refusal }: Entry, given: number): number {
  const next = (getNextNonce(fork, transaction, findActor(fork, transaction)) || 0) + given;
  const window = transaction.header.nonceDomain === "trading" ? fork.nonceWindow : 0;
  const beyond = next + (window === 0 ? 1 : window);
  switch (refusal) {
    case "NONCE_GAP":
      return beyond;
    case "NONCE_TOO_LOW":
      return next - window - 1 < 0 ? beyond : next - window - 1;
    case "NONCE_USED":
      return next === 0 ? beyond : next - 1;
    default:
      return next;
  }
}

function withNonce(transaction: Transaction, nonce: number): Transaction {
  const { header } = transaction;
  return header.nonce === nonce ? transaction : ({ ...transaction, header: { ...header, nonce } } as Transaction);
}
