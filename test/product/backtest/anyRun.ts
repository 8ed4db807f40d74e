import type { AnyStrategy } from "../../../src/client/strategy/strategy.ts";
import { Random } from "../../../src/ground/math/random.ts";
import type { BacktestOptions, PortfolioOptions } from "../../../src/product/backtest/options.ts";
import { drawData } from "./anyData.ts";
import { createDecider } from "./decider.ts";

/**
 * Options of any kind. The same seed gives the same.
 *
 * @param create makes the strategy that acts in a hook
 */
export function drawRun(
  seed: number,
  create: (hook: "onBar" | "onTrade" | "onBlock") => AnyStrategy = createDecider,
): () => BacktestOptions {
  return () => {
    const random = Random.ofSeed([seed, 5]);
    const { source, shape } = drawData(seed, 120);
    const isTraded = shape === "trades" || shape === "tradesAndMarks" || shape === "both";
    const hook = random.chance(1, 12) ? "onBlock" : isTraded && random.chance(1, 2) ? "onTrade" : "onBar";
    return {
      data: source,
      strategy: create(hook),
      params: { pace: random.pick([1, 3, 12]) },
      deposit: random.pick(["500", "10000", "1000000"]),
      insurance: random.pick(["0", "1000000"]),
      leverage: random.pick([1, 3, 10, 20]),
      margin: random.pick(["cross", "cross", "isolated"] as const),
      fees: { maker: random.pick(["0.0002", "-0.0001"]), taker: "0.0005" },
      latencyMs: random.pick([0, 100, 5_000, 1_800_000, "lognormal(2000,1.5)", "uniform(0,600000)"]),
      spreadTicks: random.pick([1, 1, 7]),
      impactTicks: random.pick([0, 1, 5]),
      participation: random.pick(["0.1", "1", "0.001"]),
      intrabar: random.pick(["nearest", "high-first", "low-first"] as const),
      blockMs: random.pick([1, 250, 1_000, 60_000]),
      tick: "1",
      lot: random.pick(["0.01", "0.001"]),
      seed: String(seed),
      parameters: random.pick([{}, { liquidationPolicy: random.pick(["binance", "dydx", "hyperliquid"]) }]),
    };
  };
}

/** Options of two or three strategies of any kind in one venue. The same seed gives the same. */
export function drawSeveral(seed: number): () => PortfolioOptions {
  return () => {
    const random = Random.ofSeed([seed, 6]);
    const { strategy: _strategy, params: _params, ...shared } = drawRun(seed)();
    const hooks = [
      "onBar",
      "onBar",
      "onBar",
      "onTrade",
      ...(random.chance(1, 8) ? (["onBlock"] as const) : []),
    ] as const;
    const strategies = Array.from({ length: random.between(2, 3) }, (_, place) => ({
      name: `number-${place}`,
      strategy: createDecider(random.pick(hooks)),
      params: { pace: random.pick([1, 3, 12]) },
      deposit: random.pick(["500", "10000", "1000000"]),
      leverage: random.pick([1, 3, 10, 20]),
      margin: random.pick(["cross", "cross", "isolated"] as const),
      latencyMs: random.pick([0, 100, 5_000, "normal(3000,3000)"]),
      seed: `${seed} ${place}`,
    }));
    return { ...shared, strategies };
  };
}
