import type { Level, MarginMode, MarketView } from "./context.ts";
import type { Side } from "./facts.ts";
import { computeSmallestSize, roundOrderSize, type SizeRules } from "./orderSize.ts";
import type { OrderRules } from "./requests.ts";
import { fromE8, roundToStep } from "./units.ts";

/** The market rules on which a strategy's orders depend, in the venue's units. */
export interface MarketRules extends SizeRules {
  /** 1e-8 USD. */
  readonly tickSize: number;
  /** Greatest slippage bound, parts per million. */
  readonly slippageMax: number;
}

/**
 * A market as a strategy sees it. Everything that follows from rules and prices is computed here; the port supplies
 * those.
 */
export abstract class StrategyMarket implements MarketView {
  abstract readonly name: string;
  /** As of the last block. */
  abstract readonly rules: MarketRules;
  abstract readonly mark: number | undefined;
  abstract readonly index: number | undefined;
  abstract readonly last: number | undefined;
  abstract readonly bestBid: number | undefined;
  abstract readonly bestAsk: number | undefined;
  abstract readonly fundingRate: number;
  abstract readonly fundingTimeMs: number | undefined;
  abstract readonly leverage: number;
  abstract readonly marginMode: MarginMode;
  abstract readonly takerFee: number;
  abstract readonly makerFee: number;

  abstract depth(side: Side, levels?: number): Level[];

  get tickSize(): number {
    return fromE8(this.rules.tickSize);
  }

  get lotSize(): number {
    return fromE8(this.rules.lotSize);
  }

  /** Largest order, units of base. */
  get maxSize(): number {
    return fromE8(this.rules.maxSize);
  }

  get smallestSize(): number {
    return computeSmallestSize(this.rules, this.mark ?? this.last ?? 0);
  }

  /** The values on which the payload of an order depends. */
  get orderRules(): OrderRules {
    const { tickSize, lotSize, slippageMax } = this.rules;
    return { name: this.name, tickSize, lotSize, slippageMost: slippageMax / 1e6 };
  }

  roundPrice(price: number, way: "down" | "up" | "nearest" = "nearest"): number {
    return roundToStep(price, this.rules.tickSize, way);
  }

  roundSize(size: number): number {
    return roundOrderSize(size, this.rules, this.mark ?? this.last ?? 0);
  }
}
