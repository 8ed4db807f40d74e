import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { CanaryName } from "./canaryNames.ts";

/** A fault to plant behind a block, as a bug in the venue would leave it. */
export type Canary = (state: State, result: BlockResult) => void;

/** Faults that a search has to find when they are planted: otherwise its silence means nothing. */
export const CANARIES = {
  /** A fill that pays its taker a unit out of nothing. */
  freeUnit(state, result) {
    for (const event of readEvents(result.events, result.from, result.to)) {
      if (event.kind === "fill") state.accounts.collateral[event.takerAccount as never]!++;
    }
  },
  /** A trigger that looks at a position too late. */
  lateTrigger({ positions }) {
    for (let row = 0; row < positions.rows.high; row++) {
      const at = row as never;
      const size: number = positions.size[at]!;
      if (positions.rows.isLive(row) && size !== 0) (positions.trigger[at] as number) = size > 0 ? -1 : 8e15;
    }
  },
  /** An order that is cancelled and keeps its reserve. */
  keptReserve({ positions }, result) {
    const cancelled = readEvents(result.events, result.from, result.to).find(({ kind }) => kind === "orderCancelled");
    if (cancelled?.kind !== "orderCancelled") return;
    for (let row = 0; row < positions.rows.high; row++) {
      const at = row as never;
      if (positions.rows.isLive(row) && positions.account[at] === cancelled.account) positions.buyOrderCost[at]!++;
    }
  },
} as const satisfies Readonly<Record<CanaryName, Canary>>;
