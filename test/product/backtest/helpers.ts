import type { TObject } from "typebox";
import { Type } from "typebox";
import { defineStrategy, type Strategy } from "../../../src/client/strategy/strategy.ts";
import type { BacktestResult } from "../../../src/product/backtest/backtestResult.ts";
import type { BacktestOptions } from "../../../src/product/backtest/options.ts";
import { runBacktest } from "../../../src/product/backtest/runBacktest.ts";
import type { VenueEvent } from "../../../src/protocol/events.ts";
import { readEvents } from "../../../src/venue/engine/events/readEvents.ts";
import type { Observer, SealedBlock } from "../../../src/venue/simulation/observer.ts";

/** A block as it came out, with what it did. */
export interface SeenBlock {
  readonly block: SealedBlock;
  readonly events: readonly VenueEvent[];
  readonly statuses: readonly string[];
}

/**
 * Runs a strategy and keeps every block. Latency is 0, fees are off, tick 1 and lot 0.01 unless a test says otherwise.
 */
export async function run(
  options: Omit<BacktestOptions, "strategy"> & { readonly strategy?: BacktestOptions["strategy"] },
): Promise<BacktestResult & { readonly seen: readonly SeenBlock[] }> {
  const seen: SeenBlock[] = [];
  const observer: Observer = {
    onBlock(_state, block, { events, from, to, receipts }) {
      const statuses = block.transactions.map((_, index) => receipts.code(index) ?? receipts.status(index));
      seen.push({ block, events: readEvents(events, from, to), statuses });
    },
  };
  const result = await runBacktest(
    { strategy: strategy({}), latencyMs: 0, fees: { maker: "0", taker: "0" }, tick: "1", lot: "0.01", ...options },
    { observers: [observer] },
  );
  return { ...result, seen };
}

/** A strategy without parameters. */
export function strategy<Memory = undefined>(
  hooks: Omit<Strategy<TObject<Record<never, never>>, Memory>, "id" | "params">,
): Strategy<TObject<Record<never, never>>, Memory> {
  return defineStrategy({ id: "test", params: Type.Object({}), ...hooks });
}

/** Fills of the strategy's account, which is the second. */
export function ownFills(result: BacktestResult) {
  return result.report.fills.kept;
}
