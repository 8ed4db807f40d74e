import type { DataHooks } from "../../strategy/blockFacts.ts";
import type { Trade } from "../../strategy/facts.ts";
import type { ReportedBlock } from "./accountFacts.ts";
import type { LiveBars } from "./liveBars.ts";

/** Where a kind of event has the side of a trade. */
const SIDES: Readonly<Record<string, string>> = { fill: "takerSide", printed: "side" };

/** Shows the trades of blocks to a strategy, and the bars made of them, in their order. */
export class LiveData {
  readonly #markets: ReadonlySet<string>;
  readonly #bars: LiveBars | undefined;

  /** @param bars undefined if the strategy has no use for them */
  constructor(markets: readonly string[], bars: LiveBars | undefined) {
    this.#markets = new Set(markets);
    this.#bars = bars;
  }

  show(blocks: readonly ReportedBlock[], hooks: DataHooks): void {
    for (const block of blocks) {
      const bars = this.#bars?.read(block) ?? [];
      const shown = hooks.takesBars ? bars : [];
      // A bar that ends with the block has the block's trades in it.
      for (const bar of shown) if (bar.closeTimeMs < block.timeMs) hooks.takeBar(bar);
      if (hooks.takesTrades) for (const trade of this.#readTrades(block)) hooks.takeTrade(trade);
      for (const bar of shown) if (bar.closeTimeMs === block.timeMs) hooks.takeBar(bar);
    }
  }

  #readTrades({ timeMs, events }: ReportedBlock): Trade[] {
    const trades: Trade[] = [];
    for (const { kind, fields } of events) {
      const sideField = SIDES[kind];
      if (sideField === undefined) continue;
      const market = String(fields["market"]);
      const [price, size] = [Number(fields["price"]), Number(fields["size"])];
      // A recorded price without a size is no trade.
      if (!this.#markets.has(market) || size === 0) continue;
      trades.push({ market, timeMs, price, size, side: fields[sideField] === "buy" ? "buy" : "sell" });
    }
    return trades;
  }
}
