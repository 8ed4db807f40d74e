import type { MarketStatus } from "../../../protocol/lifecycle.ts";
import type { Market } from "../state.ts";

/** Permissions of a market in a status (MKT). */
export interface StatusRules {
  /** Orders that may enter. */
  readonly placing: "none" | "postOnly" | "reduceOnly" | "all";
  readonly prices: boolean;
  readonly fund: boolean;
  readonly liquidate: boolean;
  readonly trigger: boolean;
  /** Statuses that `updateMarket` may set next. */
  readonly next: readonly MarketStatus[];
}

const STILL = { prices: false, fund: false, liquidate: false, trigger: false, next: [] } as const;
const OPEN = { prices: true, fund: true, liquidate: true } as const;
const CLOSING = ["active", "settling"] as const;

const RULES: Readonly<Record<MarketStatus, StatusRules>> = {
  initializing: { placing: "none", prices: true, fund: false, liquidate: false, trigger: false, next: ["postOnly"] },
  postOnly: { placing: "postOnly", ...OPEN, trigger: false, next: ["active"] },
  active: { placing: "all", ...OPEN, trigger: true, next: ["cancelOnly", "reduceOnly", "halted", "settling"] },
  cancelOnly: { placing: "none", ...OPEN, trigger: false, next: CLOSING },
  reduceOnly: { placing: "reduceOnly", ...OPEN, trigger: true, next: CLOSING },
  halted: { placing: "none", prices: true, fund: false, liquidate: false, trigger: false, next: CLOSING },
  settling: { placing: "none", ...STILL },
  settled: { placing: "none", ...STILL },
};

export function statusRules({ parameters }: Pick<Market, "parameters">): StatusRules {
  return RULES[parameters.status];
}
