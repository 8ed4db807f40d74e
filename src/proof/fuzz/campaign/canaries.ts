import type { BlockResult } from "../../../venue/engine/applyBlock.ts";
import { readEvents } from "../../../venue/engine/events/readEvents.ts";
import type { State } from "../../../venue/engine/state/state.ts";
import type { CanaryName } from "./canaryNames.ts";

/** Plants a fault in the state after a block, as a bug in the venue would. */
export type Canary = (state: State, result: BlockResult) => void;

/** Planted faults that a search must find. A search that misses one proves nothing by finding nothing else. */
export const CANARIES = {
  /** A fill credits its taker one quote unit that no account pays. */
  freeUnit(state, result) {
    for (const event of readEvents(result.events, result.from, result.to)) {
      if (event.kind === "fill") state.accounts.collateral[event.takerAccount as never]!++;
    }
  },
  /** A liquidation trigger that fires too late. */
  lateTrigger({ positions }) {
    for (let row = 0; row < positions.rows.high; row++) {
      const at = row as never;
      const signedLots: number = positions.signedLots[at]!;
      if (positions.rows.isLive(row) && signedLots !== 0)
        (positions.trigger[at] as number) = signedLots > 0 ? -1 : 8e15;
    }
  },
  /** A cancelled order keeps its reserved margin. */
  keptReserve({ positions }, result) {
    const cancelled = readEvents(result.events, result.from, result.to).find(({ kind }) => kind === "orderCancelled");
    if (cancelled?.kind !== "orderCancelled") return;
    for (let row = 0; row < positions.rows.high; row++) {
      const at = row as never;
      if (positions.rows.isLive(row) && positions.account[at] === cancelled.account) positions.buyOrderCost[at]!++;
    }
  },
} as const satisfies Readonly<Record<CanaryName, Canary>>;
