import type { State } from "../../venue/engine/state/state.ts";
import { MARKETS_MAX } from "../../venue/engine/state/state.ts";
import type { Model, Reactions } from "./model.ts";

/** Realised PnL and payments of a position since it was opened; the state does not keep them. */
export interface PositionPast {
  readonly realizedPnl: bigint;
  readonly fundingPaid: bigint;
  readonly openedHeight: number;
}

interface Past extends PositionPast {
  signedLots: number;
  realizedPnl: bigint;
  fundingPaid: bigint;
  openedHeight: number;
}

/**
 * Realised PnL and payments of open positions since they were opened. A position from before the first kept block has
 * no history here until it is closed or flipped.
 */
export class PositionPasts implements Model {
  readonly #pasts = new Map<number, Past>();
  /** Sizes of open positions with an unknown beginning. */
  readonly #old = new Map<number, number>();
  /** Until settled: positions known to be flat, so that the next event that opens one is its beginning. */
  #flat: Set<number> | undefined = new Set();
  #complete = false;

  /** @param complete the blocks that are folded first start with the chain's first */
  constructor(complete: boolean) {
    this.#complete = complete;
  }

  find(account: number, market: number): PositionPast | undefined {
    return this.#pasts.get(keyOf(account, market));
  }

  /** Its size after the last event, undefined if unknown. */
  signedLotsOf(account: number, market: number): number | undefined {
    const key = keyOf(account, market);
    return this.#pasts.get(key)?.signedLots ?? this.#old.get(key);
  }

  readonly on: Reactions = {
    positionChanged: ({ account, market, size, realized }, { height }) => {
      const key = keyOf(account, market);
      const past = this.#pasts.get(key);
      const before = past?.signedLots ?? this.#old.get(key);
      if (size === 0) {
        this.#pasts.delete(key);
        this.#old.delete(key);
        this.#flat?.add(key);
        return;
      }
      const turned = before !== undefined && before > 0 !== size > 0;
      if (before === undefined ? this.#isBeginning(key) : turned) {
        this.#old.delete(key);
        this.#pasts.set(key, { signedLots: size, realizedPnl: 0n, fundingPaid: 0n, openedHeight: height });
      } else if (past === undefined) {
        this.#old.set(key, size);
      } else {
        past.signedLots = size;
        past.realizedPnl += BigInt(realized);
      }
    },
    fundingSettled: ({ account, market, payment }) => {
      const past = this.#pasts.get(keyOf(account, market));
      if (past !== undefined) past.fundingPaid += BigInt(payment);
    },
  };

  settle({ positions }: State): void {
    this.#flat = undefined;
    for (let at = 0; at < positions.rows.high; at++) {
      const row = at as never;
      if (!positions.rows.isLive(at) || positions.signedLots[row] === 0) continue;
      const key = keyOf(positions.account[row]!, positions.market[row]!);
      if (!this.#pasts.has(key)) this.#old.set(key, positions.signedLots[row]!);
    }
  }

  /** Whether an unknown position is new, rather than older than the known blocks. */
  #isBeginning(key: number): boolean {
    return this.#complete || this.#flat === undefined || this.#flat.has(key);
  }
}

function keyOf(account: number, market: number): number {
  return account * MARKETS_MAX + market;
}
