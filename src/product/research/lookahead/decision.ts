import { formatDecimal } from "../../../ground/math/decimal.ts";
import { PRICE_DECIMALS, SIZE_DECIMALS } from "../../../ground/math/fixed.ts";
import type { ActionName, Payloads } from "../../../protocol/actions/index.ts";
import { ORDER_TYPE, SIDE } from "../../../protocol/words.ts";

/** A transaction that a strategy sent. */
export interface Decision {
  /** Name of the strategy. */
  readonly strategy: string;
  /** Time of the block that the strategy had seen. */
  readonly timeMs: number;
  readonly action: ActionName;
  readonly payload: Payloads[ActionName];
}

/** Decisions that two runs took at one place of their lists; undefined for a run that had no more. */
export interface DecisionPair {
  readonly recorded: Decision | undefined;
  readonly changed: Decision | undefined;
}

/** The first place in which two runs decided differently up to a time, included; undefined where they are equal. */
export function findDifference(
  recorded: readonly Decision[],
  changed: readonly Decision[],
  untilMs: number,
): DecisionPair | undefined {
  for (let at = 0; ; at++) {
    const one = upTo(recorded[at], untilMs);
    const other = upTo(changed[at], untilMs);
    if (one === undefined && other === undefined) return undefined;
    if (one === undefined || other === undefined || !isSame(one, other)) return { recorded: one, changed: other };
  }
}

/** A strategy whose decisions differ, with the first that does. */
export interface StrategyDifference extends DecisionPair {
  readonly name: string;
  /** Time of the earlier of the two decisions. */
  readonly timeMs: number;
}

/**
 * The first difference of each strategy of two runs, up to a time, by time. Those of the earliest time differ by
 * themselves: up to it, all strategies had seen the same. Later ones may come of the orders of the earlier.
 */
export function listDifferences(
  recorded: readonly Decision[],
  changed: readonly Decision[],
  untilMs: number,
  names: readonly string[],
): StrategyDifference[] {
  const found = names.flatMap((name): StrategyDifference[] => {
    const pair = findDifference(of(recorded, name), of(changed, name), untilMs);
    if (pair === undefined) return [];
    const times = [pair.recorded, pair.changed].flatMap((one) => (one === undefined ? [] : [one.timeMs]));
    return [{ name, ...pair, timeMs: Math.min(...times) }];
  });
  return found.sort((a, b) => a.timeMs - b.timeMs);
}

/** The decisions of one strategy. */
export function of(decisions: readonly Decision[], name: string): readonly Decision[] {
  return decisions.filter(({ strategy }) => strategy === name);
}

function upTo(decision: Decision | undefined, untilMs: number): Decision | undefined {
  return decision === undefined || decision.timeMs > untilMs ? undefined : decision;
}

function isSame(a: Decision, b: Decision): boolean {
  return a.timeMs === b.timeMs && a.action === b.action && JSON.stringify(a.payload) === JSON.stringify(b.payload);
}

/** 1 for an order that buys, -1 for one that sells, 0 for a transaction without a side. */
export function sideOf({ action, payload }: Decision): 1 | -1 | 0 {
  if (action !== "placeOrder") return 0;
  return (payload as Payloads["placeOrder"]).side === SIDE.buy ? 1 : -1;
}

/** The market of a decision; empty where it has none. */
export function marketOf({ payload }: Decision): string {
  return (payload as { readonly market?: string }).market ?? "";
}

/** `buy 0.5 BTC-PERP at market`; other actions by their name and what is set. */
export function describeDecision({ action, payload }: Decision): string {
  if (action === "placeOrder") {
    const { side, size, market, orderType, price, reduceOnly, postOnly } = payload as Payloads["placeOrder"];
    const at = orderType === ORDER_TYPE.market ? "at market" : `at ${formatDecimal(price, PRICE_DECIMALS)}`;
    const flags = [...(reduceOnly ? ["reduce-only"] : []), ...(postOnly ? ["post-only"] : [])];
    const words = [side === SIDE.buy ? "buy" : "sell", formatDecimal(size, SIZE_DECIMALS), market, at];
    return [...words, ...(flags.length === 0 ? [] : [`(${flags.join(", ")})`])].join(" ");
  }
  if (action === "closePosition") {
    const { market, size } = payload as Payloads["closePosition"];
    return size === 0 ? `close ${market}` : `close ${formatDecimal(size, SIZE_DECIMALS)} ${market}`;
  }
  const set = Object.entries(payload as object).filter(([, value]) => value !== 0 && value !== "" && value !== false);
  return [action, ...set.map(([name, value]) => `${name}=${String(value)}`)].join(" ");
}
